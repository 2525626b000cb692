//go:build loom

package loom_test

import (
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/sync"
)

// TestNotDeterministic: a body whose steps depend on more than the schedule is
// refused, not explored wrongly.
func TestNotDeterministic(t *testing.T) {
	var kept int
	bodies := map[string]func(x, y *atomic.Int32){
		"random numbers": func(x, y *atomic.Int32) {
			for range 20 {
				if rand.IntN(2) == 0 {
					x.Add(1)
				} else {
					y.Add(1)
				}
			}
		},
		"state kept from the execution before": func(x, y *atomic.Int32) {
			if kept++; kept%2 == 0 {
				x.Add(1)
			}
			y.Add(1)
		},
		"another value compared": func(x, y *atomic.Int32) {
			kept++
			x.CompareAndSwap(int32(kept%2), 0)
			y.Load()
		},
		"another number of threads": func(x, y *atomic.Int32) {
			if kept++; kept%2 == 0 {
				loom.Go(func() { y.Add(1) })
			}
			x.Add(1)
		},
		"another choice": func(x, y *atomic.Int32) { kept++; loom.Choose(2 + kept%2) },
		"map order": func(x, y *atomic.Int32) {
			for w := range map[*atomic.Int32]bool{x: true, y: true} {
				for range 5 {
					w.Add(1)
				}
			}
		},
	}
	for name, f := range bodies {
		t.Run(name, func(t *testing.T) {
			_, err := loom.Explore(func() {
				var x, y atomic.Int32
				loom.Go(func() { x.Load(); y.Load(); x.Load() })
				x.Load()
				y.Load()
				for range 3 {
					f(&x, &y)
				}
			})
			require.ErrorContains(t, err, "the body is not deterministic")
			require.Regexp(t, `after the same \d+ decisions (body|thread \d) has come to [^;]+, and had come to [^;]+; it must depend`, err.Error())
			require.Regexp(t, ` at misuse_test\.go:\d+`, err.Error())
		})
	}
}

func TestEndlessExecution(t *testing.T) {
	_, err := loom.Explore(func() {
		var ready atomic.Bool
		loom.Go(func() { ready.Store(true) })
		for !ready.Load() {
		}
	}, loom.MaxSteps(1000))
	require.ErrorContains(t, err, "loom: an execution of more than 1000 steps (option MaxSteps). The last of them:\n"+
		"  body: Load of bool#0 at misuse_test.go:")
	require.ErrorContains(t, err, "body loops, and nothing has changed for 1001 steps: a loop that waits for others must call loom.Yield")
}

// TestBlockedThreadIsRefused: a thread that waits for what loom cannot see is
// named with its stack within seconds, the test goes on, and later explorations
// are as before.
func TestBlockedThreadIsRefused(t *testing.T) {
	release := make(chan bool)
	begin := time.Now()
	_, err := loom.Explore(func() {
		var mu sync.Mutex
		mu.Lock()
		loom.Go(mu.Lock)
		loom.Go(func() { <-release })
	})
	require.ErrorContains(t, err, "loom: thread 2 waits for a receive from a channel at misuse_test.go:")
	require.ErrorContains(t, err, "loom_test.TestBlockedThreadIsRefused.func1.1()", "the stack")
	require.Less(t, time.Since(begin), 20*time.Second)
	require.Equal(t, 36, holds(t, func() { adds(3, 2) }).Traces)
	close(release)
	require.Equal(t, 36, holds(t, func() { adds(3, 2) }).Traces)
}

// TestThreadsOutliveTheBody: an execution ends when all its threads have, and not
// when the body does.
func TestThreadsOutliveTheBody(t *testing.T) {
	v := violation(t, func() {
		var x atomic.Int32
		loom.Go(func() { x.Add(1); loom.Failf("Late", "after the body") })
	})
	require.Equal(t, "Late", v.Claim)
	v = violation(t, func() {
		var mu sync.Mutex
		mu.Lock()
		loom.Go(mu.Lock)
	})
	require.Equal(t, loom.ClaimDeadlock, v.Claim)
	require.Contains(t, v.Message, "thread 1 waits in Lock")
}

func TestTooManyThreads(t *testing.T) {
	_, err := loom.Explore(func() { each(64, func(int) {}) })
	require.ErrorContains(t, err, "more than 64 threads")
	holds(t, func() { each(63, func(int) {}) })
}

func TestBodyThatExits(t *testing.T) {
	v := violation(t, runtime.Goexit)
	require.Equal(t, loom.ClaimFailed, v.Claim)
	require.Contains(t, v.Message, "the body called runtime.Goexit")
	holds(t, func() { loom.Go(runtime.Goexit).Join() })
}

func TestUnknownAlgorithm(t *testing.T) {
	t.Setenv("LOOM_ALGO", "magic")
	_, err := loom.Explore(func() {})
	require.ErrorContains(t, err, `loom: "magic" is not an algorithm: there are ["optimal" "sleep"`)
	t.Setenv("LOOM_ALGO", "sleep")
	holds(t, func() {})
}

// TestDeadlineBoundsTheSearch: what was cut short is not called exhausted.
func TestDeadlineBoundsTheSearch(t *testing.T) {
	r, err := loom.Explore(func() { adds(5, 3) }, loom.Deadline(20*time.Millisecond))
	require.NoError(t, err)
	require.False(t, r.Exhausted)
	require.Positive(t, r.Traces)
	require.Less(t, r.Elapsed, 10*time.Second)
}

// short is a test that is about to time out.
type short struct{ testing.TB }

func (short) Deadline() (time.Time, bool) { return time.Now(), true }

func (s short) Fatal(args ...any) { panic(args[0]) }

// TestCutShortIsAFailure: unless Deadline asked for it.
func TestCutShortIsAFailure(t *testing.T) {
	defer func() {
		require.ErrorContains(t, recover().(error), "the option Deadline asks for a bounded run")
	}()
	loom.Check(short{t}, func() { adds(4, 2) })
}
