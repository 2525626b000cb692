package loom_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
)

// TestReportSaysHowExhaustiveItWas: the first words of a report are what a pass
// is worth.
func TestReportSaysHowExhaustiveItWas(t *testing.T) {
	seen := loom.Report{Executions: 12, Traces: 10, Blocked: 2, Steps: 90, MaxDepth: 9, Threads: 3}
	const rest = ": 10 traces in 12 executions (2 blocked), 90 steps, depth 9, 3 threads"
	with := func(change func(r *loom.Report)) string {
		r := seen
		change(&r)
		return r.String()
	}
	for _, c := range []struct {
		want   string
		change func(r *loom.Report)
	}{
		{"not exhausted" + rest, func(r *loom.Report) {}},
		{"exhausted" + rest, func(r *loom.Report) { r.Exhausted = true }},
		{"exhausted" + rest + ", 1 deadlocked, 2 racing, 3 failed", func(r *loom.Report) {
			r.Exhausted, r.Deadlocks, r.Races, r.Failures = true, 1, 2, 3
		}},
		{"not exhausted, stopped by the bound of 2 preemptions" + rest, func(r *loom.Report) {
			r.Bounded, r.Bound, r.Stopped = true, 2, "the bound of 2 preemptions"
		}},
		{"not exhausted, stopped by the bound of 2 preemptions, which cuts off 7 ways to go on" + rest, func(r *loom.Report) {
			r.Bounded, r.Bound, r.Stopped, r.Cut = true, 2, "the bound of 2 preemptions", 7
		}},
		{"exhausted (a bound of 2 preemptions cuts nothing off)" + rest, func(r *loom.Report) { r.Exhausted, r.Bounded, r.Bound = true, true, 2 }},
		{"not exhausted, stopped by the first violation, with 1 preemption (none with fewer)" + rest + ", 1 failed", func(r *loom.Report) {
			r.Bounded, r.Bound, r.Stopped, r.Preemptions, r.Failures = true, 2, "the first violation", 1, 1
		}},
		{"not exhausted, stopped by the first violation" + rest, func(r *loom.Report) { r.Stopped = "the first violation" }},
		{"not exhausted, stopped by the deadline of 1m0s" + rest + "; a rough guess: about 200 traces (100 to 400) in all, 5 % seen", func(r *loom.Report) {
			r.Stopped, r.Estimate = "the deadline of 1m0s", loom.Estimate{Traces: 200, Low: 100, High: 400}
		}},
		{"not exhausted (share 2 of 3), stopped by the deadline of 1s" + rest + "; a rough guess: about 20 traces (10 to 40) in the share, 50 % seen", func(r *loom.Report) {
			r.Shard, r.Shards, r.Stopped = 2, 3, "the deadline of 1s"
			r.Estimate = loom.Estimate{Traces: 20, Low: 10, High: 40}
		}},
		{"one execution, replayed: 60 rows, 49 of them steps, 1 thread", func(r *loom.Report) { r.Events, r.Steps, r.Threads = 60, 49, 1 }},
		{"exhausted, from checkpoint x.json" + rest, func(r *loom.Report) { r.Exhausted, r.Checkpoint = true, "x.json" }},
		{"exhausted: 1 trace in 1 execution (0 blocked), 1 step, depth 1, 1 thread", func(r *loom.Report) {
			*r = loom.Report{Exhausted: true, Executions: 1, Traces: 1, Steps: 1, MaxDepth: 1, Threads: 1}
		}},
		{"sampled by pct: 12 runs, seed 7: 10 different traces, 1 of them new in the last tenth, 90 steps, depth 9, 3 threads", func(r *loom.Report) {
			r.Sampled, r.Algorithm, r.Seed, r.New = true, "pct", 7, 1
		}},
	} {
		require.Equal(t, c.want, with(c.change))
	}
}

// TestEstimateInWords: two digits are as many as an estimate has.
func TestEstimateInWords(t *testing.T) {
	for x, want := range map[float64]string{
		1: "1", 99: "99", 123: "120", 4567: "4600", 9994: "10000", 12_345: "12 thousand", 99_600: "100 thousand",
		455_000: "460 thousand", 998_000: "1.0 million", 1_234_567: "1.2 million", 9.96e6: "10 million", 3.2e9: "3.2 billion",
		7e12: "7.0e+12",
	} {
		require.Equal(t, "about "+want+" traces ("+want+" to "+want+")", loom.Estimate{Traces: x, Low: x, High: x}.String())
	}
}
