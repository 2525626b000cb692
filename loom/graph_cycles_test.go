//go:build loom

package loom_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/sync"
)

// cycle is the part of a schedule that is taken again and again, by line.
func cycle(t *testing.T, schedule string) (prefix, round []string) {
	t.Helper()
	before, after, ok := strings.Cut(schedule, "from here on, again and again:\n")
	require.True(t, ok, schedule)
	after, _, _ = strings.Cut(after, "\n\n")
	return strings.Split(strings.TrimSpace(before), "\n"), strings.Split(strings.TrimSpace(after), "\n")
}

// TestLassoIsAPrefixAndACycle: a run without an end is printed as a way to a state
// and what leads from it back to it, by its claim.
func TestLassoIsAPrefixAndACycle(t *testing.T) {
	v := violated(t, func() {
		var x, y atomic.Int32
		d := loom.Drive()
		d.Root("x", &x)
		d.Root("y", &y)
		loom.Go(func() { x.Store(1); y.Store(1) })
		loom.Go(func() {
			for {
				loom.Boundary(0)
				for x.Load() == 1 {
					y.Load()
					loom.Boundary(1)
				}
				loom.Completed()
			}
		})
		d.NotForever("Clears", func() bool { return x.Load() == 1 && y.Load() == 1 })
	})
	require.Equal(t, "Clears", v.Claim)
	prefix, round := cycle(t, v.Schedule)
	require.Contains(t, strings.Join(prefix, "\n"), "Store")
	require.Len(t, round, 2, v.Schedule)
	require.Contains(t, round[0]+round[1], "Load = 1")
	require.NotContains(t, round[0]+round[1], "Store")
	require.Contains(t, v.Message, "the steps from step ")
	require.Contains(t, v.Command, "LOOM_REPLAY="+v.Token)
}

// TestWaitFreeIsMoreThanLockFree: a loop that others can keep from its end by
// completing theirs is lock-free and not wait-free; a step is.
func TestWaitFreeIsMoreThanLockFree(t *testing.T) {
	body := func(loops bool, claim func(d *loom.Driver, a, b *loom.Thread)) func() {
		return func() {
			var x atomic.Int32
			d := loom.Drive()
			d.Root("x", &x)
			a := forever(func() {
				if !loops {
					x.Swap(x.Load() & 3)
					return
				}
				for v := x.Load(); !x.CompareAndSwap(v, (v+1)%4); v = x.Load() {
					loom.Boundary(1)
				}
			})
			b := forever(func() { x.Add(2); x.And(3) })
			claim(d, a, b)
		}
	}
	lockFree := func(d *loom.Driver, a, b *loom.Thread) { d.Progress("LockFree", a, b) }
	waitFree := func(d *loom.Driver, a, b *loom.Thread) { d.WaitFree("WaitFree", a, b) }
	loom.CheckGraph(t, body(true, lockFree))
	loom.CheckGraph(t, body(false, waitFree))
	loom.CheckGraph(t, body(true, func(d *loom.Driver, _, b *loom.Thread) { d.WaitFree("WaitFree", b) }))
	v := violated(t, body(true, waitFree))
	require.Equal(t, "WaitFree", v.Claim)
	_, round := cycle(t, v.Schedule)
	all := strings.Join(round, "\n")
	require.Contains(t, all, "CompareAndSwap", "the loop goes round")
	require.Contains(t, all, "fails")
	require.Contains(t, all, "Add", "the other one completes operations")
}

// TestWaitFreeIsToldByNames: whose operation it is that is completed is not known of
// threads that are symmetric.
func TestWaitFreeIsToldByNames(t *testing.T) {
	for _, first := range []bool{false, true} {
		_, err := loom.Graph(func() {
			var x atomic.Int32
			d := loom.Drive()
			d.Root("x", &x)
			a, b := forever(func() { x.Load() }), forever(func() { x.Load() })
			if first {
				d.WaitFree("WaitFree", a)
			}
			d.Symmetric(a, b)
			d.WaitFree("WaitFree", b)
		})
		require.ErrorContains(t, err, "WaitFree: whose operations are completed is told by names")
	}
}

// TestLassoWithASleeperIsFair: one who waits for a lock takes no steps for ever only
// if it is held for ever, or again and again: to be fair is to let a thread go on
// that can all the time.
func TestLassoWithASleeperIsFair(t *testing.T) {
	body := func(other func(mu *sync.Mutex)) func() {
		return func() {
			s := &struct {
				mu   sync.Mutex
				done atomic.Int32
			}{}
			d := loom.Drive()
			d.Root("s", s)
			other(&s.mu)
			forever(func() { s.done.Load() })
			loom.Go(func() { s.mu.Lock(); s.done.Store(1); s.mu.Unlock() })
			d.NotForever("GetsIt", func() bool { return s.done.Load() == 0 })
		}
	}
	loom.CheckGraph(t, body(func(*sync.Mutex) {}))
	loom.CheckGraph(t, body(func(mu *sync.Mutex) { loom.Go(func() { mu.Lock(); mu.Unlock() }) }))
	v := violated(t, body(func(mu *sync.Mutex) { mu.Lock() }))
	require.Equal(t, "GetsIt", v.Claim)
	v = violated(t, body(func(mu *sync.Mutex) { forever(func() { mu.Lock(); mu.Unlock() }) }))
	require.Equal(t, "GetsIt", v.Claim)
	_, round := cycle(t, v.Schedule)
	all := strings.Join(round, "\n")
	require.Contains(t, all, "mutex#0 Lock", "who waits cannot go on now and then")
	require.Contains(t, all, "Load = 0", "and all others do")
}
