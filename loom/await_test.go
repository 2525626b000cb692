//go:build loom

package loom_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/cell"
	"github.com/filch-sched/filch/loom/sync"
	"github.com/filch-sched/filch/loom/time"
)

// shop is what the waiting loops below share.
type shop struct {
	x, y  atomic.Int32
	p     atomic.Pointer[int]
	v     atomic.Value
	plain uint64
	mu    sync.Mutex
	rw    sync.RWMutex
	cond  *sync.Cond
	group sync.WaitGroup
	c     cell.Cell[int]
}

// waits are loops that wait for what another thread does. Each must end in every
// execution, and explored it must be seen to.
var waits = map[string]struct{ wait, then func(s *shop) }{
	"load": {func(s *shop) {
		for s.x.Load() == 0 {
			loom.Yield()
		}
	}, func(s *shop) { s.x.Store(1) }},
	"compare and swap": {func(s *shop) {
		for !s.x.CompareAndSwap(1, 2) {
			loom.Yield()
		}
	}, func(s *shop) { s.x.Store(1) }},
	"pointer": {func(s *shop) {
		for s.p.Load() == nil {
			loom.Yield()
		}
	}, func(s *shop) { s.p.Store(new(int)) }},
	"Value": {func(s *shop) {
		for s.v.Load() == nil {
			loom.Yield()
		}
	}, func(s *shop) { s.v.Store([]int{1}) }},
	"function form": {func(s *shop) {
		for atomic.LoadUint64(&s.plain) == 0 {
			loom.Yield()
		}
	}, func(s *shop) { atomic.AddUint64(&s.plain, 1) }},
	"either of two words": {func(s *shop) {
		for s.x.Load()+s.y.Load() == 0 {
			loom.Yield()
		}
	}, func(s *shop) { s.y.Store(1) }},
	"the word looked at first": {func(s *shop) {
		for s.x.Load() == 0 {
			s.y.Load()
			loom.Yield()
		}
	}, func(s *shop) { s.x.Store(1) }},
	"a store of the same value": {func(s *shop) {
		for s.x.Load() == 0 {
			s.y.Store(0)
			s.y.Swap(0)
			s.y.Add(0)
			s.y.And(0)
			s.y.Or(0)
			s.y.CompareAndSwap(0, 0)
			loom.Yield()
		}
	}, func(s *shop) { s.x.Store(1) }},
	"TryLock": {func(s *shop) {
		for !s.mu.TryLock() {
			loom.Yield()
		}
		s.mu.Unlock()
	}, func(s *shop) { s.mu.Lock(); s.x.Load(); s.mu.Unlock() }},
	"TryRLock": {func(s *shop) {
		for !s.rw.TryRLock() {
			loom.Yield()
		}
		s.rw.RUnlock()
	}, func(s *shop) { s.rw.Lock(); s.x.Load(); s.rw.Unlock() }},
	"TryLock against readers": {func(s *shop) {
		for !s.rw.TryLock() {
			loom.Yield()
		}
		s.rw.Unlock()
	}, func(s *shop) { s.rw.RLock(); s.x.Load(); s.rw.RUnlock() }},
	"a cell under a lock": {func(s *shop) {
		for {
			s.mu.Lock()
			done := s.c.Load() == 1
			if s.mu.Unlock(); done {
				return
			}
			loom.Yield()
		}
	}, func(s *shop) { s.mu.Lock(); s.c.Store(1); s.mu.Unlock() }},
	"a cell under a read lock": {func(s *shop) {
		for {
			s.rw.RLock()
			done := s.c.Load() == 1
			if s.rw.RUnlock(); done {
				return
			}
			loom.Yield()
		}
	}, func(s *shop) { s.rw.Lock(); s.c.Store(1); s.rw.Unlock() }},
	"a lock taken before the loop": {func(s *shop) {
		s.mu.Lock()
		for s.x.Load() == 0 {
			loom.Yield()
		}
		s.mu.Unlock()
	}, func(s *shop) { s.x.Store(1) }},
	"a ticket drawn before the loop": {func(s *shop) {
		for mine := s.y.Add(1); s.x.Load() != mine; {
			loom.Yield()
		}
	}, func(s *shop) { s.x.Store(1) }},
	"a timer": {func(s *shop) {
		time.AfterFunc(1, func() { s.y.Store(1) })
		for s.y.Load() == 0 {
			loom.Yield()
		}
	}, func(*shop) {}},
	"a waiter to signal": {func(s *shop) {
		for s.x.Load() == 0 {
			s.cond.Signal()
			loom.Yield()
		}
	}, func(s *shop) { s.mu.Lock(); s.cond.Wait(); s.mu.Unlock(); s.x.Store(1) }},
	"a WaitGroup that is up again": {func(s *shop) {
		for s.x.Load() == 0 {
			s.group.Wait()
			loom.Yield()
		}
	}, func(s *shop) { s.x.Store(1) }},
}

