package closed

import (
	"fmt"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/queue"
)

// pair is what the driver of two workers that steal from each other knows.
type pair struct {
	rings  [2]ring
	tagged int // how many of the tasks are
	book
	home  int8       // the ring that the tagged tasks are pushed into
	moved [tags]bool // it has been in the other one
}

// Pair is the most general client of two rings whose owners steal from each other:
// each pushes one task, or a batch of up to two as there is room, pops, steals or
// asks whether the other one is empty. Each ring has one thief, so nobody is ever told
// busy, and each worker completes operations whatever the other one does. One task
// is tagged or two; these are pushed into one ring.
func Pair(capacity, tagged int) func() {
	return func() {
		d, p := loom.Drive(), &pair{tagged: tagged}
		for i := range p.rings {
			p.rings[i] = newRing(d, capacity, 0)
			d.Root(fmt.Sprintf("ring %d", i), p.rings[i].Ring)
		}
		for _, l := range []any{&p.book, &p.home, &p.moved} {
			d.Root("ledger", l)
		}
		var all []*loom.Thread
		for i := range p.rings {
			all = append(all, loom.Go(func() { p.work(int8(i)) }))
		}
		p.claims(d, all)
		d.Progress("LockFree")
	}
}

// work is worker i.
func (p *pair) work(i int8) {
	own, other := &p.rings[i], &p.rings[1-i]
	for {
		loom.Boundary(0)
		switch loom.Choose(5) {
		case 0:
			if v, ok := own.Pop(); ok {
				p.take(v)
			}
		case 1:
			v := p.task(i)
			loom.Boundary(uint64(v))
			own.Push(v, p.spill(own, v))
		case 2:
			free := own.Free()
			loom.Boundary(uint64(tags + free))
			if free > 0 {
				vs := make([]int, min(free, 2))
				for i := range vs {
					vs[i] = anonymous
				}
				own.PushBatch(vs)
			}
		case 3:
			v, n, out := other.Stealer().StealInto(own.Ring)
			other.answers(own, out, false)
			if n > own.Cap()/2 {
				loom.Failf("StealHalf", "a steal took %d tasks, the capacity is %d", n, own.Cap())
			}
			if out == queue.Stole {
				p.stole(i, v)
			}
		case 4:
			other.Stealer().Empty()
		}
		loom.Completed()
	}
}

// stole books a steal of worker i that brought v, to be run at once, and others.
func (p *pair) stole(i int8, v int) {
	if p.tagged == 2 && i != p.home {
		has := p.rings[i].find(second) >= 0
		if v == first && !p.moved[first] && has {
			loom.Failf("FIFO", "a steal brought task %d after task %d, which was pushed later", first, second)
		}
		p.moved[first] = p.moved[first] || p.rings[i].find(first) >= 0
		p.moved[second] = p.moved[second] || has
	}
	p.take(v)
}

// task returns any task or the tagged one that is next.
func (p *pair) task(i int8) int {
	next := p.next()
	if next >= first+p.tagged || next == second && i != p.home || loom.Choose(2) == 0 {
		return anonymous
	}
	p.pushed[next] = true
	if p.tagged == 2 {
		p.home = i
	}
	return next
}

// claims says what must hold in every state.
func (p *pair) claims(d *loom.Driver, all []*loom.Thread) {
	in := func(v int) (n int) {
		for i := range p.rings {
			if p.rings[i].find(v) >= 0 {
				n++
			}
		}
		return n
	}
	quiet := func() bool { return resting(d, all[0]) && resting(d, all[1]) }
	each := func(claim string, wrong func(v int) string) {
		d.Always(claim, func() string {
			for v := first; v < first+p.tagged; v++ {
				if s := wrong(v); s != "" {
					return s
				}
			}
			return ""
		})
	}
	each("NoDuplicateTask", func(v int) string {
		if n := int(p.taken[v]); n > 1 || quiet() && n+in(v) > 1 {
			return fmt.Sprintf("task %d is there %d times", v, n+in(v))
		}
		return ""
	})
	each("NoLostTask", func(v int) string {
		if quiet() && p.pushed[v] && p.taken[v] == 0 && in(v) == 0 {
			return fmt.Sprintf("task %d is nowhere, and nobody is at work", v)
		}
		return ""
	})
	d.Always("CapacityFromSteal", func() string {
		for i := range p.rings {
			r := &p.rings[i]
			if n := uint32(r.Tail()) - r.Steal(); n > uint32(r.Cap()) {
				return fmt.Sprintf("%d slots between steal and tail, the capacity is %d", n, r.Cap())
			}
		}
		return ""
	})
	d.Always("FIFO", func() string {
		r := &p.rings[p.home]
		at := r.find(first)
		if at < 0 || p.moved[first] || !p.pushed[second] || p.spilled || !resting(d, all[p.home]) {
			return ""
		}
		if next := r.find(second); next >= 0 && next < at || p.taken[second] > 0 {
			return fmt.Sprintf("task %d was pushed first and has not left, and task %d has or stands before it", first, second)
		}
		return ""
	})
}
