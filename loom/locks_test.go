//go:build loom

package loom_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/sync"
)

// section is a critical section that knows how many are inside.
type section struct{ readers, writers int }

func (s *section) enter(write bool) {
	if write {
		s.writers++
	} else {
		s.readers++
	}
	if s.writers > 1 || s.writers == 1 && s.readers > 0 {
		loom.Failf("Exclusion", "%+v", *s)
	}
}

func (s *section) leave(write bool) {
	if write {
		s.writers--
	} else {
		s.readers--
	}
}

// TestExclusion: a lock keeps others out while it is held (awslabs/shuttle#170:
// a checker's own lock did not).
func TestExclusion(t *testing.T) {
	locks := map[string]func(mu *sync.Mutex, rw *sync.RWMutex) (l sync.Locker, write bool, try func() bool){
		"Mutex": func(mu *sync.Mutex, _ *sync.RWMutex) (sync.Locker, bool, func() bool) { return mu, true, mu.TryLock },
		"write": func(_ *sync.Mutex, rw *sync.RWMutex) (sync.Locker, bool, func() bool) { return rw, true, rw.TryLock },
		"read": func(_ *sync.Mutex, rw *sync.RWMutex) (sync.Locker, bool, func() bool) {
			return rw.RLocker(), false, rw.TryRLock
		},
	}
	for first, f := range locks {
		for second, g := range locks {
			if (first == "Mutex") != (second == "Mutex") {
				continue
			}
			t.Run(first+"-"+second, func(t *testing.T) {
				holdsBoth(t, func() {
					var mu sync.Mutex
					var rw sync.RWMutex
					var in section
					var word atomic.Int32 // a step inside the section
					for _, kind := range []func(*sync.Mutex, *sync.RWMutex) (sync.Locker, bool, func() bool){f, g} {
						l, write, try := kind(&mu, &rw)
						inside := func() { in.enter(write); word.Load(); in.leave(write); l.Unlock() }
						loom.Go(func() {
							l.Lock()
							inside()
							if try() {
								inside()
							}
						})
					}
				})
			})
		}
	}
}

func TestReadersShare(t *testing.T) {
	saw := outcomes(t, func(saw func(string)) {
		var rw sync.RWMutex
		var in atomic.Int32
		read := func() {
			rw.RLock()
			saw(fmt.Sprint(in.Add(1)))
			in.Add(-1)
			rw.RUnlock()
		}
		all(read, read)
	})
	require.Equal(t, []string{"1", "2"}, saw)
}

// TestWaitingWriterKeepsReadersOut is why a read lock must not be taken twice.
func TestWaitingWriterKeepsReadersOut(t *testing.T) {
	v := violation(t, func() {
		var rw sync.RWMutex
		all(func() { rw.RLock(); rw.RLock(); rw.RUnlock(); rw.RUnlock() }, func() { rw.Lock(); rw.Unlock() })
	})
	require.Equal(t, loom.ClaimDeadlock, v.Claim)
	require.Contains(t, v.Message, "RLock of rwmutex")
}

func TestTryLockIsTriedBothWays(t *testing.T) {
	saw := outcomes(t, func(saw func(string)) {
		var mu sync.Mutex
		all(func() { mu.Lock(); mu.Unlock() }, func() {
			ok := mu.TryLock()
			saw(fmt.Sprint(ok))
			if ok {
				mu.Unlock()
			}
		})
	})
	require.Equal(t, []string{"false", "true"}, saw)
}

