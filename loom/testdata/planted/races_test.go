package planted

import (
	"testing"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/cell"
	"github.com/filch-sched/filch/loom/cmd/loom/hook"
	plain "github.com/filch-sched/filch/loom/cmd/loom/hook/atomic"
	"github.com/filch-sched/filch/loom/sync"
)

// ring has room for two, and no lock.
type ring struct {
	tail  cell.Cell[int]
	slots [2]cell.Cell[string]
}

func (r *ring) put(s string) {
	n := r.tail.Load()
	r.slots[n%2].Store(s)
	r.tail.Store(n + 1)
}

func TestRingWithoutALock(t *testing.T) {
	loom.Check(t, func() {
		var r ring
		loom.Name(&r, "ring")
		loom.Go(func() { r.put("a") })
		r.put("b")
		r.put("c")
	})
}

func TestLoadAndStoreInOneLine(t *testing.T) {
	loom.Check(t, func() {
		var x cell.Cell[int]
		var turn atomic.Int32
		add := func() { turn.Add(1); x.Store(x.Load() + 1) }
		loom.Go(add)
		loom.Go(add)
	})
}

func TestLoadThenStore(t *testing.T) {
	loom.Check(t, func() {
		var ready atomic.Bool
		var x cell.Cell[int]
		loom.Go(func() { x.Load(); x.Load(); ready.Store(true) })
		loom.Go(func() { x.Load() }) // the one that nothing orders
		for !ready.Load() {
			loom.Yield()
		}
		x.Store(1)
	})
}

func TestRaceOfManyThreads(t *testing.T) {
	loom.Check(t, func() {
		var turn atomic.Int32
		var x cell.Cell[string]
		for range 7 {
			loom.Go(func() {
				if turn.Add(1) > 5 {
					x.Store("written by who comes late")
				}
			})
		}
	})
}

func TestWaitGroupUsedAgain(t *testing.T) {
	loom.Check(t, func() {
		var group sync.WaitGroup
		loom.Go(func() { group.Add(1); group.Done() }) // wrong: not before Wait
		group.Wait()
	})
}

// The rest is what go tool loom makes of plain variables.

func TestPlainAppend(t *testing.T) {
	loom.Check(t, func() {
		var list []int
		var turn atomic.Int32
		put := func() {
			turn.Add(1)
			*hook.W(&list) = append(*hook.R(&list), 1)
		}
		loom.Go(put)
		loom.Go(put)
	})
}

func TestPlainAfterAtomic(t *testing.T) {
	loom.Check(t, func() {
		var x int32
		var later atomic.Int32
		loom.Go(func() { plain.AddInt32(&x, 1) })
		loom.Go(func() { later.Load(); *hook.W(&x) = 7 })
	})
}

func TestAtomicAfterPlain(t *testing.T) {
	loom.Check(t, func() {
		var x int32
		loom.Go(func() { *hook.W(&x) = 7 })
		loom.Go(func() { plain.LoadInt32(&x) })
	})
}

func TestPlainLoadAndAtomicStore(t *testing.T) {
	loom.Check(t, func() {
		var x, y int32
		loom.Go(func() { *hook.W(&y) = *hook.R(&x) })
		plain.StoreInt32(&x, 1)
	})
}
