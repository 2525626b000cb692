//go:build loom

package loom_test

import (
	"runtime"
	"testing"
	"weak"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/cell"
	"github.com/filch-sched/filch/loom/sync"
)

// TestExplorationKeepsNothingOfItsBody: what a body has used can be collected
// after it, although the memory of explorations is used again.
func TestExplorationKeepsNothingOfItsBody(t *testing.T) {
	type thing struct {
		word  atomic.Uint32
		plain uint32
		value atomic.Value
		mu    sync.Mutex
		cell  cell.Cell[*int]
		big   [1 << 10]byte
	}
	used := func() weak.Pointer[thing] {
		x := new(thing)
		r, err := loom.Explore(func() {
			th := loom.Go(func() {
				x.mu.Lock()
				defer x.mu.Unlock()
				x.word.CompareAndSwap(0, 1)
				x.value.CompareAndSwap(nil, &x.big)
				atomic.AddUint32(&x.plain, 1)
			})
			x.mu.Lock()
			x.cell.Store(new(int))
			x.mu.Unlock()
			x.word.Load()
			th.Join()
		})
		require.NoError(t, err)
		require.True(t, r.Exhausted)
		return weak.Make(x)
	}()
	runtime.GC()
	require.Nil(t, used.Value())
}

// TestExplorationsOfDifferentBodiesInTurn: each is as if there had been no other
// before it.
func TestExplorationsOfDifferentBodiesInTurn(t *testing.T) {
	bodies := []func(){
		func() { // many threads, few steps
			var x atomic.Uint32
			for range 4 {
				loom.Go(func() { x.Add(1) })
			}
		},
		func() { // the other way round, with choices
			var x, y atomic.Uint32
			loom.Go(func() {
				for range loom.Choose(3) {
					x.Add(1)
					y.Add(1)
				}
			})
			x.Load()
			y.Load()
		},
		func() { // some wait at the end
			var mu sync.Mutex
			c := sync.NewCond(&mu)
			for range 2 {
				loom.Go(func() { mu.Lock(); c.Wait(); mu.Unlock() })
			}
			mu.Lock()
			c.Signal()
			mu.Unlock()
		},
	}
	alone := make([]loom.Report, len(bodies))
	for round := range 3 {
		for i, body := range bodies {
			r, err := loom.Explore(body, loom.KeepGoing())
			if i < 2 {
				require.NoError(t, err)
			}
			r.Elapsed = 0
			if round == 0 {
				alone[i] = r
			}
			require.Equal(t, alone[i], r, "body %d", i)
		}
	}
	require.Equal(t, 24, alone[0].Traces)
}