// TestUnlockOfUnlocked: what ends the program in package sync ends the execution,
// and cannot be recovered.
func TestUnlockOfUnlocked(t *testing.T) {
	type locks struct {
		mu sync.Mutex
		rw sync.RWMutex
	}
	for name, c := range map[string]struct {
		f    func(l *locks)
		says string
	}{
		"Mutex":        {func(l *locks) { l.mu.Unlock() }, "sync: unlock of unlocked mutex"},
		"twice":        {func(l *locks) { l.mu.Lock(); l.mu.Unlock(); l.mu.Unlock() }, "sync: unlock of unlocked mutex"},
		"RWMutex":      {func(l *locks) { l.rw.Unlock() }, "sync: Unlock of unlocked RWMutex"},
		"read lock":    {func(l *locks) { l.rw.RUnlock() }, "sync: RUnlock of unlocked RWMutex"},
		"only read":    {func(l *locks) { l.rw.RLock(); l.rw.Unlock() }, "sync: Unlock of unlocked RWMutex"},
		"only written": {func(l *locks) { l.rw.Lock(); l.rw.RUnlock() }, "sync: RUnlock of unlocked RWMutex"},
		"RLocker":      {func(l *locks) { l.rw.RLocker().Unlock() }, "sync: RUnlock of unlocked RWMutex"},
		"a writer waits": {func(l *locks) {
			l.rw.RLock()
			loom.Go(l.rw.Lock)
			for l.rw.TryRLock() {
				l.rw.RUnlock()
				loom.Yield()
			}
			l.rw.Unlock()
		}, "sync: Unlock of unlocked RWMutex"},
		"after a TryLock": {func(l *locks) { l.mu.Lock(); l.mu.TryLock(); l.mu.Unlock(); l.mu.Unlock() }, "sync: unlock of unlocked mutex"},
	} {
		t.Run(name, func(t *testing.T) {
			v := violation(t, func() {
				defer func() {
					if recover() != nil {
						loom.Failf("Planted", "recovered")
					}
				}()
				c.f(&locks{})
			})
			require.Equal(t, loom.ClaimPanic, v.Claim)
			require.Contains(t, v.Message, c.says)
		})
	}
}

// TestSignalWithoutWaiterIsNothing: a signal is not remembered (mratsim/weave#56:
// a model in which it was found no deadlock in ten million states).
func TestSignalWithoutWaiterIsNothing(t *testing.T) {
	v := violation(t, func() {
		var mu sync.Mutex
		c := sync.NewCond(&mu)
		c.Signal()
		c.Broadcast()
		mu.Lock()
		c.Wait()
	}, loom.Deadlock("NoLostWakeup"))
	require.Equal(t, "NoLostWakeup", v.Claim)
	require.Contains(t, v.Schedule, "Signal wakes nobody")
}

// TestSignalIsNoToken: a signal wakes one waiter once, and nothing but a signal
// does (tokio-rs/loom#250, where a wait used up another thread's token).
func TestSignalIsNoToken(t *testing.T) {
	body := func(signals int) func() {
		return func() {
			var mu sync.Mutex
			var waiting atomic.Int32
			c := sync.NewCond(&mu)
			wait := func() { mu.Lock(); waiting.Add(1); c.Wait(); mu.Unlock() }
			all(wait, wait)
			loom.Go(func() {
				mu.Lock()
				if waiting.Load() == 2 {
					for range signals {
						c.Signal()
					}
				} else {
					waiting.Store(-100)
					mu.Unlock()
					mu.Lock()
					c.Broadcast()
				}
				mu.Unlock()
			})
		}
	}
	r, err := loom.Explore(body(1), loom.KeepGoing())
	require.Error(t, err)
	one := r.Deadlocks
	r, err = loom.Explore(body(2), loom.KeepGoing())
	require.Error(t, err, "a thread that waits after the broadcast is not woken")
	require.Less(t, r.Deadlocks, one, "two signals wake both of two waiters")
}

func TestSignalWakesAnyWaiter(t *testing.T) {
	saw := outcomes(t, func(saw func(string)) {
		var mu sync.Mutex
		c := sync.NewCond(&mu)
		waiting := 0
		woken := ""
		for i := range 3 {
			loom.Go(func() {
				mu.Lock()
				waiting++
				if waiting < 3 {
					c.Wait()
					woken += fmt.Sprint(i)
					c.Signal()
				} else {
					woken = fmt.Sprint(i) + ":"
					c.Signal()
				}
				if mu.Unlock(); len(woken) == 4 {
					saw(woken)
				}
			})
		}
	})
	require.Equal(t, []string{"0:12", "0:21", "1:02", "1:20", "2:01", "2:10"}, saw)
}

