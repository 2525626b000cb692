//go:build loom

package loom_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/cell"
	"github.com/filch-sched/filch/loom/sync"
)

// forever starts a thread that does op again and again, with a boundary before.
func forever(op func()) *loom.Thread {
	return loom.Go(func() {
		for {
			loom.Boundary(0)
			op()
			loom.Completed()
		}
	})
}

// violated returns the violation of a Graph, and checks that its token replays it.
func violated(t *testing.T, body func(), opts ...loom.Option) *loom.Violation {
	t.Helper()
	_, err := loom.Graph(body, opts...)
	var v *loom.Violation
	require.ErrorAs(t, err, &v)
	_, err = loom.Graph(body, append(opts, loom.Replay(v.Token))...)
	var again *loom.Violation
	require.ErrorAs(t, err, &again)
	require.Equal(t, v.Schedule, again.Schedule)
	return v
}

func TestGraphOfEndlessThreadsCloses(t *testing.T) {
	r := loom.CheckGraph(t, func() {
		var x atomic.Int32
		loom.Drive().Root("x", &x)
		for range 2 {
			forever(func() { x.Store(1 - x.Load()) })
		}
	})
	require.True(t, r.Exhausted)
	// x is 0 or 1; each thread is before its load, or has loaded 0 or 1; but they
	// have not both loaded what x is not.
	require.Equal(t, 2*3*3-2, r.States)
	require.Equal(t, 2*r.States, r.Edges)
}

func TestGraphFindsTheShortestWayToAViolation(t *testing.T) {
	v := violated(t, func() {
		var x atomic.Int32
		d := loom.Drive()
		d.Root("x", &x)
		d.Always("Small", func() string {
			if x.Load() > 3 {
				return "x is 4"
			}
			return ""
		})
		for range 2 {
			forever(func() {
				if x.Add(1) == 3 && loom.Choose(2) == 0 {
					x.Store(0)
				}
			})
		}
	})
	require.Equal(t, "Small", v.Claim)
	require.Equal(t, 4, len(addSteps(v.Schedule)), v.Schedule)
}

// TestGraphTriesAllOutcomes of all choices of a step.
func TestGraphTriesAllOutcomes(t *testing.T) {
	var met [3][4]bool
	loom.CheckGraph(t, func() {
		var x, y atomic.Int32
		d := loom.Drive()
		d.Root("x", &x)
		d.Root("y", &y)
		d.Always("Met", func() string { met[x.Load()][y.Load()] = true; return "" })
		forever(func() {
			a, b := loom.Choose(3), loom.Choose(4)
			x.Store(int32(a))
			y.Store(int32(b))
		})
	})
	require.NotContains(t, fmt.Sprint(met), "false")
}

// TestGraphSeesRacesOnCells: also those that a thread makes just before it ends, or
// starts another.
func TestGraphSeesRacesOnCells(t *testing.T) {
	for name, body := range map[string]func(c *cell.Cell[int], x *atomic.Int32){
		"unordered": func(c *cell.Cell[int], x *atomic.Int32) {
			forever(func() { x.Add(1); c.Store(1); x.Store(0) })
			forever(func() { x.Load(); c.Load() })
		},
		"at the end": func(c *cell.Cell[int], x *atomic.Int32) {
			loom.Go(func() { x.Load(); c.Store(1) })
			loom.Go(func() { x.Load(); x.Load(); c.Load() })
		},
		"before a start": func(c *cell.Cell[int], x *atomic.Int32) {
			loom.Go(func() { x.Load(); c.Store(1); loom.Go(func() { x.Load() }) })
			loom.Go(func() { x.Load(); x.Load(); c.Load() })
		},
	} {
		for _, opts := range [][]loom.Option{nil, {loom.CellSteps()}} {
			v := violated(t, func() {
				var c cell.Cell[int]
				var x atomic.Int32
				loom.Drive().Root("c", &c)
				loom.Drive().Root("x", &x)
				body(&c, &x)
			}, opts...)
			require.Equal(t, loom.ClaimRace, v.Claim, name)
		}
	}
}

func TestGraphSeesNoRaceThatAStartOrAnEndOrders(t *testing.T) {
	for _, opts := range [][]loom.Option{nil, {loom.CellSteps()}} {
		loom.CheckGraph(t, func() {
			var c cell.Cell[int]
			var x atomic.Int32
			loom.Drive().Root("c", &c)
			loom.Drive().Root("x", &x)
			loom.Go(func() {
				x.Load()
				c.Store(1)
				loom.Go(func() { c.Store(2); x.Load(); c.Store(3) }).Join()
				c.Store(4)
			})
			loom.Go(func() { x.Store(1) })
		}, opts...)
	}
}

func TestGraphDeadlock(t *testing.T) {
	v := violated(t, func() {
		var a, b sync.Mutex
		loom.Drive().Root("a", &a)
		loom.Drive().Root("b", &b)
		forever(func() { a.Lock(); b.Lock(); b.Unlock(); a.Unlock() })
		forever(func() { b.Lock(); a.Lock(); a.Unlock(); b.Unlock() })
	}, loom.Deadlock("NoDeadlock"))
	require.Equal(t, "NoDeadlock", v.Claim)
}

