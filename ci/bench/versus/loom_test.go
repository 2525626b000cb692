//go:build loom

package main

import (
	"testing"

	"github.com/filch-sched/filch/loom"
)

// TestCounts holds the programs to what is known of them: for adds to one word
// there are 12!/(4!)^3 orders, and what the threads read tells the trace.
func TestCounts(t *testing.T) {
	for name, want := range map[string]struct{ traces, outcomes int }{
		"rmw(1)": {34650, 34650}, "SB": {3, 3}, "MP": {3, 3}, "IRIW": {15, 15},
		"readers(2)": {4, 4}, "readers(3)": {8, 8}, "lastzero(2)": {5, 5}, "lastzero(3)": {12, 12},
		"lockinc(2)": {2, 2}, "lockinc(3)": {6, 6}, "late store": {2, 2}, "late cas": {2, 2},
	} {
		p, ok := find(name)
		if !ok {
			t.Fatalf("no program %q", name)
		}
		seen := map[uint64]bool{}
		r := loom.Check(t, func() { seen[p.body()] = true })
		if r.Traces != want.traces || len(seen) != want.outcomes || !r.Exhausted {
			t.Errorf("%s: %d outcomes and %v, want %d and %d traces", name, len(seen), r, want.outcomes, want.traces)
		}
	}
	for _, name := range []string{"rmw(2)", "rmw(3)"} {
		p, _ := find(name)
		seen := map[uint64]bool{}
		if r := loom.Check(t, func() { seen[p.body()] = true }); r.Traces != len(seen) {
			t.Errorf("%s: %d outcomes and %v, one trace for each was expected", name, len(seen), r)
		}
	}
}

// BenchmarkPrograms is for profiles: executions a second by program.
func BenchmarkPrograms(b *testing.B) {
	for _, p := range programs() {
		b.Run(p.name, func(b *testing.B) {
			b.ReportAllocs()
			executions, steps := 0, 0
			for b.Loop() {
				r, err := loom.Explore(func() { p.body() })
				must(err)
				executions += r.Executions
				steps += r.Steps
			}
			b.ReportMetric(float64(steps)/float64(executions), "steps/execution")
			b.ReportMetric(float64(executions)/b.Elapsed().Seconds(), "executions/s")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(executions), "ns/execution")
		})
	}
}
