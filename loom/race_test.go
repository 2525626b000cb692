//go:build loom

package loom_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/cell"
	"github.com/filch-sched/filch/loom/sync"
	"github.com/filch-sched/filch/loom/time"
)

// world is what the programs below share.
type world struct {
	c     cell.Cell[int]
	x, y  atomic.Int32
	p     atomic.Pointer[int]
	mu    sync.Mutex
	rw    sync.RWMutex
	cond  *sync.Cond
	group sync.WaitGroup
	once  sync.Once
}

// orders are programs in which something orders a store to the cell, in one
// thread, before a load or store of it in another.
var orders = map[string]func(w *world) []func(){
	"spawn": func(w *world) []func() { w.c.Store(1); return []func(){func() { w.c.Store(2) }} },
	"join": func(w *world) []func() {
		loom.Go(func() { w.c.Store(1) }).Join()
		w.c.Store(2)
		return nil
	},
	"both load": func(w *world) []func() { f := func() { w.c.Load() }; return []func(){f, f} },
	"store, load that sees it": func(w *world) []func() {
		return []func(){func() { w.c.Store(1); w.x.Store(1) }, func() {
			if w.x.Load() == 1 {
				w.c.Store(2)
			}
		}}
	},
	"store, compare-and-swap that sees it, load that sees that": func(w *world) []func() {
		return []func(){func() { w.c.Store(1); w.x.Store(1) }, func() { w.x.CompareAndSwap(1, 2) }, func() {
			if w.x.Load() == 2 {
				w.c.Store(2)
			}
		}}
	},
	"store, failed compare-and-swap that sees it": func(w *world) []func() {
		return []func(){func() { w.c.Store(1); w.x.Store(1) }, func() {
			if !w.x.CompareAndSwap(0, 5) {
				w.c.Store(2)
			}
		}}
	},
	"add, add that sees it": func(w *world) []func() {
		f := func() {
			if w.x.Add(1) == 2 {
				w.c.Load()
			} else {
				w.c.Store(1)
				w.x.Add(10)
			}
		}
		return []func(){f, func() {
			if w.x.Load() >= 11 {
				w.c.Store(3)
			}
		}}
	},
	"pointer": func(w *world) []func() {
		return []func(){func() { w.c.Store(1); w.p.Store(new(int)) }, func() {
			if w.p.Load() != nil {
				w.c.Store(2)
			}
		}}
	},
	"mutex": func(w *world) []func() {
		f := func() { w.mu.Lock(); w.c.Store(1); w.mu.Unlock() }
		return []func(){f, f}
	},
	"mutex taken by TryLock": func(w *world) []func() {
		f := func() {
			if w.mu.TryLock() {
				w.c.Store(1)
				w.mu.Unlock()
			}
		}
		return []func(){f, f}
	},
	"write lock, read lock": func(w *world) []func() {
		f := func() { w.rw.RLock(); w.c.Load(); w.rw.RUnlock() }
		return []func(){func() { w.rw.Lock(); w.c.Store(1); w.rw.Unlock() }, f, f}
	},
	"signal": func(w *world) []func() {
		return []func(){func() {
			w.mu.Lock()
			for w.y.Load() == 0 {
				w.cond.Wait()
			}
			w.mu.Unlock()
			w.c.Store(2)
		}, func() {
			w.c.Store(1)
			w.mu.Lock()
			w.y.Store(1)
			w.mu.Unlock()
			w.cond.Signal()
		}}
	},
	"signal alone":    func(w *world) []func() { return alone(w, func() { w.cond.Signal() }) },
	"broadcast alone": func(w *world) []func() { return alone(w, func() { w.cond.Broadcast() }) },
	"stored timer": func(w *world) []func() {
		t := time.AfterFunc(1, func() { w.c.Store(2) })
		if t.Stop() {
			w.c.Store(1)
			t.Reset(1)
		}
		return nil
	},
	"read lock, write lock": func(w *world) []func() {
		return []func(){func() { w.rw.RLock(); w.c.Load(); w.rw.RUnlock() }, func() { w.rw.Lock(); w.c.Store(1); w.rw.Unlock() }}
	},
	"Done, Wait": func(w *world) []func() {
		w.group.Add(1)
		return []func(){func() { w.c.Store(1); w.group.Done() }, func() { w.group.Wait(); w.c.Store(2) }}
	},
	"once": func(w *world) []func() {
		f := func() { w.once.Do(func() { w.c.Store(1) }); w.c.Load() }
		return []func(){f, f}
	},
	"timer": func(w *world) []func() {
		w.c.Store(1)
		time.AfterFunc(time.Duration(1), func() { w.c.Store(2) })
		return nil
	},
}

// alone are a thread that waits and one that wakes it after it has given back the
// lock, so that nothing but the wake-up orders the two.
func alone(w *world, wake func()) []func() {
	return []func(){func() {
		w.mu.Lock()
		w.y.Store(1)
		w.cond.Wait()
		w.mu.Unlock()
		w.c.Store(2)
	}, func() {
		for w.y.Load() == 0 {
			loom.Yield()
		}
		w.mu.Lock()
		w.mu.Unlock()
		w.c.Store(1)
		wake()
	}}
}

