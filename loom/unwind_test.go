//go:build loom

package loom_test

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/sync"
)

// stubborn are threads that do not want to end when their execution does. Each
// waits for mu, which the body keeps.
var stubborn = map[string]func(mu *sync.Mutex){
	"waits": func(mu *sync.Mutex) { mu.Lock() },
	"recovers once": func(mu *sync.Mutex) {
		defer func() { _ = recover() }()
		mu.Lock()
	},
	"recovers and goes on for ever": func(mu *sync.Mutex) {
		for {
			func() {
				defer func() { _ = recover() }()
				mu.Lock()
			}()
		}
	},
	"panics with something else": func(mu *sync.Mutex) {
		defer func() { panic(fmt.Sprint("wrapped: ", recover())) }()
		mu.Lock()
	},
	"holds another lock and unlocks it deferred": func(mu *sync.Mutex) {
		var other sync.Mutex
		other.Lock()
		defer other.Unlock()
		mu.Lock()
	},
	"waits again in a deferred function": func(mu *sync.Mutex) {
		defer func() {
			for {
				mu.Lock()
			}
		}()
		mu.Lock()
	},
	"waits in many deferred functions that recover": func(mu *sync.Mutex) {
		for range 50 {
			defer func() {
				defer func() { _ = recover() }()
				mu.Lock()
				defer mu.Unlock()
			}()
		}
		mu.Lock()
	},
	"is inside Goexit": func(mu *sync.Mutex) {
		defer mu.Lock()
		runtime.Goexit()
	},
	"starts another thread when it is told to end": func(mu *sync.Mutex) {
		defer func() { loom.Go(func() { mu.Lock() }).Join() }()
		mu.Lock()
	},
	"reports a violation when it is told to end": func(mu *sync.Mutex) {
		defer func() { loom.Failf("Wrong", "this is not what happened") }()
		mu.Lock()
	},
	"sleeps on a condition": func(*sync.Mutex) {
		var mu sync.Mutex
		mu.Lock()
		defer mu.Unlock()
		for c := sync.NewCond(&mu); ; {
			c.Wait()
		}
	},
	"joins": func(mu *sync.Mutex) { loom.Go(func() { mu.Lock() }).Join() },
	"waits for a group": func(*sync.Mutex) {
		var group sync.WaitGroup
		group.Add(1)
		group.Wait()
	},
	"runs a Once": func(mu *sync.Mutex) { new(sync.Once).Do(mu.Lock) },
}

// TestAbandonedThreadsEnd: whatever the threads of an execution are doing when
// it fails, they end, and what they do on their way is not reported.
func TestAbandonedThreadsEnd(t *testing.T) {
	for name, f := range stubborn {
		t.Run(name, func(t *testing.T) {
			before := runtime.NumGoroutine()
			r, err := loom.Explore(func() {
				var mu sync.Mutex
				var word atomic.Int32
				mu.Lock()
				loom.Go(func() { f(&mu) })
				loom.Go(func() { word.Add(1) })
				word.Add(1)
				loom.Failf("Planted", "on purpose")
			}, loom.KeepGoing())
			require.ErrorContains(t, err, "Planted violated: on purpose")
			require.NotContains(t, err.Error(), "Wrong")
			require.True(t, r.Exhausted)
			require.GreaterOrEqual(t, r.Failures, 2)
			noneLeft(t, before)
		})
	}
}

// TestManyViolationsLeaveNoGoroutines: of 10,000 executions that end in the
// middle, each with threads that only Goexit can end, nothing is left.
func TestManyViolationsLeaveNoGoroutines(t *testing.T) {
	before := runtime.NumGoroutine()
	r, err := loom.Explore(func() {
		var mu sync.Mutex
		mu.Lock()
		loom.Go(func() { stubborn["recovers and goes on for ever"](&mu) })
		loom.Go(func() { stubborn["waits again in a deferred function"](&mu) })
		loom.Go(func() { stubborn["waits"](&mu) })
		mu.TryLock()
		loom.Failf("Planted", "choice %d", 100*loom.Choose(100)+loom.Choose(100))
	}, loom.KeepGoing())
	require.ErrorContains(t, err, "choice 0")
	require.Equal(t, 10_000, r.Failures)
	noneLeft(t, before)
}

// noneLeft waits until there are no more goroutines than before: one that has
// said that it is done still has to go.
func noneLeft(t *testing.T, before int) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); runtime.NumGoroutine() > before; runtime.Gosched() {
		if time.Now().After(end) {
			stacks := make([]byte, 1<<16)
			t.Fatalf("%d goroutines, there were %d\n%s", runtime.NumGoroutine(), before, stacks[:runtime.Stack(stacks, true)])
		}
	}
}
