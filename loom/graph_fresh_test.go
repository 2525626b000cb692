//go:build loom

package loom_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
)

// stored is a word that is stored to.
type stored struct{ word, other atomic.Int32 }

// stepping is a driver of one thread that does something once, with the word said to
// be fresh.
func stepping(do func(s *stored)) func() {
	return func() {
		d, s := loom.Drive(), new(stored)
		d.Root("s", s)
		d.Fresh(s, "word")
		loom.Go(func() {
			loom.Boundary(0)
			do(s)
		})
		forever(func() { s.other.Store(1 - s.other.Load()) })
	}
}

// TestFreshWordGoesForward: one that comes back to a value is noticed, also if nobody
// ever does a compare-and-swap of it, and if it comes to its values in another order in
// another execution only.
func TestFreshWordGoesForward(t *testing.T) {
	for name, c := range map[string]struct {
		do   func(s *stored)
		back bool
	}{
		"forward": {func(s *stored) { s.word.Store(5); s.word.Store(2); s.word.Store(2) }, false},
		"by some": {func(s *stored) {
			s.word.Store(1 + int32(loom.Choose(2)))
			s.word.Store(3)
		}, false},
		"back": {func(s *stored) { s.word.Store(5); s.word.Store(0) }, true},
		"around": {func(s *stored) {
			for v := range int32(4) {
				s.word.Store(v % 3)
			}
		}, true},
		"in two orders": {func(s *stored) {
			v := int32(loom.Choose(2))
			s.word.Store(1 + v)
			s.word.Store(2 - v)
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			for _, opts := range [][]loom.Option{nil, {loom.WholeKeys(), loom.Workers(2)}, {loom.CellSteps()}} {
				r, err := loom.Graph(stepping(c.do), opts...)
				if !c.back {
					require.NoError(t, err)
					require.True(t, r.Exhausted)
					continue
				}
				require.ErrorContains(t, err, "loom: field word of a *loom_test.stored is no Fresh word: it comes to hold 0x")
				require.False(t, r.Exhausted)
			}
			r, err := loom.Graph(stepping(c.do), loom.Exact())
			require.NoError(t, err, "Exact leaves it out")
			require.True(t, r.Exhausted)
		})
	}
}