// races are programs in which nothing does.
var races = map[string]func(w *world) []func(){
	"nothing":        func(w *world) []func() { f := func() { w.c.Store(1) }; return []func(){f, f} },
	"load and store": func(w *world) []func() { return []func(){func() { w.c.Load() }, func() { w.c.Store(1) }} },
	"parent goes on": func(w *world) []func() {
		loom.Go(func() { w.c.Store(1) })
		w.c.Store(2)
		return nil
	},
	"the clock is that of the access, not of the sync before it (tokio-rs/loom#119)": func(w *world) []func() {
		return []func(){func() { w.x.Store(1); w.c.Store(1) }, func() {
			if w.x.Load() == 1 {
				w.c.Load()
			}
		}}
	},
	"two stores to one word order nothing": func(w *world) []func() {
		return []func(){func() { w.c.Store(1); w.x.Store(1) }, func() { w.x.Store(2); w.c.Store(2) }}
	},
	"a load and a later store order nothing": func(w *world) []func() {
		return []func(){func() { w.c.Store(1); w.x.Load() }, func() { w.x.Store(2); w.c.Store(2) }}
	},
	"a load that sees another's store": func(w *world) []func() {
		return []func(){func() { w.c.Store(1); w.x.Store(1) }, func() { w.x.Store(2) }, func() {
			if w.x.Load() == 2 {
				w.c.Store(2)
			}
		}}
	},
	"a store on top of the store": func(w *world) []func() {
		return []func(){func() { w.c.Store(1); w.x.Store(1) }, func() { w.x.Store(w.x.Load() * 0) }, func() {
			if w.x.Load() == 0 {
				w.c.Store(2)
			}
		}}
	},
	"failed TryLock": func(w *world) []func() {
		return []func(){func() { w.c.Store(1); w.mu.Lock(); w.mu.Unlock() }, func() {
			if !w.mu.TryLock() {
				w.c.Store(2)
			}
		}}
	},
	"readers with each other": func(w *world) []func() {
		f := func() { w.rw.RLock(); w.c.Store(1); w.rw.RUnlock() }
		return []func(){f, f}
	},
	"signal that comes too early": func(w *world) []func() {
		return []func(){func() { w.mu.Lock(); w.c.Load(); w.cond.Wait(); w.mu.Unlock() },
			func() { w.cond.Signal(); w.c.Store(1); w.cond.Signal() }}
	},
	"Done with Done": func(w *world) []func() {
		w.group.Add(2)
		f := func() { w.c.Store(1); w.group.Done() }
		return []func(){f, f}
	},
	"Call and Return order nothing": func(w *world) []func() {
		f := func() { loom.Call(); w.c.Store(1); loom.Return() }
		return []func(){f, f}
	},
	"timer with the thread that made it": func(w *world) []func() {
		time.AfterFunc(time.Duration(1), func() { w.c.Store(2) })
		w.c.Store(1)
		return nil
	},
}

func TestNoRace(t *testing.T) {
	for name, p := range orders {
		t.Run(name, func(t *testing.T) { holds(t, inWorld(p)) })
	}
}

func TestRace(t *testing.T) {
	for name, p := range races {
		t.Run(name, func(t *testing.T) {
			v := violation(t, inWorld(p), loom.Deadlock("unexpected"))
			require.Equal(t, loom.ClaimRace, v.Claim)
			require.Regexp(t, `a (store|load) by .* at race_test\.go:\d+ and a (store|load) by .* at race_test\.go:\d+ of cell ?#0`, v.Message)
		})
	}
}

func inWorld(p func(w *world) []func()) func() {
	return func() {
		w := &world{}
		w.cond = sync.NewCond(&w.mu)
		all(p(w)...)
	}
}

// TestRacingTraces counts the traces that race. That the race is found at all is
// not enough: most programs have a trace in which nothing could hide it.
func TestRacingTraces(t *testing.T) {
	tests := []struct {
		name           string
		traces, racing int
		body           func(c *cell.Cell[int], x *atomic.Int32)
	}{
		{"two stores to one word order nothing, in either order", 2, 2, func(c *cell.Cell[int], x *atomic.Int32) {
			all(func() { c.Store(1); x.Store(1) }, func() { x.Store(2); c.Store(2) })
		}},
		{"a load orders itself before nothing", 2, 2, func(c *cell.Cell[int], x *atomic.Int32) {
			all(func() { c.Store(1); x.Load() }, func() { x.Store(2); c.Store(2) })
		}},
		// Of the 6 orders of two stores and a load, the load sees 2 in
		// store-2 load store-1 and in store-1 store-2 load. In the second the
		// store of 2 has replaced what the word knew.
		{"a load that sees another's store learns nothing of the store before", 6, 2, func(c *cell.Cell[int], x *atomic.Int32) {
			all(func() { c.Store(1); x.Store(1) }, func() { x.Store(2) }, func() {
				if x.Load() == 2 {
					c.Store(2)
				}
			})
		}},
		// With an addition instead, the load sees 3 only after both.
		{"a load that sees a read-modify-write learns all before it", 6, 0, func(c *cell.Cell[int], x *atomic.Int32) {
			all(func() { c.Store(1); x.Add(1) }, func() { x.Add(2) }, func() {
				if x.Load() == 3 {
					c.Store(2)
				}
			})
		}},
		{"the load of 1 is ordered, the load of 0 is not", 2, 1, func(c *cell.Cell[int], x *atomic.Int32) {
			all(func() { c.Store(1); x.Store(1) }, func() { x.Load(); c.Load() })
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, err := loom.Explore(func() {
				var c cell.Cell[int]
				var x atomic.Int32
				tt.body(&c, &x)
			}, loom.KeepGoing())
			require.Equal(t, tt.racing > 0, err != nil)
			require.True(t, r.Exhausted)
			require.Equal(t, tt.traces, r.Traces)
			require.Equal(t, tt.racing, r.Races)
		})
	}
}
