//go:build loom

package loom_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/internal/explore"
	"github.com/filch-sched/filch/loom/sync"
	"github.com/filch-sched/filch/loom/time"
)

var lastSteps = []struct {
	name   string
	traces int
	body   func()
}{
	{"after a Join", 1, func() {
		var x atomic.Uint32
		loom.Go(func() { x.Add(1) }).Join()
		x.Load()
		x.Store(0)
	}},
	{"without one", 3, func() {
		var x atomic.Uint32
		loom.Go(func() { x.Add(1) })
		x.Load()
		x.Load()
	}},
	{"one of two has been joined", 3, func() {
		var x atomic.Uint32
		a := loom.Go(func() { x.Add(1) })
		loom.Go(func() { x.Store(5) })
		a.Join()
		x.Load()
	}},
	{"the last reader of two", 4, func() {
		var x atomic.Uint32
		for range 2 {
			loom.Go(func() { x.Load() })
		}
		x.Store(1)
	}},
	{"choices", 10, func() {
		var x atomic.Uint32
		th := loom.Go(func() { x.Store(1) })
		x.Load()
		th.Join()
		if n := loom.Choose(3); n < 2 {
			x.Add(uint32(n))
			loom.Choose(2)
		}
		x.Load()
	}},
	{"a group instead of Join", 2, func() {
		var x atomic.Uint32
		var g sync.WaitGroup
		for range 2 {
			g.Go(func() { x.Add(1) })
		}
		g.Wait()
		x.Load()
		x.Store(0)
	}},
	{"a timer that could have fired", 4, func() {
		var x atomic.Uint32
		timer := time.AfterFunc(1, func() { x.Store(1) })
		loom.Go(func() {}).Join()
		x.Load()
		x.Load()
		timer.Stop()
	}},
	{"the locks of others", 2, func() {
		var mu sync.Mutex
		var x atomic.Uint32
		a := loom.Go(func() { mu.Lock(); x.Add(1); mu.Unlock() })
		b := loom.Go(func() { mu.Lock(); x.Add(1); mu.Unlock() })
		a.Join()
		b.Join()
		mu.Lock()
		x.Load()
		mu.Unlock()
	}},
}

// TestTrapLastSteps: what a thread does at the end, alone, races with nothing only
// if it comes after all that the others did, whatever the order.
func TestTrapLastSteps(t *testing.T) {
	for _, c := range lastSteps {
		for _, algorithm := range explore.Algorithms {
			r := holds(t, c.body, loom.Algorithm(algorithm))
			require.Equal(t, c.traces, r.Traces, "%s, %s", c.name, algorithm)
			if algorithm == "optimal" {
				require.Equal(t, c.traces, r.Executions, c.name)
			}
		}
	}
}
