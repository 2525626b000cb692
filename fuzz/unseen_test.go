package fuzz_test

import (
	"strings"
	stdsync "sync"
	stdatomic "sync/atomic"
	"testing"

	"github.com/filch-sched/filch/fuzz"
	"github.com/filch-sched/filch/loom"
	"github.com/stretchr/testify/require"
)

// unseen is code that is right and keeps what its threads share where loom does not
// see it.
var unseen = map[string]func(*testing.F){
	"queue with a mutex": queueOf(func() fuzz.QueueOps {
		var mu stdsync.Mutex
		q := new(plain)
		return fuzz.QueueOps{
			Put:  func(v int) bool { mu.Lock(); defer mu.Unlock(); q.values = append(q.values, v); return true },
			Take: func() (int, bool) { mu.Lock(); defer mu.Unlock(); return q.oldest() },
		}
	}),
	"queue of a channel": queueOf(func() fuzz.QueueOps {
		c := make(chan int, 2)
		return fuzz.QueueOps{Capacity: 2, Put: func(v int) bool {
			select {
			case c <- v:
				return true
			default:
				return false
			}
		}, Take: func() (int, bool) {
			select {
			case v := <-c:
				return v, true
			default:
				return 0, false
			}
		}}
	}),
	"ring of atomics": queueOf(func() fuzz.QueueOps {
		var slots [2]stdatomic.Int64
		var head, tail stdatomic.Int64
		return fuzz.QueueOps{Capacity: 2, Putters: 1, Takers: 1, Put: func(v int) bool {
			at := tail.Load()
			if at-head.Load() == 2 {
				return false
			}
			slots[at%2].Store(int64(v))
			tail.Store(at + 1)
			return true
		}, Take: func() (int, bool) {
			at := head.Load()
			if at == tail.Load() {
				return 0, false
			}
			defer head.Store(at + 1)
			return int(slots[at%2].Load()), true
		}}
	}),
	"deque with a mutex": func(f *testing.F) {
		fuzz.Deque(f, func() fuzz.DequeOps {
			var mu stdsync.Mutex
			d := new(plain)
			return fuzz.DequeOps{
				Push:  func(v int) bool { mu.Lock(); defer mu.Unlock(); d.values = append(d.values, v); return true },
				Pop:   func() (int, bool) { mu.Lock(); defer mu.Unlock(); return d.newest() },
				Steal: func() (int, bool) { mu.Lock(); defer mu.Unlock(); return d.oldest() },
			}
		})
	},
	"parker of a channel": func(f *testing.F) {
		fuzz.Parker(f, func() fuzz.ParkerOps {
			c := make(chan struct{}, 1)
			return fuzz.ParkerOps{Park: func() { <-c }, Unpark: func() {
				select {
				case c <- struct{}{}:
				default:
				}
			}}
		})
	},
	"pool of goroutines": func(f *testing.F) {
		fuzz.Pool(f, func() fuzz.PoolOps {
			var live stdsync.WaitGroup
			return fuzz.PoolOps{Submit: func(task func()) bool { live.Go(task); return true }, Close: live.Wait}
		})
	},
}

// plain is a list without a lock.
type plain struct{ values []int }

func (q *plain) oldest() (v int, found bool) {
	if len(q.values) == 0 {
		return 0, false
	}
	v, q.values = q.values[0], q.values[1:]
	return v, true
}

func (q *plain) newest() (v int, found bool) {
	n := len(q.values)
	if n == 0 {
		return 0, false
	}
	v, q.values = q.values[n-1], q.values[:n-1]
	return v, true
}

// TestWhatLoomDoesNotSeeIsNoPass: with the tag, code of which loom sees nothing fails
// before it is fuzzed, and says why; without it, it is fuzzed like any other.
func TestWhatLoomDoesNotSeeIsNoPass(t *testing.T) {
	for name := range unseen {
		t.Run(name, func(t *testing.T) {
			out, err := test(t, t.TempDir(), name, "-test.run=^FuzzTheirs$")
			if !loom.Enabled {
				require.NoError(t, err, "%s", out)
				return
			}
			require.Error(t, err, "%s", out)
			if !strings.HasPrefix(name, "pool") {
				require.Equal(t, 1, strings.Count(out, "fuzz: "), "%s", out)
			}
			switch {
			case strings.HasPrefix(name, "parker"):
				require.Regexp(t, `fuzz: the code under test cannot be explored: loom: thread \d waits for a receive from a channel at unseen_test\.go:`, out)
			case strings.HasPrefix(name, "pool"): // whose goroutines may come by what loom does see
				require.Regexp(t, `fuzz: (no operation of the code under test was seen by loom|run concurrently: model: CanBeJudged violated: loom: .*goroutine|the code under test cannot be explored: loom: .*goroutine)`, out)
			default:
				require.Contains(t, out, "fuzz: no operation of the code under test was seen by loom")
			}
		})
	}
}
