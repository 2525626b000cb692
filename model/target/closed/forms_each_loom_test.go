//go:build loom

package closed_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/sync"
)

// small is code under check with something that each form can be said of.
type small struct {
	word, other atomic.Int32
	mu, second  sync.Mutex
	plain       int
	calls       int // what bump counts; of the rest report alone depends on it
}

// add is a loop around a compare-and-swap whose failed rounds leave nothing behind.
func (s *small) add(by int32) {
	for {
		v := s.word.Load()
		if s.word.CompareAndSwap(v, v+by) {
			return
		}
	}
}

// try gives up after a failed round: there it remembers something.
func (s *small) try() {
	for round := range 2 {
		v := s.word.Load()
		if s.word.CompareAndSwap(v, v+1) {
			s.other.Store(int32(round))
			return
		}
	}
}

// turn has a word hold what it has held before.
func (s *small) turn() {
	for {
		v := s.word.Load()
		if s.word.CompareAndSwap(v, (v+1)%3) {
			return
		}
	}
}

// parity goes by whether the word is odd.
func (s *small) parity() {
	if s.word.Add(1)%2 == 0 {
		s.other.Add(1)
	}
}

// third goes by more than that.
func (s *small) third() {
	if s.word.Add(1)%3 == 0 {
		s.other.Store(s.word.Load() % 3)
	}
}

func (s *small) bump() {
	s.mu.Lock()
	s.calls += loom.Choose(2)
	s.plain = 1 - s.plain
	s.mu.Unlock()
}

// report lets others see how often it has counted.
func (s *small) report() {
	s.mu.Lock()
	s.calls += loom.Choose(2)
	s.mu.Unlock()
	s.other.Store(int32(s.calls))
}

// note is guarded by another lock than bump.
func (s *small) note(other *int) {
	s.second.Lock()
	*other = 1 - *other
	s.second.Unlock()
}

// twice returns a body in which each of two threads does an operation so many times.
func twice(times int, said func(d *loom.Driver, s *small), do func(s *small)) func() {
	return func() {
		d, s := loom.Drive(), new(small)
		d.Root("small", s)
		said(d, s)
		for range 2 {
			loom.Go(func() {
				for left := times; left > 0; left-- {
					loom.Boundary(uint64(left))
					do(s)
				}
			})
		}
	}
}

func nothing(*loom.Driver, *small) {}

// guarding is two threads that use two locks, with what these guard in two roots.
func guarding(said bool) func() {
	return func() {
		d, s, other := loom.Drive(), new(small), new(int)
		d.Root("small", s)
		d.Root("other", other)
		if said {
			d.Guards(s, "mu", "small")
			d.Guards(s, "second", "other")
		}
		loom.Go(func() {
			s.bump()
			s.bump()
		})
		loom.Go(func() {
			s.note(other)
			s.note(other)
		})
	}
}

// remembering is two threads that store what the last operation has returned; a boundary
// with key before each is right if it tells that.
func remembering(bound bool, key func(last int32) uint64) func() {
	return func() {
		d, s := loom.Drive(), new(small)
		d.Root("small", s)
		for range 2 {
			loom.Go(func() {
				last := int32(0)
				for left := uint64(3); left > 0; left-- {
					if bound {
						loom.Boundary(left<<8 | key(last))
					}
					last = s.word.Swap(last+1) % 2
				}
			})
		}
	}
}

// turning is a thread whose round others may let succeed again after it was to fail.
func turning() {
	d, s := loom.Drive(), new(small)
	d.Root("small", s)
	d.Fresh(s, "word")
	loom.Go(s.turn)
	loom.Go(func() {
		for left := uint64(5); left > 0; left-- {
			loom.Boundary(left)
			s.turn()
		}
	})
}

// forms are what a driver can say that makes a graph smaller, each alone: with it, and
// without.
var forms = []struct {
	name          string
	with, without func()
	opts          []loom.Option // with it
	both          []loom.Option
}{
	{"RetryAt", twice(2, nothing, func(s *small) { s.add(1) }), twice(2, nothing, func(s *small) { s.add(1) }),
		[]loom.Option{loom.RetryAt("small.add", "CompareAndSwap")}, nil},
	{"Fresh", twice(2, func(d *loom.Driver, s *small) { d.Fresh(s, "word") }, func(s *small) { s.add(1) }), twice(2, nothing, func(s *small) { s.add(1) }),
		nil, []loom.Option{loom.RetryAt("small.add", "CompareAndSwap")}},
	{"View", twice(3, func(d *loom.Driver, s *small) { d.View(s, "word", func(v uint64) uint64 { return v % 2 }) }, (*small).parity), twice(3, nothing, (*small).parity), nil, nil},
	{"Ignore", twice(2, func(d *loom.Driver, s *small) { d.Ignore(s, "calls") }, (*small).bump), twice(2, nothing, (*small).bump), nil, nil},
	{"Guards", guarding(true), guarding(false), nil, nil},
	{"Boundary", remembering(true, func(last int32) uint64 { return uint64(last) }), remembering(false, nil), nil, nil},
}

// TestEachFormIsAQuotient: what a driver says makes states one and nothing else.
// TestFormOfSchedulerIsAQuotient is that for HeadAt, and TestFormIsAQuotient for Rotate.
func TestEachFormIsAQuotient(t *testing.T) {
	for _, f := range forms {
		t.Run(f.name, func(t *testing.T) {
			without := parse(t, export(t, f.without, f.both...))
			with := parse(t, export(t, f.with, append(f.opts, f.both...)...))
			t.Logf("%d states without, %d with", len(without.to), len(with.to))
			require.Less(t, len(with.to), len(without.to))
			quotient(t, without, with)
		})
	}
}

// TestEachWrongFormIsNoticed: what makes states one that differ ends the search with an
// error.
func TestEachWrongFormIsNoticed(t *testing.T) {
	retry := func(f string) loom.Option { return loom.RetryAt(f, "CompareAndSwap") }
	for _, f := range []struct {
		name string
		body func()
		opts []loom.Option
	}{
		{"RetryAt", twice(2, nothing, (*small).try), []loom.Option{retry("small.try")}},
		{"Fresh", turning, []loom.Option{retry("small.turn")}},
		{"View", twice(3, func(d *loom.Driver, s *small) { d.View(s, "word", func(v uint64) uint64 { return v % 2 }) }, (*small).third), nil},
		{"Ignore", twice(3, func(d *loom.Driver, s *small) { d.Ignore(s, "calls") }, (*small).report), nil},
		{"Boundary", remembering(true, func(int32) uint64 { return 0 }), nil},
	} {
		t.Run(f.name, func(t *testing.T) {
			_, err := loom.Graph(f.body, f.opts...)
			require.ErrorContains(t, err, "loom: the body is not deterministic")
		})
	}
}
