//go:build loom

package loom_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/cell"
	"github.com/filch-sched/filch/loom/internal/explore"
)

// small are programs with few traces, of which some deadlock, fail or race.
func small() []count {
	return []count{
		{"readers(5)", func() { readers(5) }, 0, 0},
		{"lastzero(4)", func() { lastzero(4) }, 0, 0},
		{"lastzero(6)", func() { lastzero(6) }, 0, 0},
		{"adds(2,5)", func() { adds(2, 5) }, 0, 0},
		{"adds(3,2)", func() { adds(3, 2) }, 0, 0},
		{"adds(3,3)", func() { adds(3, 3) }, 0, 0},
		{"lockinc(3,2)", func() { lockinc(3, 2) }, 0, 0},
		{"philosophers(4)", func() { philosophers(4) }, 0, 0},
		{"collide(4)", func() { collide(4) }, 0, 0},
		{"blocks(4)", func() { blocks(4) }, 0, 0},
		{"failing", func() {
			var x atomic.Int32
			each(3, func(i int) {
				if n := x.Load(); !x.CompareAndSwap(n, n+1) && i == 1 {
					loom.Failf("Planted", "on purpose")
				}
				x.Load()
			})
		}, 0, 0},
		{"racing", func() {
			var x atomic.Int32
			var c cell.Cell[int]
			each(3, func(i int) {
				if x.Add(1) == 2 {
					c.Store(1)
				}
				if x.Load() == 3 {
					c.Store(2)
				}
			})
		}, 0, 0},
		{"spins", func() {
			var ready, x atomic.Int32
			each(3, func(i int) {
				if i == 0 {
					x.Add(1)
					ready.Store(1)
					x.Add(1)
					return
				}
				for ready.Load() == 0 {
					loom.Yield()
				}
				x.Add(1)
			})
		}, 0, 0},
		{"stack(2)", func() { stackOf(2) }, 0, 0},
	}
}

// stackOf: threads push and pop a node each on a stack.
func stackOf(n int) {
	type node struct{ next *node }
	var top atomic.Pointer[node]
	each(n, func(int) {
		m := &node{}
		for {
			m.next = top.Load()
			if top.CompareAndSwap(m.next, m) {
				break
			}
		}
		for {
			old := top.Load()
			if old == nil || top.CompareAndSwap(old, old.next) {
				break
			}
		}
	})
}

// TestIntervalsAreHonest: of a search that has just begun, with the rounds that
// are made at its end, nearly all intervals have the number in them, for programs
// that fail and race, too.
func TestIntervalsAreHonest(t *testing.T) {
	all, right := 0, 0
	for _, c := range small() {
		c.explored(t)
		const repeats = 20
		in := 0
		for seed := range uint64(repeats) {
			e := explore.NewEstimator(c.body, explore.Options{KeepGoing: true, MaxSteps: 10_000}, seed)
			for range 5 {
				require.Nil(t, e.Round(16))
			}
			g, ok := e.Estimate(0)
			require.True(t, ok)
			require.GreaterOrEqual(t, g.High, 1.4*g.Traces)
			if g.Low <= float64(c.traces) && float64(c.traces) <= g.High {
				in++
			}
			e.Close()
		}
		t.Logf("%s: %d traces, %d of %d", c.name, c.traces, in, repeats)
		require.Greater(t, in, repeats/2, c.name)
		all, right = all+repeats, right+in
	}
	t.Logf("%d of %d intervals have the number in them", right, all)
	require.Greater(t, right*20, all*19)
}

// TestIntervalsOfBoundedSearchesAreHonest: they are of all traces, beyond the bound
// as well, and not only of those that the search has seen.
func TestIntervalsOfBoundedSearchesAreHonest(t *testing.T) {
	all, right := 0, 0
	for _, c := range small() {
		c.explored(t)
		for bound := range 3 {
			r, err := loom.Explore(c.body, loom.Preemptions(bound), loom.KeepGoing())
			var v *loom.Violation
			if err != nil {
				require.ErrorAs(t, err, &v)
			}
			if r.Exhausted {
				continue
			}
			all++
			if g := r.Estimate; g.Low <= float64(c.traces) && float64(c.traces) <= g.High {
				right++
			} else {
				t.Logf("%s, bound %d: %d traces, %d seen; %v", c.name, bound, c.traces, r.Traces, g)
			}
		}
	}
	t.Logf("%d of %d", right, all)
	require.Greater(t, all, 20)
	require.GreaterOrEqual(t, right*10, all*9)
}

// TestNoEstimateOfWhatNoRoundHasReached: rounds in which no particle comes to the
// end of a trace do not say that there is none.
func TestNoEstimateOfWhatNoRoundHasReached(t *testing.T) {
	none := 0
	for seed := range uint64(40) {
		e := explore.NewEstimator(func() { blocks(8) }, explore.Options{KeepGoing: true, MaxSteps: 10_000}, seed)
		require.Nil(t, e.Round(1))
		g, ok := e.Estimate(0)
		require.Equal(t, ok, g.High > 0)
		if !ok {
			none++
		}
		e.Close()
	}
	require.Positive(t, none)
}
