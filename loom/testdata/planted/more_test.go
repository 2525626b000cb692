package planted

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/cell"
	"github.com/filch-sched/filch/loom/sync"
)

func TestLivelock(t *testing.T) {
	loom.Check(t, func() {
		var ready, stop atomic.Bool
		loom.Go(func() {
			for !ready.Load() && !stop.Load() {
				loom.Yield()
			}
		})
		loom.Go(func() {
			if !ready.CompareAndSwap(false, true) || stop.Load() {
				return
			}
			ready.Store(false) // wrong: takes back what the other waits for
		})
	})
}

func TestGoexit(t *testing.T) {
	loom.Check(t, func() {
		var x atomic.Int32
		loom.Go(func() { x.Store(1) })
		if x.Load() == 1 {
			runtime.Goexit()
		}
	})
}

func TestReaderUpgrades(t *testing.T) {
	loom.Check(t, func() {
		var mu sync.RWMutex
		upgrade := func() {
			mu.RLock()
			defer mu.RUnlock()
			mu.Lock() // wrong: waits for itself
			mu.Unlock()
		}
		loom.Go(upgrade).Join()
	}, loom.Deadlock("NoSelfDeadlock"))
}

func TestEndsWithTheLock(t *testing.T) {
	loom.Check(t, func() {
		var mu sync.Mutex
		var n atomic.Int32
		loom.Go(func() {
			mu.Lock()
			if n.Load() > 0 {
				return // wrong: keeps the lock
			}
			mu.Unlock()
		})
		n.Add(1)
		mu.Lock()
		mu.Unlock()
	})
}

func TestSignalTooEarly(t *testing.T) {
	loom.Check(t, func() {
		var mu sync.Mutex
		c := sync.NewCond(&mu)
		waiter := loom.Go(func() {
			mu.Lock()
			c.Wait() // wrong: looks at nothing first
			mu.Unlock()
		})
		c.Signal()
		waiter.Join()
	}, loom.Deadlock("NoLostWakeup"))
}

func TestChoice(t *testing.T) {
	loom.Check(t, func() {
		n := loom.Choose(5)
		if m := loom.Choose(3); n == 3 && m == 2 {
			panic(fmt.Sprintf("chose %d and %d", n, m))
		}
	})
}

// queue is a ring with the names of its fields in the report.
type queue struct {
	head, tail atomic.Uint32
	slots      [2]cell.Cell[string]
}

func TestNames(t *testing.T) {
	loom.Check(t, func() {
		q := &queue{}
		loom.Name(q, "queue")
		loom.Go(func() {
			q.tail.Add(1) // wrong: before the slot is written
			q.slots[0].Store("task")
		})
		if q.tail.Load() > q.head.Load() {
			q.slots[0].Load()
		}
	}, loom.Race("NoSlotRace"))
}

func TestFiveThreads(t *testing.T) {
	loom.Check(t, func() {
		var sum, done atomic.Int64
		var mu sync.Mutex
		work := func() {
			for range 6 {
				mu.Lock()
				sum.Store(sum.Load() + 1)
				mu.Unlock()
			}
			if done.Add(1) == 5 && sum.Load() == 30 {
				loom.Failf("Planted", "all five have worked")
			}
		}
		for range 5 {
			loom.Go(work)
		}
	})
}

func TestSampled(t *testing.T) {
	loom.Check(t, func() {
		var x atomic.Int32
		loom.Go(func() { x.Add(1); x.Add(1) })
		loom.Go(func() { x.Add(10); x.Add(10) })
		if x.Load() == 22 {
			loom.Failf("Planted", "all was added")
		}
	}, loom.Algorithm("urw"), loom.Seed(1))
}

// explored hands the error of an Explore to t.
func explored(t *testing.T, when int32) {
	_, err := loom.Explore(func() {
		var x atomic.Int32
		loom.Go(func() { x.Add(1) })
		loom.Go(func() { x.Add(1) })
		if x.Load() == when {
			loom.Failf("Planted", "it is %d", when)
		}
	})
	if err != nil {
		t.Error(err)
	}
}

func TestExplore(t *testing.T) {
	loom.Check(t, func() {}) // is nothing that a replay of an Explore would have to skip
	explored(t, 7)
	explored(t, 2)
}

func TestExploreInSubtests(t *testing.T) {
	for _, n := range []int32{5, 6, 1} {
		t.Run(fmt.Sprint(n), func(t *testing.T) { explored(t, n) })
	}
}

func TestOddNames(t *testing.T) {
	for _, name := range []string{`it's "odd"`, "a/b//c", "[x](y){z}", "100% $HOME `id` \\n", "ümlaut\t|&;<>*?!#~", "", "", "^a$"} {
		t.Run(name, func(t *testing.T) {
			loom.Check(t, func() {
				var x atomic.Int32
				loom.Go(func() { x.Store(1) })
				if x.Load() == 1 {
					loom.Failf("Planted", "on purpose")
				}
			})
		})
	}
}

func TestTalkative(t *testing.T) {
	loom.Check(t, func() {
		var x atomic.Int32
		loom.Go(func() {
			x.Store(1)
			t.Log("thread 1 has stored")
		})
		if x.Load() == 1 {
			t.Log("the body has seen it")
			panic("seen")
		}
	})
}
