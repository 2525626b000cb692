package fuzz_test

import (
	"testing"
	"time"

	"github.com/filch-sched/filch/fuzz"
	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/model"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// concurrently draws programs of a shape and runs each: under the tag loom to
// its end, or for a moment; without it some rounds on goroutines. rapid shrinks
// what fails, but on goroutines it may not fail again: the first failure is
// logged.
func concurrently(t *testing.T, shape fuzz.Shape, checks, rounds int, moment, budget time.Duration) (exhausted int) {
	effort(t, checks, 30)
	var first error
	t.Cleanup(func() {
		if first != nil {
			t.Logf("the first failure: %v", first)
		}
	})
	var programs, executions, traces int
	begin := time.Now()
	rapid.Check(t, func(t *rapid.T) {
		p := fuzz.Programs(shape).Draw(t, "program")
		if first == nil && time.Since(begin) > budget {
			return
		}
		r, err := fuzz.Concurrently(p, rounds, moment)
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
	if loom.Enabled {
		t.Logf("%d programs, %d explored to the end, %d traces in %d executions, %v",
			programs, exhausted, traces, executions, time.Since(begin).Round(time.Millisecond))
	} else {
		t.Logf("%d programs, %d runs on goroutines, nothing explored", programs, executions)
	}
	require.Positive(t, programs)
	return exhausted
}

// TestConcurrently runs small programs with their threads at the same time,
// under the tag loom in every interleaving.
func TestConcurrently(t *testing.T) {
	for _, target := range []model.Target{model.Ring, model.Inject, model.Park} {
		t.Run(target.String(), func(t *testing.T) {
			shape := fuzz.Small
			shape.Target = target
			exhausted := concurrently(t, shape, 80, 25, time.Second, 8*time.Second)
			if loom.Enabled {
				require.Positive(t, exhausted, "no program was explored to its end")
			}
		})
	}
}