// TestGraphWhatALockGuardsIsRemembered: a thread that has read plain memory under
// a lock goes on with what was there then, also after others have changed it.
func TestGraphWhatALockGuardsIsRemembered(t *testing.T) {
	v := violated(t, func() {
		var mu sync.Mutex
		s := &struct{ plain, last int }{}
		loom.Drive().Root("mu", &mu)
		loom.Drive().Root("s", s)
		loom.Go(func() {
			for {
				loom.Boundary(0)
				mu.Lock()
				was := s.plain
				s.plain = 0
				mu.Unlock()
				if was == 2 {
					loom.Failf("Never2", "it was")
				}
			}
		})
		forever(func() { mu.Lock(); s.plain = min(s.plain+1, 2); mu.Unlock() })
	})
	require.Equal(t, "Never2", v.Claim)
}

// spinlock is a lock that is not lock-free.
func spinlock(x *atomic.Int32) {
	for !x.CompareAndSwap(0, 1) {
		loom.Boundary(1)
	}
	x.Store(0)
}

func TestGraphFindsEndlessRuns(t *testing.T) {
	v := violated(t, func() {
		var x atomic.Int32
		d := loom.Drive()
		d.Root("x", &x)
		forever(func() { spinlock(&x) })
		forever(func() { spinlock(&x) })
		d.Progress("LockFree")
	})
	require.Equal(t, "LockFree", v.Claim)
	require.Contains(t, v.Message, "can go on for ever")
	loom.CheckGraph(t, func() {
		var x atomic.Int32
		d := loom.Drive()
		d.Root("x", &x)
		for range 2 {
			forever(func() {
				for v := x.Load(); !x.CompareAndSwap(v, 1-v); v = x.Load() {
					loom.Boundary(1)
				}
			})
		}
		d.Progress("LockFree")
	})
}

// TestGraphIsFair: a condition that only an unfair run keeps up is no violation.
func TestGraphIsFair(t *testing.T) {
	body := func(clears bool) func() {
		return func() {
			var x, y atomic.Int32
			d := loom.Drive()
			d.Root("x", &x)
			d.Root("y", &y)
			forever(func() { y.Store(1 - y.Load()) })
			forever(func() {
				if clears {
					x.Store(0)
				} else {
					x.Load()
				}
			})
			loom.Go(func() { x.Store(1) })
			d.NotForever("Cleared", func() bool { return x.Load() == 1 })
		}
	}
	loom.CheckGraph(t, body(true))
	_, err := loom.Graph(body(false))
	var v *loom.Violation
	require.ErrorAs(t, err, &v)
	require.Equal(t, "Cleared", v.Claim)
}

// TestGraphSymmetry: three threads of which nothing tells which is which have about
// a sixth of the states.
func TestGraphSymmetry(t *testing.T) {
	run := func(symmetric bool) loom.Report {
		return loom.CheckGraph(t, func() {
			var x atomic.Int32
			d := loom.Drive()
			d.Root("x", &x)
			var all []*loom.Thread
			for range 3 {
				own := new(atomic.Int32)
				th := forever(func() { own.Store(x.Load()); x.Store(1 - own.Load()) })
				d.Own(th, "own", own)
				all = append(all, th)
			}
			if symmetric {
				d.Symmetric(all...)
			}
		})
	}
	each, all := run(true), run(false)
	require.Less(t, 3*each.States, all.States)
	require.Less(t, all.States, 6*each.States)
}

// TestGraphRefusesWhatItCannotKey: what is left out of a key, or is wrong in it,
// shows.
func TestGraphRefusesWhatItCannotKey(t *testing.T) {
	_, err := loom.Graph(func() {
		var x atomic.Int32
		for range 2 {
			forever(func() { x.Store(1 - x.Load()) })
		}
	})
	require.ErrorContains(t, err, "no root leads to it")

	_, err = loom.Graph(func() {
		var x atomic.Int32
		d := loom.Drive()
		d.Root("x", &x)
		d.View(&x, "v", func(v uint64) uint64 { return v / 2 }) // but 2 and 3 are not alike
		forever(func() {
			if x.Add(1) == 3 {
				x.Store(0)
			}
		})
		forever(func() { x.Load() })
	})
	require.ErrorContains(t, err, "leads to another state than before")

	_, err = loom.Graph(func() {
		var x atomic.Int32
		loom.Drive().Root("x", &x)
		n := 0
		forever(func() { // remembers more than its boundary says
			if n++; n%2 == 0 {
				x.Store(1 - x.Load())
			} else {
				x.Load()
			}
		})
		forever(func() { x.Load() })
	})
	require.ErrorContains(t, err, "leads to another state than before")

	_, err = loom.Graph(func() { loom.Go(func() { loom.Yield() }) })
	require.ErrorContains(t, err, "Yield in a Graph")
	_, err = loom.Graph(func() { loom.Drive().Fresh(&struct{ n int }{}, "m") })
	require.ErrorContains(t, err, "has no field m")
	require.False(t, errors.As(err, new(*loom.Violation)))
}

// addSteps are the lines of a schedule that add.
func addSteps(schedule string) (lines []string) {
	for line := range strings.Lines(schedule) {
		if strings.Contains(line, " Add ") {
			lines = append(lines, line)
		}
	}
	return lines
}
