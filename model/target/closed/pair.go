package closed

import (
	"fmt"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/queue"
)

// pair is what the driver of two workers that steal from each other knows.
type pair struct {
	rings  [2]ring
	pushed [tags]bool
	taken  [tags]int8
}

// Pair is the most general client of two rings whose owners steal from each other:
// each pushes one task, or a batch of up to two as there is room, pops, steals or
// asks whether the other one is empty. Each ring has one thief, so nobody is ever told
// busy, and each worker completes operations whatever the other one does.
func Pair(capacity int) func() {
	return func() {
		d, p := loom.Drive(), &pair{}
		for i := range p.rings {
			p.rings[i] = newRing(d, capacity, 0)
			d.Root(fmt.Sprintf("ring %d", i), p.rings[i].Ring)
		}
		for _, l := range []any{&p.pushed, &p.taken} {
			d.Root("ledger", l)
		}
		var all []*loom.Thread
		for i := range p.rings {
			all = append(all, loom.Go(func() { p.work(i) }))
		}
		p.claims(d, all)
	}
}

// Push and PushBatch make a pair the place that overflows go to.
func (p *pair) Push(v int) bool { return p.PushBatch([]int{v}) }

func (p *pair) PushBatch(vs []int) bool {
	for _, v := range vs {
		p.take(v)
	}
	return true
}

func (p *pair) take(v int) {
	if v >= first {
		p.taken[v]++
	}
}

// work is worker i.
func (p *pair) work(i int) {
	own, other := p.rings[i], p.rings[1-i].Stealer()
	for {
		loom.Boundary(0)
		switch loom.Choose(5) {
		case 0:
			if v, ok := own.Pop(); ok {
				p.take(v)
			}
		case 1:
			v := p.task()
			loom.Boundary(uint64(v))
			own.Push(v, p)
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
			v, n, out := other.StealInto(own.Ring)
			if out == queue.Busy {
				loom.Failf("BusyIsHonest", "busy, and there is no other thief of this ring")
			}
			if n > own.Cap()/2 {
				loom.Failf("StealHalf", "a steal took %d tasks, the capacity is %d", n, own.Cap())
			}
			if out == queue.Stole {
				p.take(v)
			}
		case 4:
			other.Empty()
		}
		loom.Completed()
	}
}

// task returns any task or the tagged one that has not been pushed.
func (p *pair) task() int {
	if p.pushed[first] || loom.Choose(2) == 0 {
		return anonymous
	}
	p.pushed[first] = true
	return first
}

// claims says what must hold in every state.
func (p *pair) claims(d *loom.Driver, all []*loom.Thread) {
	d.Always("NoDuplicateTask", func() string {
		n := int(p.taken[first])
		for i := range p.rings {
			if p.rings[i].find(first) >= 0 && resting(d, all[0]) && resting(d, all[1]) {
				n++
			}
		}
		if n > 1 {
			return fmt.Sprintf("task %d is there %d times", first, n)
		}
		return ""
	})
	d.Always("NoLostTask", func() string {
		if !resting(d, all[0]) || !resting(d, all[1]) || !p.pushed[first] || p.taken[first] > 0 {
			return ""
		}
		if p.rings[0].find(first) < 0 && p.rings[1].find(first) < 0 {
			return fmt.Sprintf("task %d is nowhere, and nobody is at work", first)
		}
		return ""
	})
	d.Always("CapacityFromSteal", func() string {
		for _, r := range p.rings {
			if n := uint32(r.tail()) - r.steal(); n > uint32(r.Cap()) {
				return fmt.Sprintf("%d slots between steal and tail, the capacity is %d", n, r.Cap())
			}
		}
		return ""
	})
	d.Progress("LockFree")
}
