//go:build loom

package loom_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/gid"
	"github.com/filch-sched/filch/loom/sync"
)

// registers are threads that copy words of a few values around, and one under a lock.
func registers(bound int32) func() {
	return func() {
		type shared struct {
			x, y atomic.Int32
			mu   sync.Mutex
			z    int32
		}
		s := &shared{}
		d := loom.Drive()
		d.Root("shared", s)
		d.Always("Small", func() string {
			if s.x.Load()+s.y.Load() > bound { // operations of the shim, beside the executions
				return "x and y are large"
			}
			return ""
		})
		forever(func() { s.x.Store((s.y.Load() + int32(loom.Choose(2))) % 2) })
		forever(func() { s.y.CompareAndSwap(s.x.Load(), (s.x.Load()+1)%3) })
		forever(func() {
			s.mu.Lock()
			s.z = 1 - s.z
			s.mu.Unlock()
			s.y.Add(-s.y.Load())
		})
	}
}

// TestWorkersMakeNoDifference to the graph, nor to how long the shortest schedule is.
func TestWorkersMakeNoDifference(t *testing.T) {
	want := loom.CheckGraph(t, registers(100))
	require.Greater(t, want.States, 1000)
	v := violated(t, registers(2))
	for _, n := range []int{2, 3, 8} {
		r := loom.CheckGraph(t, registers(100), loom.Workers(n))
		require.Equal(t, []int{want.States, want.Edges, want.MaxDepth}, []int{r.States, r.Edges, r.MaxDepth}, "%d workers", n)
		w := violated(t, registers(2), loom.Workers(n))
		require.Equal(t, v.Claim, w.Claim)
		require.Equal(t, len(addSteps(v.Schedule)), len(addSteps(w.Schedule)), "%d workers", n)
	}
	// Those that follow are alone again.
	require.Equal(t, want.States, loom.CheckGraph(t, registers(100)).States)
	_, err := loom.Explore(func() { loom.Go(func() {}).Join() })
	require.NoError(t, err)
}

// TestWorkersShareNothing: an object that the executions of several workers use is
// noticed sooner or later, if there are enough of them.
func TestWorkersShareNothing(t *testing.T) {
	if !gid.Known {
		t.Skip("there is one worker where goroutines are not told apart cheaply")
	}
	var outer atomic.Int32
	_, err := loom.Graph(func() {
		var all [4]atomic.Int32
		loom.Drive().Root("all", &all)
		loom.Drive().Root("outer", &outer)
		for i := range all {
			forever(func() {
				outer.Load()
				all[i].Store((all[i].Load() + 1) % 16)
			})
		}
	}, loom.Workers(4))
	require.ErrorContains(t, err, "by two executions that run at the same time")
}
