package linearizability

import (
	"fmt"
	"slices"

	"github.com/filch-sched/filch/model"
)

// places gives the tasks of a history their places in the rings. The owner of
// a ring does one thing at a time, so that the order of its tasks is known from
// its operations alone, whatever the thieves did and when.
type places struct {
	h        *History
	byThread [][]int      // the operations of each thread, in order
	rings    []ringPlaces // by number
	first    []int32      // per operation, the place of the first task that it takes
}

// ringPlaces is what has been in one ring.
type ringPlaces struct {
	tasks []model.Task // by place; what an overflow moved out is replaced by what came after
	// where is the inverse: the place of a task plus 1, or the negative of the
	// operation whose overflow moved it out, less 1.
	where *taskIndex
	taker []int32 // by place, which operation took the task; -1 if none
}

// findPlaces returns the places, or the violation if the tasks that were
// answered are not those that have to be there.
func findPlaces(h *History, index *taskIndex) (*places, *Violation, error) {
	p := &places{h: h, byThread: make([][]int, h.Threads), first: make([]int32, len(h.Ops))}
	for i := range h.Ops {
		p.byThread[h.Ops[i].Thread] = append(p.byThread[h.Ops[i].Thread], i)
	}
	p.rings = make([]ringPlaces, h.Threads)
	order, err := p.downstream()
	if err != nil {
		return nil, nil, err
	}
	for _, r := range order {
		p.rings[r].where = index.like()
		if v := p.fill(r); v != nil {
			return nil, v, nil
		}
		if v := p.take(r); v != nil {
			return nil, v, nil
		}
	}
	return p, nil, nil
}

// downstream orders the rings such that tasks are stolen from earlier ones into
// later ones only.
func (p *places) downstream() (order []int, err error) {
	n := p.h.Threads
	into := make([][]bool, n) // into[v][t]: tasks went from ring v to ring t
	waits := make([]int, n)
	for r := range into {
		into[r] = make([]bool, n)
	}
	for i := range p.h.Ops {
		o := &p.h.Ops[i]
		if o.Kind == model.Steal && o.Outcome == model.Stole && o.N > 1 && !into[o.On][o.Thread] {
			into[o.On][o.Thread] = true
			waits[o.Thread]++
		}
	}
	for len(order) < n {
		r := slices.Index(waits, 0)
		if r < 0 {
			return nil, fmt.Errorf("linearizability: tasks are stolen round in a circle of rings, " +
				"so that one can be in a ring twice and the two times cannot be told apart")
		}
		waits[r] = -1
		order = append(order, r)
		for t, in := range into[r] {
			if in {
				waits[t]--
			}
		}
	}
	return order, nil
}

// fill lists what ring r gets from its owner.
func (p *places) fill(r int) *Violation {
	for _, i := range p.byThread[r] {
		o := &p.h.Ops[i]
		switch {
		case (o.Outcome == model.Kept || o.Return == Never) && (o.Kind == model.Push || o.Kind == model.Batch):
			p.append(r, o.Args)
		case o.Outcome == model.Overflowed:
			if v := p.overflow(r, i); v != nil {
				return v
			}
		case o.Outcome == model.Handed && (len(o.Tasks) != 1 || o.Tasks[0] != o.Args[0]):
			return p.h.blame(model.OverflowKeepsOldest, fmt.Sprintf("task %d is pushed and %v handed over", o.Args[0], o.Tasks), i)
		case o.Outcome == model.Stole && o.N > 1:
			from := &p.rings[o.On]
			p.append(r, from.tasks[p.first[i]:p.first[i]+int32(o.N)-1])
		}
	}
	p.rings[r].taker = make([]int32, len(p.rings[r].tasks))
	for i := range p.rings[r].taker {
		p.rings[r].taker[i] = none
	}
	return nil
}

func (p *places) append(r int, tasks []model.Task) {
	ring := &p.rings[r]
	for _, t := range tasks {
		ring.tasks = append(ring.tasks, t)
		ring.where.set(t, int32(len(ring.tasks)))
	}
}

// overflow takes the newest half out of ring r, if that is what operation i
// handed over.
func (p *places) overflow(r, i int) *Violation {
	ring, o := &p.rings[r], &p.h.Ops[i]
	stay := len(ring.tasks) - p.h.Capacity/2
	if stay < 0 {
		return p.h.blame(model.CapacityFromSteal, fmt.Sprintf("ring %d overflows when %d tasks were ever in it", r, len(ring.tasks)), i)
	}
	want := append(slices.Clone(ring.tasks[stay:]), o.Args[0])
	if !slices.Equal(o.Tasks, want) {
		return p.h.blame(model.OverflowKeepsOldest, fmt.Sprintf(
			"the newest half and the pushed task are %s, and %s were handed over", few(want), few(o.Tasks)), i)
	}
	for _, t := range ring.tasks[stay:] {
		ring.where.set(t, -int32(i)-1)
	}
	ring.tasks = ring.tasks[:stay]
	return nil
}

// take finds the places of what is taken out of ring r.
func (p *places) take(r int) *Violation {
	for i := range p.h.Ops {
		o := &p.h.Ops[i]
		n := 1
		switch {
		case o.Kind == model.Pop && o.Thread == r && o.Outcome == model.Took:
		case o.Kind == model.Steal && o.On == r && o.Outcome == model.Stole:
			n = o.N
		default:
			continue
		}
		if v := p.takeOne(r, i, n); v != nil {
			return v
		}
	}
	return nil
}

// takeOne finds the places of the n tasks that operation i took out of ring r,
// of which it answered the last.
func (p *places) takeOne(r, i, n int) *Violation {
	ring, t := &p.rings[r], p.h.Ops[i].Tasks[0]
	last := ring.where.get(t) - 1
	if last < 0 {
		if by := -int(last) - 2; by >= 0 {
			return p.h.blame(model.NoDuplicateTask, fmt.Sprintf(
				"task %d is taken from ring %d, and an overflow has handed it over", t, r), i, by)
		}
		return p.h.blame(model.NoLostTask, fmt.Sprintf(
			"task %d is taken from ring %d, where it never was: the task whose place that is is lost", t, r), i)
	}
	first := last - int32(n) + 1
	if n < 1 || n > int(last)+1 {
		return p.h.blame(model.StealHalf, fmt.Sprintf(
			"%d tasks are stolen, the last of them the number %d that ever was in the ring", n, last+1), i)
	}
	p.first[i] = first
	for at := first; at <= last; at++ {
		if by := ring.taker[at]; by != none {
			return p.h.blame(model.NoDuplicateTask, fmt.Sprintf(
				"task %d is taken from ring %d twice", ring.tasks[at], r), i, int(by))
		}
		ring.taker[at] = int32(i)
	}
	return nil
}

// blame makes a violation of operations, the one that cannot be explained first.
func (h *History) blame(c model.Claim, message string, ops ...int) *Violation {
	v := &Violation{Claim: c, Message: message, Ops: slices.Compact(ops)}
	for _, op := range v.Ops {
		v.To = max(v.To, after(h, op))
	}
	return v
}

// few prints tasks, the middle of a long list left out.
func few(tasks []model.Task) string {
	if len(tasks) <= 8 {
		return fmt.Sprint(tasks)
	}
	return fmt.Sprintf("%v ... %v (%d)", tasks[:3], tasks[len(tasks)-3:], len(tasks))
}
