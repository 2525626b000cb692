//go:build loom

package loom_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/sync"
)

// loads is a program of one trace: two threads load a word so many times each.
func loads(n int) func() {
	return func() {
		var x atomic.Int32
		load := func() {
			for range n {
				x.Load()
			}
		}
		th := loom.Go(load)
		load()
		th.Join()
	}
}

// TestTimeGrowsWithTheLength: what grows with a power of the size of a program
// takes for ever where it is large.
func TestTimeGrowsWithTheLength(t *testing.T) {
	for name, c := range map[string]struct {
		small, large int
		body         func(n int) func()
		traces       func(n int) int
	}{
		"loads":    {6_000, 48_000, loads, func(int) int { return 1 }},
		"outcomes": {500, 4_000, func(n int) func() { return func() { loom.Choose(n) } }, func(n int) int { return n }},
		"outcomes beside another thread": {50, 400, func(n int) func() {
			return func() {
				var x, y atomic.Int32
				loom.Go(func() { x.Store(1); y.Store(1) })
				loom.Choose(n)
			}
		}, func(n int) int { return n }},
		"additions that another thread takes": {2_000, 16_000, func(n int) func() {
			return func() {
				var g sync.WaitGroup
				for range n {
					g.Add(1)
				}
				loom.Go(func() {
					for range n {
						g.Done()
					}
				})
			}
		}, func(int) int { return 1 }},
		"additions taken at once": {2_000, 16_000, func(n int) func() {
			return func() {
				var g sync.WaitGroup
				g.Add(1)
				for range n {
					g.Add(1)
					g.Done()
				}
				g.Done()
			}
		}, func(int) int { return 1 }},
	} {
		t.Run(name, func(t *testing.T) {
			least := func(n int) time.Duration {
				best := time.Hour
				for range 3 {
					begin := time.Now()
					r := holds(t, c.body(n))
					require.Equal(t, c.traces(n), r.Traces)
					if best = min(best, time.Since(begin)); best > 5*time.Second {
						break
					}
				}
				return best
			}
			small, large := least(c.small), least(c.large)
			for tries := 0; large >= 30*small+50*time.Millisecond && tries < 5; tries++ {
				large = min(large, least(c.large)) // something else was at work
			}
			require.Less(t, large, 30*small+50*time.Millisecond, "8 times as large: %v, %v", small, large)
		})
	}
}

// endless are bodies whose search does not end soon, each for a reason of its own.
func endless(n int) map[string]func() {
	return map[string]func(){
		"a race with every load": func() {
			var x, y atomic.Int32
			th := loom.Go(func() {
				for range n {
					x.Add(1)
				}
				y.Store(1)
			})
			for range n {
				y.Load()
			}
			th.Join()
		},
		"many locks": func() {
			var mu sync.Mutex
			section := func() {
				for range n {
					mu.Lock()
					mu.Unlock()
				}
			}
			loom.Go(section)
			section()
		},
		"many readers": func() {
			var rw sync.RWMutex
			loom.Go(func() {
				for range n {
					rw.RLock()
					rw.RUnlock()
				}
			})
			rw.Lock()
			rw.Unlock()
		},
		"many additions": func() {
			var g sync.WaitGroup
			g.Add(1)
			th := loom.Go(func() {
				for range n {
					g.Add(1)
					g.Done()
				}
				g.Done()
			})
			g.Wait()
			th.Join()
		},
		"many outcomes": func() {
			var x atomic.Int32
			th := loom.Go(func() { x.Store(1) })
			loom.Choose(n)
			x.Load()
			loom.Choose(n)
			th.Join()
		},
	}
}

// TestDeadlineIsKept: whatever the program, and wherever the time goes. How late
// it may be is for a machine that does other things as well.
func TestDeadlineIsKept(t *testing.T) {
	for name, body := range endless(60_000) {
		for _, algorithm := range []string{"optimal", "sleep"} {
			t.Run(name+" by "+algorithm, func(t *testing.T) {
				begin := time.Now()
				r, err := loom.Explore(body, loom.Deadline(200*time.Millisecond), loom.Algorithm(algorithm), loom.MaxSteps(1_000_000))
				require.NoError(t, err)
				require.True(t, r.Exhausted || strings.Contains(r.Stopped, "deadline"), "%v", r)
				require.Less(t, time.Since(begin), 5*time.Second)
			})
		}
	}
}
