package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
)

// report prints the table and what misses a bar, and returns the exit status.
func report(w io.Writer, b bench, rows []row) int {
	fmt.Fprintf(w, "loom is Rust's, %s; filch is this tree's, %s. Medians of rounds, lowest and highest ratio.\n\n", b.rust.version, b.filch.version)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "program\tloom\texecutions\t/s\tseconds\tfilch\texecutions\ttraces\t/s\tseconds\tratio /s\t(range)\tratio seconds\t outcomes")
	var missed []string
	for _, r := range rows {
		line, why := r.line()
		fmt.Fprintln(t, line)
		missed = append(missed, why...)
	}
	t.Flush()
	fmt.Fprintln(w)
	for _, r := range rows {
		fmt.Fprintf(w, "%s: %s. %s\n", r.name, r.what, r.verdict())
	}
	if len(missed) > 0 {
		fmt.Fprintf(w, "\nversus: FAILED, %s\n", strings.Join(missed, "; "))
		return 1
	}
	fmt.Fprintf(w, "\nversus: ok, all bars are met by %d programs\n", len(rows))
	return 0
}

// line returns the line of the table, and the bars that r misses.
func (r row) line() (string, []string) {
	rust, filch := r.farthest(), best(r.filch)
	for _, s := range []searches{rust, filch} {
		if s.Failure != "" {
			return r.name, []string{r.name + ": " + s.Failure}
		}
	}
	var missed []string
	if !filch.Finished {
		missed = append(missed, r.name+" is not finished by filch")
	}
	rates, times := r.rates(), r.times()
	if rate := median(rates); filch.First >= enough && rate < rateFactor {
		missed = append(missed, fmt.Sprintf("%s: %.1f times the executions a second, not %d", r.name, rate, rateFactor))
	}
	factor := 0
	switch _, lost, _ := r.differences(); {
	case rust.Finished && len(lost) > 0: // it has done less
	case r.mustFinish:
		factor = finishFactor
	case filch.First < enough:
		factor = rateFactor
	}
	if time := median(times); time < float64(factor) {
		missed = append(missed, fmt.Sprintf("%s: %.1f times less time, not %d", r.name, time, factor))
	}
	least := ""
	if !rust.Finished {
		least = ">= "
	}
	return fmt.Sprintf("%s\t\t%s\t%.0f\t%s\t\t%s\t%d\t%.0f\t%s\t%.1f\t(%.1f-%.1f)\t%s%s\t %s",
		r.name,
		executions(rust), median(each(r.rust, searches.rate)), duration(rust, r.rustSeconds()),
		executions(filch), filch.Traces, median(each(r.filch, searches.rate)), duration(filch, median(each(r.filch, searches.seconds))),
		median(rates), slices.Min(rates), slices.Max(rates), least, figures(median(times)), r.compared()), missed
}

// best returns the search that got farthest.
func best(all []searches) searches {
	best := all[0]
	for _, s := range all {
		if s.Failure != "" {
			return s
		}
		if s.Finished && !best.Finished || s.Finished == best.Finished && s.First > best.First {
			best = s
		}
	}
	return best
}

// farthest returns the search of Rust's loom that got farthest.
func (r row) farthest() searches {
	if r.last != nil {
		return *r.last
	}
	return best(r.rust)
}

func (r row) rustSeconds() float64 {
	if r.last != nil {
		return r.last.seconds()
	}
	return median(each(r.rust, searches.seconds))
}

// rate returns executions a second.
func (s searches) rate() float64 { return float64(s.Executions) / s.Seconds }

// seconds returns how long one search took.
func (s searches) seconds() float64 { return s.Seconds / float64(max(s.Complete, 1)) }

func (r row) rates() []float64 {
	out := make([]float64, len(r.rust))
	for i := range out {
		out[i] = r.filch[i].rate() / r.rust[i].rate()
	}
	return out
}

func (r row) times() []float64 {
	out := make([]float64, len(r.rust))
	for i := range out {
		rust := r.rust[i].seconds()
		if r.last != nil {
			rust = r.last.seconds()
		}
		out[i] = rust / r.filch[i].seconds()
	}
	return out
}

func each(all []searches, f func(searches) float64) []float64 {
	out := make([]float64, len(all))
	for i, s := range all {
		out[i] = f(s)
	}
	return out
}

func executions(s searches) string {
	if !s.Finished {
		return fmt.Sprintf("> %d", s.First)
	}
	return strconv.Itoa(s.First)
}

// duration is in seconds, not finished if s is not.
func duration(s searches, seconds float64) string {
	if !s.Finished {
		return "> " + figures(seconds)
	}
	return figures(seconds)
}

// figures is v with three figures, without an exponent.
func figures(v float64) string {
	switch {
	case v >= 100:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case v >= 1:
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return strconv.FormatFloat(v, 'f', 6, 64)
}

func median(values []float64) float64 {
	s := slices.Sorted(slices.Values(values))
	if len(s)%2 == 1 {
		return s[len(s)/2]
	}
	return (s[len(s)/2-1] + s[len(s)/2]) / 2
}
