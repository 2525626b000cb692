//go:build loom

package loom_test

import (
	"fmt"
	"testing"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/sync"
	"github.com/stretchr/testify/require"
)

// disputed are bodies that violate something only in some orders of additions to
// a counter, which commute in all others.
var disputed = map[string]func(){
	"Done may come first": func() {
		var g sync.WaitGroup
		loom.Go(func() { g.Add(1) })
		loom.Go(func() { g.Done() })
		loom.Go(func() { g.Add(1) })
	},
	"Done may come first, and the program recovers": func() {
		var g sync.WaitGroup
		loom.Go(func() { g.Add(1) })
		loom.Go(func() {
			defer func() {
				if recover() != nil {
					loom.Failf("Negative", "Done came first")
				}
			}()
			g.Done()
		})
		loom.Go(func() { g.Add(1) })
	},
	"one of two Dones is one too many": func() {
		var g sync.WaitGroup
		g.Add(2)
		loom.Go(func() { g.Add(1); g.Add(-2) })
		loom.Go(func() { g.Add(-2) })
	},
	"RUnlock may come first": func() {
		var rw sync.RWMutex
		loom.Go(func() { rw.RLock() })
		loom.Go(func() { rw.RUnlock() })
		loom.Go(func() { rw.RLock() })
	},
	"RUnlock of what TryRLock may not have taken": func() {
		var rw sync.RWMutex
		loom.Go(func() { rw.TryRLock() })
		loom.Go(func() { rw.RLock() })
		loom.Go(func() { rw.RUnlock() })
	},
	"an Add begins the round that a Wait does not know of": func() {
		var g sync.WaitGroup
		var f atomic.Int32
		a := loom.Go(func() { g.Add(1); f.Store(1) })
		b := loom.Go(func() { g.Add(1) })
		if f.Load() == 1 {
			loom.Go(func() { g.Wait() })
		}
		a.Join()
		b.Join()
		g.Add(-2)
	},
	"a Wait between Done and Adds": waitAmong(4),
}

// waitAmong returns a body in which a Wait may come between Done and n Adds.
func waitAmong(n int) func() {
	return func() {
		var g sync.WaitGroup
		g.Add(1)
		var ts []*loom.Thread
		for range n {
			ts = append(ts, loom.Go(func() { g.Add(1) }))
		}
		ts = append(ts, loom.Go(func() { g.Done() }))
		loom.Go(func() { g.Wait() })
		for _, t := range ts {
			t.Join()
		}
		g.Add(-n)
	}
}

// All orders of so many additions would take too long: executions are drawn first.
func TestManyDisputedAdditions(t *testing.T) {
	_, err := loom.Explore(waitAmong(12))
	var v *loom.Violation
	require.ErrorAs(t, err, &v)
}

func TestDisputedCountersAreFound(t *testing.T) {
	for name, body := range disputed {
		for _, algorithm := range []string{"optimal", "sleep"} {
			t.Run(name+", "+algorithm, func(t *testing.T) {
				_, err := loom.Explore(body, loom.Algorithm(algorithm))
				var v *loom.Violation
				require.ErrorAs(t, err, &v)
				_, err = loom.Explore(body, loom.Replay(v.Token))
				var again *loom.Violation
				require.ErrorAs(t, err, &again)
				require.Equal(t, v.Claim, again.Claim)
			})
		}
		t.Run(name+", bounded", func(t *testing.T) {
			_, err := loom.Explore(body, loom.Preemptions(2))
			var v *loom.Violation
			require.ErrorAs(t, err, &v)
		})
	}
}

// The shares of such a body are not found to be clean either.
func TestDisputedCountersHaveNoShares(t *testing.T) {
	bad := 0
	for i := 1; i <= 3; i++ {
		if _, err := loom.Explore(disputed["Done may come first"], loom.Shard(i, 3)); err != nil {
			bad++
		}
	}
	require.NotZero(t, bad)
	_, err := loom.Explore(func() {
		var g sync.WaitGroup
		g.Add(1)
		loom.Go(func() { g.Add(1) })
		loom.Go(func() { g.Wait() })
		g.Add(-1)
	}, loom.KeepGoing(), loom.Shard(1, 1))
	require.ErrorContains(t, err, "only as a whole")
}

// taken: the body takes units of the first thread, which the third can have alone, who
// comes last.
func taken() {
	var g sync.WaitGroup
	times := func(f func()) func() { return func() { f(); f(); f() } }
	a := loom.Go(times(func() { g.Add(1) }))
	b := loom.Go(times(func() { g.Add(1) }))
	a.Join()
	loom.Go(func() {
		loom.Yield()
		times(g.Done)()
	})
	b.Join()
	times(g.Done)()
}

// In bodies that use counters as they are meant to, additions commute.
func TestAdditionsCommute(t *testing.T) {
	for name, c := range map[string]struct {
		traces int
		body   func()
	}{
		"workers": {1, func() {
			var g sync.WaitGroup
			for range 4 {
				g.Add(1)
				loom.Go(func() { g.Done() })
			}
			g.Wait()
		}},
		"a task adds another": {1, func() {
			var g sync.WaitGroup
			g.Add(2)
			for range 2 {
				loom.Go(func() {
					g.Add(1)
					loom.Go(g.Done)
					g.Done()
				})
			}
			g.Wait()
		}},
		"readers": {1, func() {
			var rw sync.RWMutex
			for range 4 {
				loom.Go(func() { rw.RLock(); rw.RUnlock() })
			}
		}},
		"another unlocks": {1, func() {
			var rw sync.RWMutex
			for range 3 {
				rw.RLock()
				loom.Go(rw.RUnlock)
			}
		}},
		"one who could take either unit leaves that which another needs": {1, func() {
			var g sync.WaitGroup
			var x atomic.Int32
			g.Add(1)
			loom.Go(func() {
				loom.Go(func() { g.Add(1) }).Join()
				g.Done()
			})
			x.Store(1) // the threads so far come before the next
			loom.Go(g.Done)
		}},
		"one who has taken a unit gives it to another who can have no other": {1, taken},
		"a unit that is handed round": {1, func() {
			var g sync.WaitGroup
			g.Add(1)
			a := loom.Go(func() { g.Add(3) })
			a.Join()
			loom.Go(func() { g.Add(-2) })
			loom.Go(func() { g.Add(-2) })
			g.Wait()
		}},
	} {
		for _, algorithm := range []string{"optimal", "sleep"} {
			t.Run(name+", "+algorithm, func(t *testing.T) {
				r := loom.Check(t, c.body, loom.Algorithm(algorithm))
				require.True(t, r.Exhausted)
				require.Equal(t, c.traces, r.Traces)
			})
		}
	}
}

// With more than one violation counted, both searches count the same.
func TestDisputedCountersAreCountedAlike(t *testing.T) {
	for name, body := range disputed {
		var all []string
		for _, algorithm := range []string{"optimal", "sleep"} {
			r, err := loom.Explore(body, loom.Algorithm(algorithm), loom.KeepGoing())
			var v *loom.Violation
			require.ErrorAs(t, err, &v, name)
			all = append(all, fmt.Sprint(r.Traces, r.Failures, r.Races, r.Deadlocks))
		}
		require.Equal(t, all[0], all[1], name)
	}
}
