package closed

import (
	"fmt"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/queue"
)

// chain is what the driver of rings in a row knows.
type chain struct {
	rings [3]ring
	here  int // tasks that have been pushed and not taken
}

// Chain is the most general client of three rings in a row: the first owner pushes, and
// each of the other two steals from the ring before its own and pops. So a ring is
// stolen from while its owner steals into it. Each ring has one thief, and each worker
// completes operations whatever the others do. No task is tagged. The first two rings
// are full at the beginning.
func Chain(capacity int) func() {
	return func() {
		d, c := loom.Drive(), new(chain)
		for i := range c.rings {
			c.rings[i] = newRing(d, capacity, 0)
			d.Root(fmt.Sprintf("ring %d", i), c.rings[i].Ring)
		}
		for range capacity {
			for i := range 2 {
				c.here++
				c.rings[i].Push(anonymous, c)
			}
		}
		d.Root("here", &c.here)
		all := []*loom.Thread{loom.Go(c.push)}
		for i := range len(c.rings) - 1 {
			all = append(all, loom.Go(func() { c.work(i + 1) }))
		}
		c.claims(d, all)
		d.Progress("LockFree")
	}
}

// push is the first owner.
func (c *chain) push() {
	for {
		loom.Boundary(0)
		c.here++
		c.rings[0].Push(anonymous, c)
		loom.Completed()
	}
}

// Push and PushBatch take what the first ring cannot hold.
func (c *chain) Push(v int) bool { return c.PushBatch([]int{v}) }

func (c *chain) PushBatch(vs []int) bool {
	for _, v := range vs {
		c.take(v)
	}
	return true
}

// take books that a task has left.
func (c *chain) take(v int) {
	if v == none {
		loom.Failf("NoDuplicateTask", "an empty slot was taken: its task has been taken before, or is not there yet")
	}
	c.here--
}

// work is the owner of ring i.
func (c *chain) work(i int) {
	own, before := &c.rings[i], &c.rings[i-1]
	for {
		loom.Boundary(0)
		if loom.Choose(2) == 0 {
			if v, ok := own.Pop(); ok {
				c.take(v)
			}
		} else {
			v, n, out := before.Stealer().StealInto(own.Ring)
			before.answers(own, out, false)
			if n > own.Cap()/2 {
				loom.Failf("StealHalf", "a steal took %d tasks, the capacity is %d", n, own.Cap())
			}
			if out == queue.Stole {
				c.take(v)
			}
		}
		loom.Completed()
	}
}

// claims says what must hold in every state.
func (c *chain) claims(d *loom.Driver, all []*loom.Thread) {
	d.Always("CapacityFromSteal", func() string {
		for i := range c.rings {
			r := &c.rings[i]
			if n := uint32(r.Tail()) - r.Steal(); n > uint32(r.Cap()) {
				return fmt.Sprintf("%d slots between steal and tail, the capacity is %d", n, r.Cap())
			}
		}
		return ""
	})
	in := func() (n int, quiet bool) {
		for i := range c.rings {
			n += c.rings[i].visible()
			if !resting(d, all[i]) {
				return 0, false
			}
		}
		return n, true
	}
	d.Always("NoLostTask", func() string {
		if n, quiet := in(); quiet && n < c.here {
			return fmt.Sprintf("%d tasks have been pushed and not taken, and %d are there", c.here, n)
		}
		return ""
	})
	d.Always("NoDuplicateTask", func() string {
		if n, quiet := in(); quiet && n > c.here {
			return fmt.Sprintf("%d tasks have been pushed and not taken, and %d are there", c.here, n)
		}
		return ""
	})
}
