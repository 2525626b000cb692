//go:build loom

package graph_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/idle"
	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/internal/graph"
	"github.com/filch-sched/filch/loom/internal/machine"
	"github.com/filch-sched/filch/park"
)

type crew struct {
	s       *graph.Search
	tracker *idle.Tracker
	parkers []*park.Parker
	queued  atomic.Int32
	flight  int // tasks in flight; changed with the steps that bring or end them
	k       int
}

const (
	loop = iota
	inTask
	parking
	outside
)

func (c *crew) pop() bool {
	for {
		n := c.queued.Load()
		if n == 0 {
			return false
		}
		if c.queued.CompareAndSwap(n, n-1) {
			return true
		}
	}
}

func (c *crew) work(w int) {
	me := machine.Current()
	counted := false
	key := func(k uint64) uint64 {
		if counted {
			return k | 16
		}
		return k
	}
	for {
		me.Bound(key(loop))
		ok := false
		if !counted {
			ok = c.pop()
		}
		if !ok {
			if !counted {
				counted = c.tracker.TrySearch()
			}
			if counted {
				ok = c.pop()
			}
		}
		if !ok {
			c.tracker.Park(w, counted, func() bool { return c.queued.Load() > 0 })
			counted = false
			for up := false; !up; {
				me.Bound(parking)
				c.parkers[w].Park()
				up, counted = c.tracker.Resume(w)
			}
			continue
		}
		if counted {
			c.tracker.StopSearch()
			counted = false
		}
		for running := true; running; {
			me.Bound(inTask)
			if c.flight < c.k && me.Choose(2) == 1 {
				c.flight++
				c.queued.Add(1)
				c.tracker.Wake(idle.Publish)
			} else {
				c.flight--
				running = false
			}
		}
	}
}

func idleBody(workers, k int) func() {
	return func() {
		me := machine.Current()
		s := graph.Of(me)
		c := &crew{s: s, k: k}
		for range workers {
			c.parkers = append(c.parkers, park.New())
		}
		c.tracker, _ = idle.New(workers, func(w int) { c.parkers[w].Unpark() })
		s.Share("tracker", c.tracker)
		s.Ignore(c.tracker, "wakes")
		s.Share("parkers", &c.parkers)
		s.Share("queued", &c.queued)
		s.Share("flight", &c.flight)
		for w := range workers {
			me.Go(func() { c.work(w) })
		}
		me.Go(func() {
			me := machine.Current()
			for {
				me.Bound(outside)
				if c.flight < c.k {
					c.flight++
					c.queued.Add(1)
					c.tracker.Wake(idle.Publish)
				} else {
					c.queued.Load()
				}
			}
		})
		s.Always("WorkConserving", func() string {
			if _, at := s.At(workers + 1); !at || c.queued.Load() == 0 {
				return ""
			}
			parked := 0
			for w := 1; w <= workers; w++ {
				if s.Waits(w) {
					parked++
				} else if key, at := s.At(w); !at || key != inTask {
					return ""
				}
			}
			if parked == 0 {
				return ""
			}
			return fmt.Sprintf("%d workers sleep beside %d tasks", parked, c.queued.Load())
		})
	}
}

func TestIdle(t *testing.T) {
	for _, c := range []struct{ w, k int }{{1, 1}, {2, 1}, {2, 2}} {
		begin := time.Now()
		res := graph.Run(idleBody(c.w, c.k), graph.Options{MaxStates: 3000000, Deadline: time.Now().Add(50 * time.Second), Retries: []string{"crew.pop", "Tracker.choose", "Tracker.TrySearch", "Parker.Park"}})
		fmt.Println(c, res.Closed, res.States, res.Edges, res.Depth, res.Executions, res.Steps, res.Failure, time.Since(begin))
		require.NoError(t, res.Err)
	}
}
