package fuzz_test

import (
	"testing"
	"time"

	"github.com/filch-sched/filch/fuzz"
	"github.com/filch-sched/filch/loom"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestConcurrently runs small programs with their threads at the same time.
// Under the tag loom each is explored to its end, or left after a moment and
// counted; without it each is run some times on goroutines. rapid shrinks what
// fails, but on goroutines it may not fail again: the first failure is logged.
func TestConcurrently(t *testing.T) {
	checks, rounds, budget := 250, 25, 10*time.Second
	if loom.Enabled {
		checks = 60
	}
	effort(t, checks, 30)
	var first error
	t.Cleanup(func() {
		if first != nil {
			t.Logf("the first failure: %v", first)
		}
	})
	var programs, exhausted, executions, traces int
	begin := time.Now()
	rapid.Check(t, func(t *rapid.T) {
		p := fuzz.Programs(fuzz.Small).Draw(t, "program")
		if first == nil && time.Since(begin) > budget {
			return
		}
		r, err := fuzz.Concurrently(p, rounds, 2*time.Second)
		if err != nil && first == nil {
			first = err
		}
		require.NoError(t, err)
		programs++
		executions += r.Executions
		traces += r.Traces
		if r.Exhausted {
			exhausted++
		}
	})
	if !loom.Enabled {
		t.Logf("%d programs, %d runs on goroutines, nothing explored", programs, executions)
		require.GreaterOrEqual(t, executions, programs)
		return
	}
	t.Logf("%d programs, %d explored to the end, %d executions, %d traces, %v",
		programs, exhausted, executions, traces, time.Since(begin).Round(time.Millisecond))
	require.Positive(t, exhausted, "no program was explored to its end")
}