func TestWaitReturnsOnlyWhenSignalled(t *testing.T) {
	r, err := loom.Explore(func() {
		var mu sync.Mutex
		var signalled atomic.Bool
		c := sync.NewCond(&mu)
		entered := false
		all(func() {
			mu.Lock()
			entered = true
			c.Wait()
			if !signalled.Load() {
				loom.Failf("NoSpuriousWakeup", "woken by nobody")
			}
			mu.Unlock()
		}, func() {
			mu.Lock()
			if entered {
				signalled.Store(true)
				c.Signal()
			}
			mu.Unlock()
		})
	}, loom.KeepGoing())
	require.ErrorContains(t, err, loom.ClaimDeadlock, "the signaller may come first")
	require.Zero(t, r.Failures)
	require.Equal(t, 2, r.Traces)
	require.Equal(t, 1, r.Deadlocks)
}

func TestLostWakeup(t *testing.T) {
	v := violation(t, func() {
		var mu sync.Mutex
		var ready atomic.Bool
		c := sync.NewCond(&mu)
		loom.Go(func() {
			mu.Lock()
			for !ready.Load() {
				c.Wait()
			}
			mu.Unlock()
		})
		ready.Store(true) // wrong: without mu, between the check and the Wait
		c.Signal()
	}, loom.Deadlock("NoLostWakeup"))
	require.Equal(t, "NoLostWakeup", v.Claim)
	require.Contains(t, v.Message, "thread 1 waits in Wait of cond")
}

// TestSpuriousWakeups: a Wait that is not in a loop is found only if wake-ups may
// be spurious; that a thread is never woken, in any case.
func TestSpuriousWakeups(t *testing.T) {
	body := func(loop, signal bool) func() {
		return func() {
			var mu sync.Mutex
			c := sync.NewCond(&mu)
			ready := false
			loom.Go(func() {
				mu.Lock()
				for again := true; again && !ready; again = loop {
					c.Wait()
				}
				if !ready {
					loom.Failf("Waited", "not ready")
				}
				mu.Unlock()
			})
			mu.Lock()
			ready = true
			if mu.Unlock(); signal {
				c.Signal()
			}
		}
	}
	holds(t, body(false, true))
	holds(t, body(true, true))
	holds(t, body(true, true), loom.SpuriousWakeups())
	v := violation(t, body(false, true), loom.SpuriousWakeups())
	require.Equal(t, "Waited", v.Claim)
	require.Contains(t, v.Schedule, "Wait that none ends")
	again, err := loom.Explore(body(false, true), loom.SpuriousWakeups(), loom.Replay(v.Token))
	require.ErrorContains(t, err, v.Schedule)
	require.Equal(t, 1, again.Executions)
	for _, opts := range [][]loom.Option{nil, {loom.SpuriousWakeups()}} {
		require.Equal(t, loom.ClaimDeadlock, violation(t, body(true, false), opts...).Claim)
	}
}

// TestSpuriousWakeupsOfEachWait: the second Wait of a thread is disturbed, too,
// and in one execution no thread is twice.
func TestSpuriousWakeupsOfEachWait(t *testing.T) {
	seen := map[string]bool{}
	_, err := loom.Explore(func() {
		var mu sync.Mutex
		c := sync.NewCond(&mu)
		signalled := 0
		loom.Go(func() {
			order := ""
			for range 2 {
				mu.Lock()
				before := signalled
				c.Wait()
				order += fmt.Sprint(signalled > before, " ")
				mu.Unlock()
			}
			seen[order] = true
		})
		for range 3 {
			mu.Lock()
			signalled++
			c.Signal()
			mu.Unlock()
		}
	}, loom.SpuriousWakeups(), loom.KeepGoing())
	require.ErrorContains(t, err, loom.ClaimDeadlock)
	require.Subset(t, seen, map[string]bool{"true true ": true, "false true ": true, "true false ": true})
	require.NotContains(t, seen, "false false ")
}