func open(f func(s *shop)) func() {
	return func() {
		s := &shop{}
		s.cond = sync.NewCond(&s.mu)
		f(s)
	}
}

// TestYieldWaitsForAChange: a loop that waits has an end in every execution, and
// goes round no more often than there are changes to see.
func TestYieldWaitsForAChange(t *testing.T) {
	for name, w := range waits {
		t.Run(name, func(t *testing.T) {
			r := holds(t, open(func(s *shop) {
				loom.Go(func() { w.then(s) })
				w.wait(s)
			}), loom.MaxSteps(200))
			require.Greater(t, r.Traces, 1)
			require.Less(t, r.MaxDepth, 30)
		})
	}
}

// TestYieldWithoutAChangeIsALivelock: what the loop waits for never comes.
func TestYieldWithoutAChangeIsALivelock(t *testing.T) {
	for name, w := range waits {
		if name == "a timer" || name == "TryLock" || name == "TryRLock" || name == "TryLock against readers" {
			continue // comes in any case
		}
		t.Run(name, func(t *testing.T) {
			v := violation(t, open(func(s *shop) {
				loom.Go(func() { s.y.Load() }).Join()
				w.wait(s)
			}), loom.MaxSteps(200))
			require.Equal(t, loom.ClaimLivelock, v.Claim)
			require.Regexp(t, `body waits in Yield at await_test\.go:\d+ for a change of \w+#\d+ .*looked at in await_test\.go:\d+`, v.Message)
		})
	}
}

func TestLivelockOption(t *testing.T) {
	v := violation(t, open(func(s *shop) {
		loom.Go(func() { s.mu.Lock(); s.mu.Lock() })
		for s.x.Load() == 0 {
			loom.Yield()
		}
	}), loom.Livelock("NoIdleSpin"), loom.Deadlock("Other"))
	require.Equal(t, "NoIdleSpin", v.Claim)
	require.Contains(t, v.Message, "thread 1 waits in Lock of mutex")
	require.Contains(t, v.Message, "body waits in Yield")
	r, err := loom.Explore(func() {
		var x atomic.Int32
		for x.Load() == 0 {
			loom.Yield()
		}
	}, loom.KeepGoing())
	require.Error(t, err)
	require.Equal(t, 1, r.Deadlocks)
}

// visible are loops whose every round others can see: Yield does not wait there,
// or it would hide what they do, and only MaxSteps ends them.
var visible = map[string]func(s *shop){
	"a write":                       func(s *shop) { s.y.Add(1) },
	"two writes that undo another":  func(s *shop) { s.y.Store(1); s.y.Store(0) },
	"a compare and swap":            func(s *shop) { s.y.CompareAndSwap(0, 1); s.y.CompareAndSwap(1, 0) },
	"a cell":                        func(s *shop) { s.c.Store(1) },
	"a choice":                      func(*shop) { loom.Choose(1) },
	"stamps":                        func(*shop) { loom.Call(); loom.Return() },
	"a counter up and down":         func(s *shop) { s.group.Add(1); s.group.Done() },
	"a write before another Yield":  func(s *shop) { s.y.Add(1); loom.Yield(); s.x.Load() },
	"a lock given back for a while": func(s *shop) { s.mu.Unlock(); s.mu.Lock() },
	"a timer":                       func(*shop) { time.AfterFunc(1, func() {}).Stop() },
}

