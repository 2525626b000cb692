//go:build loom

package loom_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/sync"
)

// crew is code under check that starts its threads itself and has no boundary in
// their loops.
type crew struct {
	turn, done atomic.Int32
	mu         sync.Mutex
	runs       [2]int
	all        sync.WaitGroup
}

func newCrew() *crew {
	c := new(crew)
	for i := range c.runs {
		c.all.Go(func() {
			for {
				c.wait(int32(i))
				c.run(i)
			}
		})
	}
	return c
}

// wait waits for the turn of i.
func (c *crew) wait(i int32) {
	for c.turn.Load() != i {
	}
}

// run is a round of i, which remembers from the load to the store what it has loaded.
func (c *crew) run(i int) {
	n := c.done.Load()
	c.mu.Lock()
	c.runs[i] = 1 - c.runs[i]
	c.mu.Unlock()
	c.done.Store(1 - n)
	c.turn.Store(1 - int32(i))
}

// crewed is a driver of a crew. started is told the threads.
func crewed(started func([]*loom.Thread)) func() {
	return func() {
		d, c := loom.Drive(), newCrew()
		started(d.Threads())
		d.Root("crew", c)
	}
}

// TestGraphWithHeadsCloses: threads that the code under check starts, and loops without
// a boundary, make a graph that closes if it is said where they remember nothing; and
// with more such places one that is smaller and otherwise the same.
func TestGraphWithHeadsCloses(t *testing.T) {
	threads := 0
	body := crewed(func(all []*loom.Thread) { threads = len(all) })
	few := loom.MaxStates(2000)
	none, err := loom.Graph(body, few)
	require.NoError(t, err)
	require.False(t, none.Exhausted, "without heads there is no end of states")
	require.Equal(t, 2, threads)
	var one, two bytes.Buffer
	r, err := loom.Graph(body, loom.HeadAt("crew.wait", "Load"), loom.Export(&one), few)
	require.NoError(t, err)
	require.True(t, r.Exhausted)
	more, err := loom.Graph(body, loom.HeadAt("crew.wait", "Load"), loom.HeadAt("loom_test.crew.run", "Load"), loom.Export(&two), loom.Workers(2), few)
	require.NoError(t, err)
	require.True(t, more.Exhausted)
	require.LessOrEqual(t, more.States, r.States)
	again, err := loom.Graph(body, loom.HeadAt("crew.wait", "Load"), loom.WholeKeys(), few)
	require.NoError(t, err)
	require.Equal(t, []int{r.States, r.Edges, r.MaxDepth}, []int{again.States, again.Edges, again.MaxDepth})
}

// copier is code under check that remembers what it has loaded until it stores it,
// under a lock.
type copier struct {
	from, to atomic.Int32
	mu       sync.Mutex
}

func (c *copier) copy() {
	v := c.from.Load()
	c.mu.Lock()
	c.to.Store(v)
	c.mu.Unlock()
}

// copying is a driver of a copier, with somebody who stores some values for it.
func copying(values int) func() {
	return func() {
		c := new(copier)
		loom.Drive().Root("copier", c)
		loom.Go(func() {
			for {
				c.copy()
			}
		})
		loom.Go(func() {
			for {
				loom.Boundary(0)
				c.from.Store(int32(loom.Choose(values)))
			}
		})
	}
}

// TestWrongHeadIsNoticed: at its lock a copier remembers something.
func TestWrongHeadIsNoticed(t *testing.T) {
	body := copying(2)
	r, err := loom.Graph(body, loom.HeadAt("copier.copy", "Load"))
	require.NoError(t, err)
	require.True(t, r.Exhausted)
	_, err = loom.Graph(body, loom.HeadAt("copier.copy", "Load"), loom.HeadAt("copier.copy", "Lock"))
	require.ErrorContains(t, err, "loom: the body is not deterministic")
}

// TestHeadIsOnWhatARootLeadsTo: what no key has cannot be told apart.
func TestHeadIsOnWhatARootLeadsTo(t *testing.T) {
	_, err := loom.Graph(func() {
		var hidden, shared atomic.Int32
		loom.Drive().Root("shared", &shared)
		loom.Go(func() {
			for {
				hidden.Load()
				shared.Load()
			}
		})
	}, loom.HeadAt("func1.1", "Load"))
	require.ErrorContains(t, err, "loom: a HeadAt at int#0, to which no root leads")
}

