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
				holds(t, func() {
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

func TestUnlockOfUnlocked(t *testing.T) {
	for name, f := range map[string]func(){
		"mutex":   func() { new(sync.Mutex).Unlock() },
		"rwmutex": func() { new(sync.RWMutex).Unlock() },
		"RWMutex": func() { new(sync.RWMutex).RUnlock() },
	} {
		v := violation(t, f)
		require.Equal(t, loom.ClaimPanic, v.Claim)
		require.Contains(t, v.Message, "nlock of unlocked "+name)
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

func TestOnceRunsOnceBeforeAllReturn(t *testing.T) {
	holds(t, func() {
		var once sync.Once
		var runs cell.Cell[int]
		f := func() {
			once.Do(func() { runs.Store(runs.Load() + 1) })
			if runs.Load() != 1 {
				loom.Failf("Once", "ran %d times", runs.Load())
			}
		}
		all(f, f, f)
	})
}

func TestWaitGroupWaitsForAll(t *testing.T) {
	r := holds(t, func() {
		var group sync.WaitGroup
		var ended [3]cell.Cell[bool]
		for i := range ended {
			group.Go(func() { ended[i].Store(true) })
		}
		group.Wait()
		for i := range ended {
			if !ended[i].Load() {
				loom.Failf("Wait", "thread %d has not ended", i)
			}
		}
	})
	require.Equal(t, 1, r.Traces, "Done commutes with Done")
}

func TestWaitGroupNegative(t *testing.T) {
	v := violation(t, func() {
		var group sync.WaitGroup
		all(func() { group.Add(1) }, func() { group.Done() })
	})
	require.Equal(t, loom.ClaimPanic, v.Claim)
	require.Contains(t, v.Message, "negative WaitGroup counter")
}

func TestChooseTriesAll(t *testing.T) {
	saw := outcomes(t, func(saw func(string)) {
		a := loom.Choose(2)
		b := loom.Choose(a + 1)
		saw(fmt.Sprint(a, b))
	})
	require.Equal(t, []string{"0 0", "1 0", "1 1"}, saw)
}

func TestTimerMayFireAtAnyStep(t *testing.T) {
	saw := outcomes(t, func(saw func(string)) {
		var fired atomic.Bool
		timer := time.AfterFunc(time.Duration(1e18), func() { fired.Store(true) })
		a := fired.Load()
		b := fired.Load()
		saw(fmt.Sprint(a, b, timer.Stop()))
	})
	require.Equal(t, []string{"false false false", "false false true", "false true false", "true true false"}, saw)
}

func TestStoppedTimerDoesNotFire(t *testing.T) {
	holds(t, func() {
		var stopped atomic.Bool
		timer := time.AfterFunc(1, func() {
			if stopped.Load() {
				loom.Failf("Stop", "fired after Stop returned true")
			}
		})
		if timer.Stop() {
			stopped.Store(true)
		}
	})
}

func TestResetTimerFiresAgain(t *testing.T) {
	saw := outcomes(t, func(saw func(string)) {
		var fired atomic.Int32
		timer := time.AfterFunc(1, func() { fired.Add(1) })
		armed := timer.Reset(1)
		loom.Go(func() { saw(fmt.Sprint(armed, fired.Load())) })
	})
	require.Equal(t, []string{"false 0", "false 1", "false 2", "true 0", "true 1"}, saw)
}

func TestTimeStandsStill(t *testing.T) {
	holds(t, func() {
		begin := time.Now()
		if d := time.Since(begin); d != 0 {
			loom.Failf("Time", "%v have passed", d)
		}
	})
}

func TestPoolReusesPerThread(t *testing.T) {
	made := 0
	holds(t, func() {
		made = 0
		pool := sync.Pool{New: func() any { made++; return new(int) }}
		p := pool.Get()
		pool.Put(p)
		if pool.Get() != p {
			loom.Failf("Pool", "the item just put was not reused")
		}
		pool.Put(p)
		loom.Go(func() {
			if pool.Get() == p {
				loom.Failf("Pool", "an item moved between threads")
			}
		})
	})
	require.Equal(t, 2, made)
}

// TestStampsOrderOperations: an operation is seen to end before another begins
// in some executions and not in others, and of every order there is one trace.
func TestStampsOrderOperations(t *testing.T) {
	saw := map[string]bool{}
	r := holds(t, func() {
		var call, ret [2]int64
		a := loom.Go(func() { call[0] = loom.Call(); ret[0] = loom.Return() })
		b := loom.Go(func() { call[1] = loom.Call(); ret[1] = loom.Return() })
		a.Join()
		b.Join()
		saw[fmt.Sprint(ret[0] < call[1], ret[1] < call[0])] = true
	})
	require.Equal(t, map[string]bool{"true false": true, "false true": true, "false false": true}, saw)
	require.Equal(t, 3, r.Traces)
}