func TestYieldDoesNotWaitAfterATrace(t *testing.T) {
	for name, f := range visible {
		t.Run(name, func(t *testing.T) {
			_, err := loom.Explore(open(func(s *shop) {
				s.mu.Lock()
				for s.x.Load() == 0 {
					f(s)
					loom.Yield()
				}
			}), loom.MaxSteps(50))
			require.ErrorContains(t, err, "50")
			if name != "a timer" { // of which no more than 64 can be made
				require.Regexp(t, "Yield, which does not wait|more than 50 calls of Choose and Yield", err.Error())
			}
		})
	}
}

// TestYieldAfterAFailedAttempt: locks that are taken in every round are seen by
// those that fail to take them, here the first, the second and again the first:
// that takes two rounds.
func TestYieldAfterAFailedAttempt(t *testing.T) {
	lock := func(rw *sync.RWMutex) { rw.Lock(); rw.Unlock() }
	for name, f := range map[string]struct {
		take func(rw *sync.RWMutex)
		try  func(rw *sync.RWMutex) bool
	}{
		"Lock, TryLock":    {lock, (*sync.RWMutex).TryLock},
		"RLock, TryLock":   {func(rw *sync.RWMutex) { rw.RLock(); rw.RUnlock() }, (*sync.RWMutex).TryLock},
		"Lock, TryRLock":   {lock, (*sync.RWMutex).TryRLock},
		"TryLock, TryLock": {func(rw *sync.RWMutex) { rw.TryLock(); rw.Unlock() }, (*sync.RWMutex).TryLock},
	} {
		t.Run(name, func(t *testing.T) {
			seen := false
			_, err := loom.Explore(func() {
				var x atomic.Int32
				var a, b sync.RWMutex
				loom.Go(func() {
					for x.Load() == 0 {
						f.take(&a)
						f.take(&b)
						loom.Yield()
					}
				})
				seen = !f.try(&a) && !f.try(&b) && !f.try(&a) || seen
			}, loom.KeepGoing())
			require.Error(t, err, "it deadlocks, too")
			require.True(t, seen)
		})
	}
}

// TestYieldOrdersNothing: it is no synchronization.
func TestYieldOrdersNothing(t *testing.T) {
	v := violation(t, open(func(s *shop) {
		loom.Go(func() { s.c.Store(1); s.x.Store(1) })
		for range 2 { // at first it does not wait, and begins a round
			s.x.Load()
			loom.Yield()
		}
		s.c.Load()
	}))
	require.Equal(t, loom.ClaimRace, v.Claim)
}

// TestYieldWithoutALookDoesNotWait: nothing could end that.
func TestYieldWithoutALookDoesNotWait(t *testing.T) {
	holds(t, func() { loom.Yield(); loom.Yield() })
	_, err := loom.Explore(func() {
		for {
			loom.Yield()
		}
	}, loom.MaxSteps(1000))
	require.ErrorContains(t, err, "more than 1000 calls of Choose and Yield in one execution; body loops at await_test.go:")
}

// TestYieldSeesTheFirstOfTwoChanges: whichever of two words changes first.
func TestYieldSeesTheFirstOfTwoChanges(t *testing.T) {
	saw := outcomes(t, func(saw func(string)) {
		s := &shop{}
		all(func() { s.x.Store(1) }, func() { s.y.Store(1) })
		for {
			x, y := s.x.Load(), s.y.Load()
			if x+y > 0 {
				saw(fmt.Sprint(x, y))
				return
			}
			loom.Yield()
		}
	})
	require.Equal(t, []string{"0 1", "1 0", "1 1"}, saw)
}

// TestRaceOption: a race on a cell violates the claim that the caller names.
func TestRaceOption(t *testing.T) {
	v := violation(t, open(func(s *shop) {
		loom.Go(func() { s.c.Store(1) })
		s.c.Load()
	}), loom.Race("NoSlotRace"))
	require.Equal(t, "NoSlotRace", v.Claim)
	require.Equal(t, "DataRace", loom.ClaimRace)
}
