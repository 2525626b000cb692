package planted

import (
	"testing"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/cell"
)

func TestNamedLate(t *testing.T) {
	loom.Check(t, func() {
		q := &queue{}
		q.head.Store(0) // before it has a name
		q.slots[1].Store("first")
		loom.Name(q, "queue")
		if q.head.Load() == 0 && q.slots[1].Load() == "first" {
			loom.Failf("Planted", "on purpose")
		}
	})
}

// wrapped is a stack whose atomic operations are all in helpers.
type wrapped struct{ top, size atomic.Int64 }

func load(x *atomic.Int64) int64             { return x.Load() }
func cas(x *atomic.Int64, old, n int64) bool { return x.CompareAndSwap(old, n) }

func (w *wrapped) push(n int64) {
	if cas(&w.top, load(&w.top), n) {
		cas(&w.size, load(&w.size), load(&w.size)+1) // wrong: may fail
	}
}

func TestHelpers(t *testing.T) {
	loom.Check(t, func() {
		var w wrapped
		a, b := loom.Go(func() { w.push(1) }), loom.Go(func() { w.push(2) })
		a.Join()
		b.Join()
		if load(&w.size) == 1 && load(&w.top) == 2 {
			loom.Failf("NoLostUpdate", "two were pushed and the size is 1")
		}
	})
}

func TestHelpersOfCells(t *testing.T) {
	loom.Check(t, func() {
		var x, y cell.Cell[int]
		set := func(c *cell.Cell[int]) { c.Store(1) }
		loom.Go(func() {
			set(&y)
			set(&x)
		})
		set(&x)
	})
}
