package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"os"
	"sort"
	"time"

	"github.com/filch-sched/filch/linearizability"
	"github.com/filch-sched/filch/model"
)

//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Funcs(template.FuncMap{
	"thousands": thousands,
	"rate":      rate,
	"verdicts":  claimRows,
	"outcomes":  outcomeRows,
	"bars":      overlapBars,
	"offenders": offenderRows,
	"drawing":   drawing,
	"drawn":     drawn,
	"stamp":     func(t time.Time) string { return t.Format("2006-01-02 15:04:05 MST") },
}).Parse(pageText))

// writePage writes the verdict page: one file that needs no other.
func writePage(path string, s *summary) error {
	var b bytes.Buffer
	if err := page.Execute(&b, struct {
		*summary
		Line string
	}{s, s.line()}); err != nil {
		return fmt.Errorf("the page: %w", err)
	}
	return os.WriteFile(path, b.Bytes(), 0o644)
}

// thousands prints a number with its digits in groups.
func thousands(n int64) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "\u202f" + s[i:]
	}
	return s
}

// rate is how many operations were done in a second of driving.
func rate(s *section) string {
	if s.Driving <= 0 {
		return "-"
	}
	return thousands(int64(float64(s.Tally.Operations) / s.Driving))
}

// claimRow is what an audit says of one claim.
type claimRow struct{ Claim, Sentence, Verdict, Class string }

func claimRows(s *section) (rows []claimRow) {
	for _, c := range s.Claims {
		r := claimRow{c, model.Sentence(model.Claim(c)), "held", "clean"}
		switch {
		case s.Found != nil && string(s.Found.Claim) == c:
			r.Verdict, r.Class = "violated", "violation"
		case s.Found != nil:
			r.Verdict, r.Class = "open", "inconclusive"
		case s.Verdict == inconclusive:
			r.Verdict, r.Class = "not tested", "inconclusive"
		}
		rows = append(rows, r)
	}
	return rows
}

// outcomeRow says how often operations of one kind ended in one way.
type outcomeRow struct {
	Label string
	Count int64
}

func outcomeRows(c tally) (rows []outcomeRow) {
	for l, n := range c.Outcomes {
		rows = append(rows, outcomeRow{l, n})
	}
	sort.Slice(rows, func(i, j int) bool { return rows[i].Label < rows[j].Label })
	return rows
}

// bar is one bar of a histogram.
type bar struct {
	Label   int
	Count   int64
	Percent float64
}

// overlapBars is the histogram of how many operations were under way at a time.
func overlapBars(c tally) (bars []bar) {
	last := 0
	for i, n := range c.Overlap {
		if n > 0 {
			last = i
		}
	}
	for i, n := range c.Overlap[:last+1] {
		bars = append(bars, bar{i + 1, n, 100 * float64(n) / float64(max(1, c.Operations))})
	}
	return bars
}

// offender is a row of the table of offending operations.
type offender struct {
	Thread       int
	Did, Answer  string
	Call, Return string
}

func offenderRows(f *finding) (rows []offender) {
	for _, i := range f.Ops {
		o := f.History.Ops[i]
		r := offender{o.Thread, o.Op.String(), o.Result.String(), fmt.Sprint(o.Call), fmt.Sprint(o.Return)}
		if o.Return == linearizability.Never {
			r.Answer, r.Return = "nothing", "never"
		}
		rows = append(rows, r)
	}
	return rows
}
