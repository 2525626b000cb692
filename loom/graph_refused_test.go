//go:build loom

package loom_test

import (
	"errors"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/sync"
)

// TestGraphRefusesMemoryThatKeysDoNotCover, by the way that leads to it.
func TestGraphRefusesMemoryThatKeysDoNotCover(t *testing.T) {
	type shared struct {
		x    atomic.Int32
		m    sync.Map
		c    chan int
		f    func()
		by   map[*int]int
		any  any
		pool struct{ free []chan bool }
	}
	for why, fill := range map[string]func(s *shared) (use func()){
		"s.m.entries is a map by interface {}, which holds pointers": func(s *shared) func() {
			return func() { s.m.Store(1, 2) }
		},
		"s.c is a chan int, whose state is not memory": func(s *shared) func() {
			s.c = make(chan int)
			return func() { s.x.Add(1) }
		},
		"s.f is a func(), whose state is not memory": func(s *shared) func() {
			s.f = func() {}
			return func() { s.x.Add(1) }
		},
		"s.by is a map by *int, which holds pointers": func(s *shared) func() {
			s.by = map[*int]int{new(int): 1}
			return func() { s.x.Add(1) }
		},
		"s.any.c is a chan string, whose state is not memory": func(s *shared) func() {
			s.any = struct{ c chan string }{make(chan string)}
			return func() { s.x.Add(1) }
		},
		"s.pool.free[] is a chan bool, whose state is not memory": func(s *shared) func() {
			s.pool.free = []chan bool{nil, make(chan bool)}
			return func() { s.x.Add(1) }
		},
	} {
		_, err := loom.Graph(func() {
			s := &shared{}
			use := fill(s)
			loom.Drive().Root("s", s)
			forever(use)
			forever(use)
		}, loom.MaxStates(1000))
		require.ErrorContains(t, err, "loom: a Graph cannot tell states apart: memory: "+why)
		require.False(t, errors.As(err, new(*loom.Violation)))
	}
}

// guarded is two threads and what one of them has seen under a lock; guards says
// which roots that may be.
func guarded(guards ...string) func() {
	return func() {
		s := &struct {
			mu    sync.Mutex
			plain int
		}{}
		other := new(int)
		d := loom.Drive()
		d.Root("s", s)
		d.Root("other", other)
		if len(guards) > 0 {
			d.Guards(s, "mu", guards...)
		}
		loom.Go(func() {
			for {
				loom.Boundary(0)
				s.mu.Lock()
				was := s.plain
				s.plain = 0
				s.mu.Unlock()
				if was == 2 {
					loom.Failf("Never2", "it was")
				}
			}
		})
		forever(func() { s.mu.Lock(); s.plain = min(s.plain+1, 2); *other = 1 - *other; s.mu.Unlock() })
	}
}

// TestWrongGuardsAreNoticed: with what a lock really guards, fewer states have the
// same verdict as with all that there is; with something else, states are merged that
// differ, which shows, or the verdict is not that of Exact.
func TestWrongGuardsAreNoticed(t *testing.T) {
	for _, right := range [][]func(){{guarded()}, {guarded("s")}, {guarded("s", "other")}} {
		require.Equal(t, "Never2", violated(t, right[0]).Claim)
		require.Equal(t, "Never2", violated(t, right[0], loom.Exact()).Claim)
	}
	wrong := guarded("other")
	require.Equal(t, "Never2", violated(t, wrong, loom.Exact()).Claim, "Exact takes nobody's word for what a lock guards")
	_, err := loom.Graph(wrong)
	var v *loom.Violation
	require.False(t, errors.As(err, &v) && v.Claim == "Never2", "a wrong Guards makes no difference: %v", err)
}

// TestGraphStopsAtItsBound, and says so: the graph is not closed, and what was asked
// for is no failure.
func TestGraphStopsAtItsBound(t *testing.T) {
	body := func() {
		var x atomic.Uint64
		loom.Drive().Root("x", &x)
		forever(func() { x.Add(1) })
		forever(func() { x.Add(2) })
	}
	r, err := loom.Graph(body, loom.MaxStates(2000))
	require.NoError(t, err)
	require.False(t, r.Exhausted)
	require.Greater(t, r.States, 2000)
	require.Less(t, r.States, 2000+5000)
	require.Equal(t, "the bound of 2000 states", r.Stopped)
	require.Contains(t, r.String(), "not exhausted, stopped by the bound of 2000 states: ")
}

// TestGraphStopsWhereMemoryEnds, and that is a failure, which says what to do.
func TestGraphStopsWhereMemoryEnds(t *testing.T) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(2 << 20))
	r, err := loom.Graph(func() {
		var x atomic.Uint64
		loom.Drive().Root("x", &x)
		forever(func() { x.Add(1) })
		forever(func() { x.Add(2) })
	})
	require.ErrorContains(t, err, "MiB, and GOMEMLIMIT is 2 MiB: the option MaxStates asks for a bounded run")
	require.False(t, r.Exhausted)
	require.Greater(t, r.States, 10_000)
}
