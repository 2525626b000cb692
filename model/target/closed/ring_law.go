package closed

import (
	"slices"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/model"
	"github.com/filch-sched/filch/queue"
)

// lawfulRing is a ring whose histories are held against the law.
type lawfulRing struct {
	ring
	*lawful
	sink   int // the thread that takes what overflows
	pushed [tags]bool
}

// LawfulRing is Ring with the law in the place of claims: every history of pushes, pops
// and steals, overflows and refusals included, is one that package model allows. What
// overflows goes through the law's inject queue, and somebody takes it from there at once:
// nothing else is known of it then, and the queue is empty again.
func LawfulRing(capacity, thieves int) func() {
	l := newLaw(model.Queues(1+thieves, capacity), model.Answers{Tasks: []model.Task{anonymous, first, second}, Capacity: capacity})
	return func() {
		d := loom.Drive()
		r := &lawfulRing{ring: newRing(d, capacity, 0), lawful: l.begin(d), sink: 1 + thieves}
		d.Root("ring", r.Ring)
		d.Root("pushed", &r.pushed)
		loom.Go(r.own)
		s := newNames(d, 1+thieves)
		s.taken = 1 // the owner's
		var all []*loom.Thread
		for range thieves {
			own, name := newRing(d, capacity, 0), new(uint8)
			t := loom.Go(func() {
				for {
					loom.Boundary(0)
					r.steal(&own, s, name)
				}
			})
			d.Own(t, "own", own.Ring)
			d.Own(t, "name", name)
			all = append(all, t)
		}
		d.Symmetric(all...)
	}
}

// own is the owner.
func (r *lawfulRing) own() {
	for {
		loom.Boundary(0)
		v := loom.Choose(tags)
		switch {
		case v == none:
			r.take(0, r.Ring)
		case v == anonymous || !r.pushed[v] && (v == first || r.pushed[first]):
			r.pushed[v] = v >= first
			r.push(v)
		}
	}
}

// take is a pop of a thread from its own ring.
func (r *lawfulRing) take(thread int, from *queue.Ring[int]) {
	op := model.Op{Kind: model.Pop}
	r.call(thread, op)
	v, ok := from.Pop()
	r.returns(thread, op, taken(ok, model.Task(v)))
}

// push is a push by the owner.
func (r *lawfulRing) push(v int) {
	op := model.Op{Kind: model.Push, Args: []model.Task{model.Task(v)}}
	r.call(0, op)
	o := overflown{lawful: r.lawful, sink: r.sink}
	r.Push(v, &o)
	switch {
	case o.tasks == nil:
		r.returns(0, op, model.Result{Outcome: model.Kept})
	case o.alone:
		r.returns(0, op, model.Result{Outcome: model.Handed, Tasks: o.tasks})
	default:
		r.returns(0, op, model.Result{Outcome: model.Overflowed, Tasks: o.tasks})
	}
}

// steal is a steal of a thief into its own ring, which is empty, and the pops that
// empty it.
func (r *lawfulRing) steal(own *ring, s *names, name *uint8) {
	*name = s.take(0)
	op := model.Op{Kind: model.Steal}
	r.call(int(*name), op)
	v, n, out := r.Stealer().StealInto(own.Ring)
	r.returns(int(*name), op, stolen(v, n, out))
	for range n - 1 {
		loom.Boundary(1)
		r.take(int(*name), own.Ring)
	}
	s.free(name)
}

// stolen is what a steal has come to.
func stolen(v, n int, out queue.Outcome) model.Result {
	switch out {
	case queue.Stole:
		return model.Result{Outcome: model.Stole, Tasks: []model.Task{model.Task(v)}, N: n}
	case queue.Busy:
		return model.Result{Outcome: model.Busy}
	case queue.NoRoom:
		return model.Result{Outcome: model.NoRoom}
	}
	return model.Result{Outcome: model.Empty}
}

// overflown takes what a push cannot keep, and has it taken from the law's inject queue
// in the same step.
type overflown struct {
	*lawful
	sink  int
	tasks []model.Task
	alone bool
}

func (o *overflown) Push(v int) bool {
	o.alone = true
	return o.PushBatch([]int{v})
}

func (o *overflown) PushBatch(vs []int) bool {
	for _, v := range vs {
		o.tasks = append(o.tasks, model.Task(v))
	}
	o.atOnce(o.sink, model.Op{Kind: model.InjectPopN, Max: len(vs)}, taken(true, slices.Clone(o.tasks)...))
	return true
}
