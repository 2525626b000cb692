//go:build loom

package explore_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/internal/explore"
	"github.com/filch-sched/filch/loom/sync"
	"github.com/filch-sched/filch/loom/time"
)

// relations runs body by a schedule and returns, for the events that have some,
// what they read from (r) and happen after (a), by their numbers.
func relations(t *testing.T, schedule string, body func()) string {
	t.Helper()
	s, err := explore.ParseToken(schedule)
	require.NoError(t, err)
	e := explore.Replay(body, s, explore.Options{MaxSteps: 1000})
	require.NoError(t, e.Err)
	var list []string
	for _, ev := range explore.Draw(e).Events {
		for _, n := range ev.Reads {
			list = append(list, fmt.Sprintf("%d r %d", ev.No, n))
		}
		for _, n := range ev.After {
			list = append(list, fmt.Sprintf("%d a %d", ev.No, n))
		}
	}
	return strings.Join(list, ", ")
}

// related are executions with what is related in them.
var related = []struct {
	name, schedule, want string
	body                 func()
}{
	// 1 go, 2 store, 3 load, 4 join
	{"spawn, word, join", "ba", "2 a 1, 3 r 2, 4 a 2", func() {
		var x atomic.Int32
		th := loom.Go(func() { x.Store(1) })
		x.Load()
		th.Join()
	}},
	// 1 go, 2 go, 3 store, 4 store, 5 load: only the last store is read
	{"the last store", "bca", "3 a 1, 4 a 2, 5 r 4", func() {
		var x atomic.Int32
		loom.Go(func() { x.Store(1) })
		loom.Go(func() { x.Store(2) })
		x.Load()
	}},
	// 1 go, 2 store, 3 cas fails, 4 cas succeeds, 5 load
	{"a failed compare-and-swap reads and does not write", "ba2b", "2 a 1, 3 r 2, 4 r 2, 5 r 4", func() {
		var x atomic.Int32
		loom.Go(func() { x.Store(1); x.Load() })
		x.CompareAndSwap(7, 8)
		x.CompareAndSwap(1, 2)
	}},
	// 1 go, 2 lock, 3 unlock, 4 lock, 5 unlock, 6 trylock, 7 trylock fails
	{"locks", "b2a2ba", "2 a 1, 4 a 3, 6 a 5", func() {
		var mu sync.Mutex
		loom.Go(func() { mu.Lock(); mu.Unlock(); mu.TryLock() })
		mu.Lock()
		mu.Unlock()
		mu.TryLock()
	}},
	// 1 go, 2 go, 3 rlock, 4 runlock, 5 rlock, 6 runlock, 7 lock
	{"readers and a writer", "b2c2a", "3 a 1, 5 a 2, 7 a 4, 7 a 6", func() {
		var mu sync.RWMutex
		loom.Go(func() { mu.RLock(); mu.RUnlock() })
		loom.Go(func() { mu.RLock(); mu.RUnlock() })
		mu.Lock()
	}},
	// 1 go, 2 lock, 3 wait, 4 unlock, 5 lock, 6 signal, 7 woken, 8 unlock, 9 lock
	{"signal", "b3a3b", "2 a 1, 5 a 4, 7 a 6, 9 a 8", func() {
		var mu sync.Mutex
		c := sync.NewCond(&mu)
		loom.Go(func() { mu.Lock(); c.Wait() })
		mu.Lock()
		c.Signal()
		mu.Unlock()
	}},
	// 1 add, 2 go, 3 add 1, 4 add -1, 5 add -1, 6 wait
	{"wait group", "ab3a", "3 a 2, 6 a 4, 6 a 5", func() {
		var g sync.WaitGroup
		g.Add(1)
		loom.Go(func() { g.Add(1); g.Done(); g.Done() })
		g.Wait()
	}},
	// 1 go, 2 do, 3 ends, 4 do
	{"once", "b2a", "2 a 1, 4 a 3", func() {
		var o sync.Once
		loom.Go(func() { o.Do(func() {}) })
		o.Do(func() {})
	}},
	// 1 arms, 2 fires, 3 stop
	{"timer", "ba", "2 a 1", func() {
		time.AfterFunc(1, func() {}).Stop()
	}},
	// 1 go, 2 load, 3 store, 4 yield returns, 5 load
	{"yield", "bab", "2 a 1, 4 a 3, 5 r 3", func() {
		var y atomic.Int32
		loom.Go(func() {
			for y.Load() == 0 {
				loom.Yield()
			}
		})
		y.Store(1)
	}},
}

// TestRelations: each arrow of a page is a synchronizes-before edge of the Go
// memory model between threads, and those of words say whose value was read.
func TestRelations(t *testing.T) {
	for _, c := range related {
		t.Run(c.name, func(t *testing.T) { require.Equal(t, c.want, relations(t, c.schedule, c.body)) })
	}
}
