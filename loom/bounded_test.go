//go:build loom

package loom_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
)

// TestPreemptionBoundedCounts: the numbers of traces that GenMC publishes
// (expected.cb of its tests), by bound from 0 on.
func TestPreemptionBoundedCounts(t *testing.T) {
	for _, c := range []struct {
		name   string
		body   func()
		traces []int
	}{
		{"binc(2)", func() { adds(2, 2) }, []int{2, 4, 4}},
		{"binc(3)", func() { adds(3, 2) }, []int{6, 24, 36, 36}},
		{"cinc(2)", func() { adds(2, 3) }, []int{2, 6, 8, 8}},
		{"cinc(3)", func() { adds(3, 3) }, []int{6, 42, 120, 192, 216, 216}},
		{"SB", func() { var x, y, z atomic.Int32; litmus["SB"](&x, &y, &z) }, []int{2, 3}},
		{"LB", func() { var x, y, z atomic.Int32; litmus["LB"](&x, &y, &z) }, []int{2, 3}},
		{"MP", func() { var x, y, z atomic.Int32; litmus["MP"](&x, &y, &z) }, []int{2, 3}},
		{"2+2W", func() { var x, y, z atomic.Int32; litmus["2+2W"](&x, &y, &z) }, []int{2, 3}},
		{"IRIW", func() { var x, y, z atomic.Int32; litmus["IRIW"](&x, &y, &z) }, []int{-1, 15}},
	} {
		for bound, traces := range c.traces {
			t.Run(fmt.Sprintf("%s/%d", c.name, bound), func(t *testing.T) {
				r, err := loom.Explore(c.body, loom.Preemptions(bound), loom.KeepGoing())
				require.NoError(t, err)
				require.True(t, r.Bounded)
				require.Equal(t, bound, r.Bound)
				if traces >= 0 {
					require.Equal(t, traces, r.Traces)
				}
			})
		}
	}
}

// TestBoundedTracesAreCountedOnce: a trace counts at the smallest bound that any
// of its executions keeps to, and all traces count in the end.
func TestBoundedTracesAreCountedOnce(t *testing.T) {
	for _, c := range counts() {
		if c.traces > 1000 || c.dead > 0 {
			continue
		}
		last := 0
		for bound := 0; last < c.traces; bound++ {
			r, err := loom.Explore(c.body, loom.Preemptions(bound), loom.KeepGoing())
			require.NoError(t, err, c.name)
			require.GreaterOrEqual(t, r.Traces, last, c.name)
			require.LessOrEqual(t, r.Traces, c.traces, c.name)
			require.Less(t, bound, 40, c.name)
			last = r.Traces
		}
	}
}

// TestBoundThatHidesABug: a bug that needs three preemptions is not found with
// two.
func TestBoundThatHidesABug(t *testing.T) {
	body := func() {
		var x atomic.Int32
		all(func() {
			if x.Load() == 0 && x.Load() == 1 && x.Load() == 2 {
				loom.Failf("Planted", "x went up twice")
			}
		}, func() { x.Store(1); x.Store(2) })
	}
	_, err := loom.Explore(body, loom.Preemptions(2))
	require.NoError(t, err)
	_, err = loom.Explore(body, loom.Preemptions(3))
	require.ErrorContains(t, err, "Planted")
	_, err = loom.Explore(body, loom.Preemptions(0), loom.Algorithm("urw"))
	require.ErrorContains(t, err, "what is drawn is not bounded")
	require.Panics(t, func() { loom.Preemptions(-1) })
	t.Setenv("LOOM_PREEMPTIONS", "1")
	r, err := loom.Explore(body)
	require.NoError(t, err)
	require.True(t, r.Bounded)
	t.Setenv("LOOM_PREEMPTIONS", "-1")
	_, err = loom.Explore(body)
	require.ErrorContains(t, err, "LOOM_PREEMPTIONS=-1")
}
