//go:build loom

package loom_test

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/sync"
)

// lonely has bodies that are alone for a while, and some that only look so. They
// return what they have seen.
func lonely() map[string]func() string {
	return map[string]func() string{
		"before, between and after": func() string {
			var x, y atomic.Int32
			x.Store(1)
			a := loom.Go(func() { x.Add(1) })
			b := loom.Go(func() { x.Store(x.Load() * 3) })
			a.Join()
			b.Join()
			y.Store(x.Load())
			c := loom.Go(func() { x.Store(7) })
			d := loom.Go(func() { y.Store(x.Load()) })
			c.Join()
			d.Join()
			return fmt.Sprint(x.Load(), y.Load())
		},
		"an ended thread that is not joined": func() string {
			var x, y atomic.Int32
			loom.Go(func() { x.Store(1); y.Store(1) })
			y.Add(2)
			return fmt.Sprint(x.Load(), y.Load())
		},
		"one that a joined thread has started": func() string {
			var x atomic.Int32
			a := loom.Go(func() { loom.Go(func() { x.Add(2) }) })
			a.Join()
			return fmt.Sprint(x.Load())
		},
		"one that a joined thread has joined": func() string {
			var x, y atomic.Int32
			b := loom.Go(func() { x.Add(2) })
			a := loom.Go(func() { y.Store(x.Load()); b.Join(); x.Add(1) })
			a.Join()
			return fmt.Sprint(x.Load(), y.Load())
		},
		"not the body, but its thread": func() string {
			var x, y atomic.Int32
			var out string
			a := loom.Go(func() { x.Add(1) })
			loom.Go(func() {
				b := loom.Go(func() { x.Store(2 * x.Load()) })
				a.Join()
				b.Join()
				y.Store(x.Load())
				out = fmt.Sprint(x.Load(), y.Load())
			}).Join()
			return out
		},
		"one known by a group only": func() string {
			var x atomic.Int32
			var wg sync.WaitGroup
			wg.Add(2)
			for i := range 2 {
				loom.Go(func() { x.Store(int32(i)); wg.Done() })
			}
			wg.Wait()
			return fmt.Sprint(x.Load())
		},
	}
}

// seenAll explores a body and returns all that it can see.
func seenAll(t *testing.T, body func() string, opts ...loom.Option) (loom.Report, []string) {
	all := map[string]bool{}
	r, err := loom.Explore(func() { all[body()] = true }, opts...)
	require.NoError(t, err)
	require.True(t, r.Exhausted)
	return r, slices.Sorted(maps.Keys(all))
}

// TestStepsOfThreadsThatAreAloneMakeNoDifference: a search that is saved makes
// decisions of them, one that is not does not.
func TestStepsOfThreadsThatAreAloneMakeNoDifference(t *testing.T) {
	for name, body := range lonely() {
		t.Run(name, func(t *testing.T) {
			r, all := seenAll(t, body)
			saved, allSaved := seenAll(t, body, loom.Checkpoint(filepath.Join(t.TempDir(), "saved")))
			_, bySleep := seenAll(t, body, loom.Algorithm("sleep"))
			require.Equal(t, allSaved, all)
			require.Equal(t, bySleep, all)
			require.Equal(t, saved.Traces, r.Traces)
			require.Equal(t, saved.Executions, r.Executions)
			require.Equal(t, saved.MaxDepth, r.MaxDepth)
		})
	}
}

// TestAViolationWhileAloneIsReplayed: the schedule has the steps that were no
// decisions.
func TestAViolationWhileAloneIsReplayed(t *testing.T) {
	for name, body := range lonely() {
		t.Run(name, func(t *testing.T) {
			_, all := seenAll(t, body)
			last := all[len(all)-1]
			failing := func() {
				if body() == last {
					loom.Failf("Last", "seen %s", last)
				}
			}
			_, err := loom.Explore(failing)
			var v *loom.Violation
			require.ErrorAs(t, err, &v)
			require.Equal(t, "Last", v.Claim)
			_, err = loom.Explore(failing, loom.Replay(v.Token))
			require.ErrorAs(t, err, &v)
			require.Equal(t, "Last", v.Claim)
		})
	}
}

// TestABodyThatDiffersOnlyOnceIsRefused: what a body does while it is alone is
// looked at when it is repeated, and if it is the same from then on all that can
// be said is that it was not.
func TestABodyThatDiffersOnlyOnceIsRefused(t *testing.T) {
	runs := 0
	_, err := loom.Explore(func() {
		var x, y atomic.Int32
		if runs++; runs == 1 {
			y.Store(1)
		}
		a := loom.Go(func() { x.Add(1) })
		x.Add(1)
		a.Join()
	})
	require.ErrorContains(t, err, "the body is not deterministic: after the same decisions a thread that was alone")
}

// TestAYieldThatComesLate: only one order of the steps comes to it.
func TestAYieldThatComesLate(t *testing.T) {
	body := func() string {
		var x, y atomic.Int32
		var saw int32
		a := loom.Go(func() { x.Store(1); x.Store(2); y.Store(1) })
		b := loom.Go(func() {
			if x.Load() == 1 && x.Load() == 2 {
				for y.Load() == 0 {
					loom.Yield()
				}
			}
			saw = x.Load()
		})
		a.Join()
		b.Join()
		return fmt.Sprint(saw)
	}
	r, all := seenAll(t, body)
	saved, allSaved := seenAll(t, body, loom.Checkpoint(filepath.Join(t.TempDir(), "saved")))
	require.Equal(t, allSaved, all)
	require.Equal(t, saved.Traces, r.Traces)
	require.Equal(t, saved.Executions, r.Executions)
}