// TestHeadsAreToldApartByTheCallsThatLeadThere: two calls of one function are two
// places, and two objects in one are two.
func TestHeadsAreToldApartByTheCallsThatLeadThere(t *testing.T) {
	r, err := loom.Graph(func() {
		s := new([3]atomic.Int32)
		loom.Drive().Root("s", s)
		loom.Go(func() {
			for {
				look(s, 0)
				look(s, 1)
				for i := range s {
					look(s, i)
					s[i].Store(0)
				}
			}
		})
	}, loom.HeadAt("look", "Load"))
	require.NoError(t, err)
	require.True(t, r.Exhausted)
	// Before five loads and three stores; the first is that in which the loop begins.
	require.Equal(t, 8, r.States)
}

func look(s *[3]atomic.Int32, i int) int32 { return s[i].Load() }

// deep looks from so many calls further in.
func deep(s *[3]atomic.Int32, calls int) int32 {
	if calls == 0 {
		return look(s, 0)
	}
	return deep(s, calls-1) + 0
}

// TestHeadsAreToldApartByAllCalls that lead there, however many: what is done after a
// look far in is told by where that was called.
func TestHeadsAreToldApartByAllCalls(t *testing.T) {
	r, err := loom.Graph(func() {
		s := new([3]atomic.Int32)
		loom.Drive().Root("s", s)
		loom.Go(func() {
			for {
				deep(s, 200)
				s[1].Store(0)
				deep(s, 200)
				s[2].Store(0)
			}
		})
	}, loom.HeadAt("look", "Load"), loom.MaxStates(100))
	require.NoError(t, err)
	require.True(t, r.Exhausted)
	require.Equal(t, 4, r.States)
}

func TestHeadIsAtAnOperation(t *testing.T) {
	require.PanicsWithValue(t, `loom: HeadAt("f", "Store"): want Load, CompareAndSwap, Swap, Add or Lock`, func() { loom.HeadAt("f", "Store") })
}

// TestExactLeavesHeadsOut: then the loop has no end of states.
func TestExactLeavesHeadsOut(t *testing.T) {
	r, err := loom.Graph(crewed(func([]*loom.Thread) {}), loom.HeadAt("crew.wait", "Load"), loom.Exact(), loom.MaxStates(2000))
	require.NoError(t, err)
	require.False(t, r.Exhausted)
}

// TestHeadIsAtWhatItSays: the load of copier.copy is one, and its lock, where the thread
// remembers something, is not.
func TestHeadIsAtWhatItSays(t *testing.T) {
	r, err := loom.Graph(copying(3), loom.HeadAt("copier.copy", "Load"))
	require.NoError(t, err)
	require.True(t, r.Exhausted)
}

// chased is a word that is looked at in rounds; how many calls there have been is
// remembered, too.
type chased struct{ word, times atomic.Int32 }

func (c *chased) look() bool {
	for {
		v := c.word.Load()
		if v == 0 {
			return false
		}
		if c.word.CompareAndSwap(v, 0) {
			return true
		}
	}
}

// TestRoundsOfTwoCallsAreToldApart: that the first of two calls has found nothing is
// remembered during the second, if there is a load in another function in between.
func TestRoundsOfTwoCallsAreToldApart(t *testing.T) {
	r, err := loom.Graph(func() {
		c := new(chased)
		loom.Drive().Root("chased", c)
		loom.Go(func() {
			for {
				loom.Boundary(0)
				for n := range int32(2) {
					c.times.Load()
					if c.look() {
						c.times.Store(n)
						break
					}
				}
			}
		})
		loom.Go(func() {
			for {
				loom.Boundary(0)
				c.word.Store(int32(loom.Choose(2)))
			}
		})
	}, loom.RetryAt("chased.look", "CompareAndSwap"))
	require.NoError(t, err)
	require.True(t, r.Exhausted)
}

// TestGraphKnowsPointers: an atomic.Pointer that roots lead to may be used by all.
func TestGraphKnowsPointers(t *testing.T) {
	r, err := loom.Graph(func() {
		s := new(struct {
			at   atomic.Pointer[int]
			n, m int
		})
		loom.Drive().Root("s", s)
		for _, p := range []*int{&s.n, &s.m, nil} {
			loom.Go(func() {
				for {
					loom.Boundary(0)
					if s.at.Load() != p {
						s.at.Swap(p)
					}
				}
			})
		}
	})
	require.NoError(t, err)
	require.True(t, r.Exhausted)
}
