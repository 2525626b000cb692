//go:build loom

package loom_test

import (
	"fmt"
	"runtime"
	"testing"
	stdtime "time"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/cell"
	"github.com/filch-sched/filch/loom/sync"
	"github.com/filch-sched/filch/loom/time"
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
	"runs a Once that others wait for": func(mu *sync.Mutex) {
		var once sync.Once
		loom.Go(func() { once.Do(func() {}) })
		once.Do(mu.Lock)
	},
	"recovers and panics again": func(mu *sync.Mutex) {
		defer func() {
			p := recover()
			mu.Unlock()
			panic(p)
		}()
		mu.Lock()
	},
	"recovers in a loop that counts": func(mu *sync.Mutex) {
		for range 5 {
			func() {
				defer func() { _ = recover() }()
				mu.Lock()
			}()
		}
	},
	"unlocks a lock that it does not hold": func(mu *sync.Mutex) {
		var other sync.Mutex
		var rw sync.RWMutex
		defer other.Unlock()
		defer rw.Unlock()
		defer rw.RUnlock()
		mu.Lock()
	},
	"gives back more than it took": func(mu *sync.Mutex) {
		var group sync.WaitGroup
		defer group.Done()
		mu.Lock()
	},
	"is in the body of an iterator's loop": func(mu *sync.Mutex) {
		for range lines(mu) {
			mu.Lock()
		}
	},
	"is an iterator": func(mu *sync.Mutex) {
		for range lines(mu) {
		}
	},
	"is in an iterator that recovers and goes on": func(mu *sync.Mutex) {
		for range func(yield func() bool) {
			for ok := true; ok; {
				func() {
					defer func() { _ = recover() }()
					ok = yield()
				}()
			}
		} {
			mu.Lock()
		}
	},
	"is inside Goexit and recovers": func(mu *sync.Mutex) {
		defer func() {
			defer func() { _ = recover() }()
			mu.Lock()
		}()
		runtime.Goexit()
	},
	"panics while it panics": func(mu *sync.Mutex) {
		defer func() { panic("second") }()
		defer func() { panic("third") }()
		mu.Lock()
	},
	"calls Goexit when it is told to end": func(mu *sync.Mutex) {
		defer runtime.Goexit()
		mu.Lock()
	},
	"chooses and spawns when it is told to end": func(mu *sync.Mutex) {
		defer loom.Yield()
		defer loom.Choose(3)
		defer time.AfterFunc(1, func() {}).Stop()
		mu.Lock()
	},
	"waits in Yield": func(*sync.Mutex) {
		for x := new(atomic.Int32); x.Load() == 0; {
			loom.Yield()
		}
	},
	"uses a cell while it ends": func(mu *sync.Mutex) {
		var c cell.Cell[int]
		defer func() { c.Store(c.Load() + 1) }()
		mu.Lock()
	},
	"waits to write while others read": func(*sync.Mutex) {
		var rw sync.RWMutex
		rw.RLock()
		defer rw.RUnlock()
		rw.Lock()
	},
	"is started and does not come to run": func(mu *sync.Mutex) { loom.Go(mu.Lock); loom.Go(mu.Lock); mu.Lock() },
}

// lines is an iterator that waits between its values and in its end.
func lines(mu *sync.Mutex) func(yield func() bool) {
	return func(yield func() bool) {
		defer mu.Unlock()
		for yield() {
			mu.Lock()
		}
	}
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

// TestManyAbandonedExecutionsLeaveNothing: of 100,000 executions that end in the
// middle, each with threads that only Goexit can end, neither goroutines nor
// memory are left.
func TestManyAbandonedExecutionsLeaveNothing(t *testing.T) {
	goroutines := runtime.NumGoroutine()
	body := func() {
		var mu sync.Mutex
		mu.Lock()
		loom.Go(func() { stubborn["recovers and goes on for ever"](&mu) })
		loom.Go(func() { stubborn["waits again in a deferred function"](&mu) })
		loom.Go(func() { stubborn["waits"](&mu) })
		mu.TryLock()
		loom.Failf("Planted", "choice %d", 1000*loom.Choose(100)+10*loom.Choose(100)+loom.Choose(10))
	}
	before := heap()
	r, err := loom.Explore(body, loom.KeepGoing())
	require.ErrorContains(t, err, "choice 0")
	require.Equal(t, 100_000, r.Failures)
	noneLeft(t, goroutines)
	require.Less(t, heap(), before+4<<20, "bytes more than before")
}

// heap returns how many bytes the garbage collector cannot free.
func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// noneLeft waits until there are no more goroutines than before: one that has
// said that it is done still has to go.
func noneLeft(t *testing.T, before int) {
	t.Helper()
	for end := stdtime.Now().Add(20 * stdtime.Second); runtime.NumGoroutine() > before; runtime.Gosched() {
		if stdtime.Now().After(end) {
			stacks := make([]byte, 1<<16)
			t.Fatalf("%d goroutines, there were %d\n%s", runtime.NumGoroutine(), before, stacks[:runtime.Stack(stacks, true)])
		}
	}
}
