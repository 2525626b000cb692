//go:build loom

package explore_test

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/internal/explore"
	"github.com/filch-sched/filch/loom/sync"
)

// TestWhoHoldsWhat: a deadlock names those that hold what others wait for, and
// nobody who has given it back.
func TestWhoHoldsWhat(t *testing.T) {
	for _, c := range []struct {
		name, schedule string
		want           []string
		body           func()
	}{
		{"given back and taken again, by another", "b2cb", []string{"thread 1 waits in Lock of mutex#0 at L, held by thread 2 since L, which has ended"}, func() {
			var mu sync.Mutex
			loom.Go(func() { mu.Lock(); mu.Unlock(); mu.Lock() })
			loom.Go(func() { mu.Lock() })
		}},
		{"given back by another", "bcb", nil, func() {
			var mu sync.Mutex
			loom.Go(func() { mu.Lock(); mu.Lock(); mu.Unlock() })
			loom.Go(func() { mu.Unlock() })
		}},
		{"readers", "bcd", []string{
			"thread 3 waits in Lock of rwmutex#0 at L, held for reading by thread 1 since L, which has ended and held for reading by thread 2 since L, which has ended",
		}, func() {
			var mu sync.RWMutex
			loom.Go(func() { mu.RLock() })
			loom.Go(func() { mu.RLock() })
			loom.Go(func() { mu.Lock() })
		}},
		{"one of two readers", "b2cd", []string{
			"thread 3 waits in Lock of rwmutex#0 at L, held for reading by thread 2 since L, which has ended",
		}, func() {
			var mu sync.RWMutex
			loom.Go(func() { mu.RLock(); mu.RUnlock() })
			loom.Go(func() { mu.RLock() })
			loom.Go(func() { mu.Lock() })
		}},
		{"readers behind a writer", "bc", []string{
			"thread 2 waits in RLock of rwmutex#0 at L, held by thread 1 since L, which has ended",
		}, func() {
			var mu sync.RWMutex
			loom.Go(func() { mu.TryLock() })
			loom.Go(func() { mu.RLock() })
		}},
		{"the function of a Once", "b", []string{"thread 1 waits in Do of once#0 at L, which is done by itself since L"}, func() {
			var o sync.Once
			loom.Go(func() { o.Do(func() { o.Do(func() {}) }) })
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := explore.ParseToken(c.schedule)
			require.NoError(t, err)
			e := explore.Replay(c.body, s, explore.Options{MaxSteps: 100})
			require.NoError(t, e.Err)
			if c.want == nil {
				require.Nil(t, e.Failure)
				return
			}
			require.NotNil(t, e.Failure)
			text := regexp.MustCompile(`holders_test\.go:\d+`).ReplaceAllString(explore.Describe(e), "L")
			for _, want := range c.want {
				require.Contains(t, text+"\n", "  "+want+"\n")
			}
		})
	}
}
