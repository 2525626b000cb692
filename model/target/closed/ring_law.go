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
	// refuses is whether what takes overflows may refuse them from some moment on, closed
	// whether it does by now.
	refuses, closed bool
}

// LawfulRing is Ring with the law in the place of claims: every history of pushes, pops
// and steals, overflows included, is one that package model allows. What overflows goes
// through the law's inject queue, and somebody takes it from there at once: nothing else
// is known of it then, and the queue is empty again. If refuses is set it is closed before
// any of them, and the push has to return what it cannot keep.
func LawfulRing(capacity, thieves int, refuses bool) func() {
	l := newLaw(model.Queues(1+thieves, capacity), model.Answers{Tasks: []model.Task{anonymous, first, second}, Capacity: capacity})
	return func() {
		d := loom.Drive()
		r := &lawfulRing{ring: newRing(d, capacity, 0), lawful: l.begin(d), sink: 1 + thieves, refuses: refuses}
		d.Root("ring", r.Ring)
		d.Root("pushed", &r.pushed)
		d.Root("closed", &r.closed)
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
	o := overflown{lawfulRing: r}
	var refused []model.Task
	for _, v := range r.Push(v, &o) {
		refused = append(refused, model.Task(v))
	}
	res := model.Result{Outcome: model.Overflowed, Tasks: o.tasks}
	switch {
	case o.tasks == nil && refused == nil:
		res = model.Result{Outcome: model.Kept}
	case o.tasks == nil || o.alone:
		res.Outcome = model.Handed
	}
	if o.refused || refused != nil { // whoever is refused has them back, and all of them
		res.Tasks, res.Refused = refused, true
	}
	r.returns(0, op, res)
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
	*lawfulRing
	tasks   []model.Task
	alone   bool
	refused bool
}

func (o *overflown) Push(v int) bool {
	o.alone = true
	return o.PushBatch([]int{v})
}

func (o *overflown) PushBatch(vs []int) bool {
	for _, v := range vs {
		o.tasks = append(o.tasks, model.Task(v))
	}
	if o.refuses && !o.closed && loom.Choose(2) == 1 {
		o.closed = true
		o.atOnce(o.sink, model.Op{Kind: model.InjectClose}, model.Result{Outcome: model.Done, N: 1})
	}
	if o.refused = o.closed; o.refused {
		return false
	}
	o.atOnce(o.sink, model.Op{Kind: model.InjectPopN, Max: len(vs)}, taken(true, slices.Clone(o.tasks)...))
	return true
}
