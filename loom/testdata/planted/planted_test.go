// Package planted has tests that fail: the tests of package loom run them to see
// what Check reports and whether the replay command reproduces it.
package planted

import (
	"testing"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/cell"
	"github.com/filch-sched/filch/loom/sync"
	"github.com/filch-sched/filch/loom/time"
)

func TestLostUpdate(t *testing.T) {
	loom.Check(t, func() {
		var x atomic.Int32
		add := func() { x.Store(x.Load() + 1) }
		a, b := loom.Go(add), loom.Go(add)
		a.Join()
		b.Join()
		if n := x.Load(); n != 2 {
			loom.Failf("NoLostUpdate", "2 threads added 1 and the sum is %d", n)
		}
	})
}

func TestRace(t *testing.T) {
	loom.Check(t, func() {
		var ready atomic.Bool
		var data cell.Cell[string]
		loom.Go(func() {
			ready.Store(true) // wrong: before the data
			data.Store("written")
		})
		if ready.Load() {
			data.Load()
		}
	})
}

func TestDeadlock(t *testing.T) {
	loom.Check(t, func() {
		var a, b sync.Mutex
		both := func(first, second *sync.Mutex) func() {
			return func() {
				first.Lock()
				defer first.Unlock()
				second.Lock()
				defer second.Unlock()
			}
		}
		loom.Go(both(&a, &b))
		loom.Go(both(&b, &a))
	})
}

func TestLostWakeup(t *testing.T) {
	loom.Check(t, func() {
		var mu sync.Mutex
		c := sync.NewCond(&mu)
		queued := 0
		var group sync.WaitGroup
		take := func() {
			mu.Lock()
			for queued == 0 {
				c.Wait()
			}
			queued--
			mu.Unlock()
		}
		group.Go(take)
		group.Go(take)
		mu.Lock()
		queued = 2
		mu.Unlock()
		c.Signal() // wrong: one signal for two
		group.Wait()
	}, loom.Deadlock("NoLostWakeup"))
}

func TestPanic(t *testing.T) {
	loom.Check(t, func() {
		var p atomic.Pointer[int]
		n := 1
		p.Store(&n)
		loom.Go(func() { p.Store(nil) })
		if p.Load() != nil {
			_ = *p.Load()
		}
	})
}

func TestWrongWaiter(t *testing.T) {
	loom.Check(t, func() {
		var mu sync.Mutex
		c := sync.NewCond(&mu) // wrong: one condition variable for two conditions
		var even, odd bool
		wait := func(flag *bool) func() {
			return func() {
				mu.Lock()
				for !*flag {
					c.Wait()
				}
				mu.Unlock()
			}
		}
		a, b := loom.Go(wait(&even)), loom.Go(wait(&odd))
		set := func(flag *bool) {
			mu.Lock()
			*flag = true
			c.Signal()
			mu.Unlock()
		}
		set(&even)
		set(&odd)
		a.Join()
		b.Join()
	}, loom.Deadlock("NoLostWakeup"))
}

func TestTimeout(t *testing.T) {
	loom.Check(t, func() {
		var got, gaveUp atomic.Bool
		timer := time.AfterFunc(time.Duration(1), func() { gaveUp.Store(true) })
		got.Store(true)
		timer.Stop() // wrong: its result says who has won
		if got.Load() && gaveUp.Load() {
			loom.Failf("OneOutcome", "both a result and a timeout")
		}
	})
}

func TestFailNow(t *testing.T) {
	t.Run("in a subtest", func(t *testing.T) {
		loom.Check(t, func() {}) // takes the first token
		loom.Check(t, func() {
			var x atomic.Uint64
			loom.Go(func() { x.Store(1<<32 | 7) })
			loom.Go(func() {
				if x.Load() != 0 {
					t.FailNow()
				}
			})
		})
	})
}
