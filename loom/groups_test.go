//go:build loom

package loom_test

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/cell"
	"github.com/filch-sched/filch/loom/sync"
)

// TestWaitGroupRounds: an Add that begins a round must be ordered with every
// Wait, as package sync demands and the race detector checks.
func TestWaitGroupRounds(t *testing.T) {
	for name, c := range map[string]struct {
		body func(g *sync.WaitGroup)
		good bool
	}{
		"Add before the threads": {func(g *sync.WaitGroup) {
			g.Add(2)
			all(g.Done, g.Done, g.Wait)
			g.Wait()
		}, true},
		"Go": {func(g *sync.WaitGroup) { g.Go(func() {}); g.Go(func() {}); g.Wait() }, true},
		"Go inside Go": {func(g *sync.WaitGroup) {
			g.Go(func() { g.Go(func() {}) })
			g.Wait()
		}, true},
		"one round after the other": {func(g *sync.WaitGroup) {
			for range 2 {
				g.Go(func() {})
				g.Wait()
			}
		}, true},
		"Add in the thread": {func(g *sync.WaitGroup) {
			loom.Go(func() { g.Add(1); g.Done() })
			g.Wait()
		}, false},
		"the next round while others still wait": {func(g *sync.WaitGroup) {
			g.Add(1)
			loom.Go(g.Wait)
			g.Done()
			g.Wait()
			g.Add(1)
			g.Done()
		}, false},
		"Add of nothing": {func(g *sync.WaitGroup) { loom.Go(func() { g.Add(0) }); g.Wait() }, true},
	} {
		t.Run(name, func(t *testing.T) {
			body := func() { c.body(&sync.WaitGroup{}) }
			if c.good {
				holds(t, body)
				return
			}
			v := violation(t, body)
			require.Equal(t, loom.ClaimRace, v.Claim)
			require.Regexp(t, `^sync: WaitGroup misuse: (Add|Wait) by .* at groups_test\.go:\d+ and (Add|Wait) by .* at groups_test\.go:\d+ of waitgroup#0, whose counter may be 0 then, are not ordered$`, v.Message)
			r, err := loom.Explore(body, loom.KeepGoing())
			require.Error(t, err)
			require.True(t, r.Exhausted)
			require.Equal(t, r.Races, r.Traces, "in every trace")
		})
	}
}

// TestWaitGroupGo: what ends f ends the group's thread; a panic is a violation and
// is not taken for the end of f.
func TestWaitGroupGo(t *testing.T) {
	holds(t, func() {
		var g sync.WaitGroup
		g.Go(runtime.Goexit)
		g.Wait()
	})
	v := violation(t, func() {
		var g sync.WaitGroup
		g.Go(func() { panic("oh") })
		g.Wait()
		loom.Failf("Waited", "Wait has returned")
	})
	require.Equal(t, loom.ClaimPanic, v.Claim)
	require.Regexp(t, `thread 1 panicked at groups_test\.go:\d+: oh`, v.Message)
}

// TestOncePanics: a Once whose function panics or exits is done.
func TestOncePanics(t *testing.T) {
	for name, f := range map[string]func(){"panic": func() { panic("oh") }, "Goexit": runtime.Goexit} {
		t.Run(name, func(t *testing.T) {
			runs := 0
			holds(t, func() {
				runs = 0
				var once sync.Once
				do := func() {
					defer func() { _ = recover() }()
					once.Do(func() { runs++; f() })
				}
				all(do, do)
			})
			require.Equal(t, 1, runs)
		})
	}
}

// TestOnceInsideItself can never end.
func TestOnceInsideItself(t *testing.T) {
	v := violation(t, func() {
		var once sync.Once
		once.Do(func() { once.Do(func() {}) })
	})
	require.Equal(t, loom.ClaimDeadlock, v.Claim)
	require.Regexp(t, `body waits in Do of once ?#0 at groups_test\.go:\d+`, v.Message)
}

// TestOnceFunctionsExplored: f runs once, all see what it returns or panics with.
func TestOnceFunctionsExplored(t *testing.T) {
	holds(t, func() {
		runs := 0
		two := sync.OnceValues(func() (int, string) { runs++; return runs, "x" })
		bad := sync.OnceFunc(func() { runs += 10; panic("on purpose") })
		f := func() {
			if n, s := two(); n != 1 || s != "x" {
				loom.Failf("Values", "%d %s", n, s)
			}
			defer func() {
				if p := recover(); p != "on purpose" {
					loom.Failf("Panics", "%v", p)
				}
			}()
			bad()
		}
		all(f, f)
	})
}

// TestBroadcastWakesAll, in any order, and those only that wait already.
func TestBroadcastWakesAll(t *testing.T) {
	saw := outcomes(t, func(saw func(string)) {
		var rw sync.RWMutex
		c := sync.Cond{L: &rw} // no need for NewCond
		waiting, order := 0, ""
		for i := range 3 {
			loom.Go(func() {
				rw.Lock()
				if waiting++; waiting < 3 {
					c.Wait()
					order += fmt.Sprint(i)
				} else {
					c.Broadcast()
				}
				if rw.Unlock(); len(order) == 2 {
					saw(order)
				}
			})
		}
	})
	require.Equal(t, []string{"01", "02", "10", "12", "20", "21"}, saw)
}

// TestCondOfReadLock: several can wait with a read lock, and be awake together.
func TestCondOfReadLock(t *testing.T) {
	saw := outcomes(t, func(saw func(string)) {
		var rw sync.RWMutex
		c := sync.NewCond(rw.RLocker())
		var ready cell.Cell[bool]
		var inside atomic.Int32
		wait := func() {
			c.L.Lock()
			for !ready.Load() {
				c.Wait()
			}
			saw(fmt.Sprint(inside.Add(1)))
			inside.Add(-1)
			c.L.Unlock()
		}
		all(wait, wait)
		rw.Lock()
		ready.Store(true)
		rw.Unlock()
		c.Broadcast()
	})
	require.Equal(t, []string{"1", "2"}, saw)
}

// TestWaitWithoutTheLock is what it is in package sync: an unlock of an unlocked
// lock.
func TestWaitWithoutTheLock(t *testing.T) {
	v := violation(t, func() { sync.NewCond(&sync.Mutex{}).Wait() })
	require.Equal(t, loom.ClaimPanic, v.Claim)
	require.Contains(t, v.Message, "sync: unlock of unlocked mutex")
}
