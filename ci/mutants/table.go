package main

import (
	"fmt"
	"time"
)

// table prints a line for each job as it ends, and a count at the end.
type table struct {
	wide     int // of the first column
	verbose  bool
	jobs     int
	survived int
	errors   int
	start    time.Time
}

func newTable(jobs []job, verbose bool) *table {
	t := &table{wide: len("mutant"), verbose: verbose, start: time.Now()}
	for _, j := range jobs {
		t.wide = max(t.wide, len(j.mutant))
	}
	t.line("mutant", "layer", "seconds", "killed by")
	return t
}

func (t *table) line(mutant, layer, seconds, by string) {
	fmt.Printf("%-*s  %-15s  %7s  %s\n", t.wide, mutant, layer, seconds, by)
}

func (t *table) add(j job, v verdict, took time.Duration) {
	t.jobs++
	by := v.by
	switch {
	case v.err != "":
		t.errors++
		by = "ERROR: " + v.err
	case !v.killed:
		t.survived++
		by = "SURVIVED"
		if t.verbose {
			by += ": " + v.why
		}
	}
	t.line(j.mutant, j.layer, fmt.Sprintf("%.1f", took.Seconds()), by)
}

// finish prints the count and reports whether all is well: every job a kill, or
// with any set at least one.
func (t *table) finish(any bool) bool {
	kills := t.jobs - t.survived - t.errors
	fmt.Printf("%d of %d kills, %d survived, %d errors, %.0f s\n",
		kills, t.jobs, t.survived, t.errors, time.Since(t.start).Seconds())
	if t.errors > 0 {
		return false
	}
	if any {
		return kills > 0
	}
	return t.survived == 0
}
