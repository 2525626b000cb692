package closed

import (
	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/model"
	"github.com/filch-sched/filch/queue"
)

// lawfulInject is an inject queue whose histories are held against the law.
type lawfulInject struct {
	*queue.Inject[model.Task]
	*lawful
	limit  int
	room   int // for tasks, less those that pushes have been begun with
	pushed [tags]bool
}

// LawfulInject is Inject with the law in the place of claims: every history of pushes,
// closes, pops and lengths is one that package model allows. Any task may be pushed any
// number of times, and each of the two tagged ones once, the second one not called
// before the first.
func LawfulInject(limit int) func() {
	l := newLaw(model.Queues(0, 0), model.Answers{Tasks: []model.Task{anonymous, first, second}, Room: limit})
	return func() {
		d := loom.Drive()
		q := &lawfulInject{Inject: new(queue.Inject[model.Task]), lawful: l.begin(d), limit: limit, room: limit}
		d.Root("queue", q.Inject)
		d.Guards(q.Inject, "mu", "queue")
		d.Root("room", &q.room)
		d.Root("pushed", &q.pushed)
		s := newNames(d, 2)
		for _, operate := range []func(*names, *uint8){q.push, q.pop} {
			var all []*loom.Thread
			for range 2 {
				name := new(uint8)
				t := loom.Go(func() {
					for {
						loom.Boundary(0)
						operate(s, name)
					}
				})
				d.Own(t, "name", name)
				all = append(all, t)
			}
			d.Symmetric(all...)
		}
	}
}

// What operations do, for names: pushes have three numbers, batches nine from 3 on.
const (
	ofBatch = tags - anonymous
	ofClose = ofBatch + ofBatch*ofBatch + iota - 1
	ofPop
	ofPopN
	ofLen
)

// do does an operation.
func (q *lawfulInject) do(s *names, name *uint8, op model.Op, operate func() model.Result) model.Result {
	*name = s.take(number(op))
	q.call(int(*name), op)
	r := operate()
	q.returns(int(*name), op, r)
	s.free(name)
	return r
}

func number(op model.Op) int {
	switch op.Kind {
	case model.InjectPush:
		return int(op.Args[0]) - anonymous
	case model.InjectBatch:
		return ofBatch + int(op.Args[0]-anonymous)*ofBatch + int(op.Args[1]) - anonymous
	case model.InjectClose:
		return ofClose
	case model.InjectPop:
		return ofPop
	case model.InjectPopN:
		return ofPopN
	}
	return ofLen
}

// push is an operation of a pusher, nothing if there is no room or the task that it
// would push is tagged and was.
func (q *lawfulInject) push(s *names, name *uint8) {
	if loom.Choose(2) == 0 {
		q.do(s, name, model.Op{Kind: model.InjectClose}, func() model.Result {
			return model.Result{Outcome: model.Done, N: int(truth(q.Close()))}
		})
		return
	}
	vs := q.some()
	if vs == nil {
		return
	}
	op := model.Op{Kind: model.InjectPush, Args: vs}
	if len(vs) > 1 {
		op.Kind = model.InjectBatch
	}
	r := q.do(s, name, op, func() model.Result {
		kept := false
		if len(vs) == 1 {
			kept = q.Push(vs[0])
		} else {
			kept = q.PushBatch(vs)
		}
		if kept {
			return model.Result{Outcome: model.Kept}
		}
		return model.Result{Outcome: model.Closed}
	})
	if r.Outcome == model.Closed {
		q.room += len(vs)
	}
}

// some returns one task or two, each any or one that is tagged and was not pushed, nil if
// there is no room.
func (q *lawfulInject) some() (vs []model.Task) {
	n := 1 + loom.Choose(2)
	if q.room < n {
		return nil
	}
	pushed := q.pushed
	for range n {
		v := anonymous + loom.Choose(tags-anonymous)
		if v > first && !pushed[v-1] || pushed[v] {
			return nil
		}
		pushed[v] = v >= first
		vs = append(vs, model.Task(v))
	}
	q.pushed = pushed
	q.room -= n
	return vs
}

// pop is an operation of a popper.
func (q *lawfulInject) pop(s *names, name *uint8) {
	switch loom.Choose(3) {
	case 0:
		q.popped(q.do(s, name, model.Op{Kind: model.InjectPop}, func() model.Result {
			v, ok := q.Pop()
			return taken(ok, v)
		}))
	case 1:
		q.popped(q.do(s, name, model.Op{Kind: model.InjectPopN, Max: 2}, func() model.Result {
			var vs [2]model.Task
			n := q.PopN(vs[:])
			return taken(n > 0, vs[:n]...)
		}))
	case 2:
		q.do(s, name, model.Op{Kind: model.InjectLen}, func() model.Result {
			return model.Result{Outcome: model.Counted, N: q.Len()}
		})
	}
}

// popped makes room.
func (q *lawfulInject) popped(r model.Result) { q.room += len(r.Tasks) }

func taken(ok bool, vs ...model.Task) model.Result {
	if !ok {
		return model.Result{Outcome: model.Empty}
	}
	return model.Result{Outcome: model.Took, Tasks: vs}
}
