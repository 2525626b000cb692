package target

import (
	"fmt"

	"github.com/filch-sched/filch/model"
	"github.com/filch-sched/filch/queue"
)

// queues is a ring for each thread and an inject queue that takes their
// overflows; or the inject queue alone.
type queues struct {
	rings  []*queue.Ring[model.Task]
	inject queue.Inject[model.Task]
}

func newQueues(s model.Scenario) *queues {
	q := new(queues)
	if s.Target != model.Ring {
		return q
	}
	for range s.Threads {
		r, err := queue.NewRing[model.Task](s.Capacity, queue.StartAt(uint32(s.Start)))
		if err != nil {
			panic(fmt.Sprintf("target: scenario %q: %v", s.Name, err))
		}
		q.rings = append(q.rings, r)
	}
	return q
}

// sink is the overflow of one push: it passes on to the inject queue and
// remembers what it was given.
type sink struct {
	to      *queue.Inject[model.Task]
	outcome model.Outcome
	tasks   []model.Task
}

func (s *sink) Push(v model.Task) bool {
	s.outcome, s.tasks = model.Handed, append(s.tasks, v)
	return s.to.Push(v)
}

func (s *sink) PushBatch(vs []model.Task) bool {
	s.outcome, s.tasks = model.Overflowed, append(s.tasks, vs...)
	return s.to.PushBatch(vs)
}

func (q *queues) do(thread int, op model.Op, _ int64) model.Result {
	if thread >= len(q.rings) || op.Kind >= model.InjectPush {
		return q.doInject(op)
	}
	r := q.rings[thread]
	switch op.Kind {
	case model.Push:
		return q.push(r, op.Args[0])
	case model.Batch:
		if r.Free() < len(op.Args) {
			return model.Result{Outcome: model.NoRoom}
		}
		r.PushBatch(op.Args)
		return model.Result{Outcome: model.Kept}
	case model.Pop:
		return took(r.Pop())
	case model.Len:
		return counted(r.Len())
	case model.Free:
		return counted(r.Free())
	case model.Steal:
		return steal(q.rings[op.On].Stealer(), r)
	case model.Peek:
		return counted(q.rings[op.On].Stealer().Len())
	case model.Vacant:
		return counted(truth(q.rings[op.On].Stealer().Empty()))
	}
	panic(fmt.Sprintf("target: %v on queues", op))
}

// push reports what the overflow was given, or what came back.
func (q *queues) push(r *queue.Ring[model.Task], v model.Task) model.Result {
	s := &sink{to: &q.inject}
	refused := r.Push(v, s)
	if refused != nil {
		return model.Result{Outcome: s.outcome, Tasks: refused, Refused: true}
	}
	if s.tasks == nil {
		return model.Result{Outcome: model.Kept}
	}
	return model.Result{Outcome: s.outcome, Tasks: s.tasks}
}

// steal translates the four outcomes.
func steal(from queue.Stealer[model.Task], into *queue.Ring[model.Task]) model.Result {
	v, n, out := from.StealInto(into)
	switch out {
	case queue.Stole:
		return model.Result{Outcome: model.Stole, Tasks: []model.Task{v}, N: n}
	case queue.Busy:
		return model.Result{Outcome: model.Busy}
	case queue.NoRoom:
		return model.Result{Outcome: model.NoRoom}
	case queue.Empty:
		return model.Result{Outcome: model.Empty}
	}
	panic(fmt.Sprintf("target: StealInto answered %v", out))
}

func (q *queues) doInject(op model.Op) model.Result {
	switch op.Kind {
	case model.InjectPush:
		return admitted(q.inject.Push(op.Args[0]))
	case model.InjectBatch:
		return admitted(q.inject.PushBatch(op.Args))
	case model.InjectPop:
		return took(q.inject.Pop())
	case model.InjectPopN:
		dst := make([]model.Task, op.Max)
		n := q.inject.PopN(dst)
		if n == 0 {
			return model.Result{Outcome: model.Empty}
		}
		return model.Result{Outcome: model.Took, Tasks: dst[:n]}
	case model.InjectClose:
		return model.Result{Outcome: model.Done, N: truth(q.inject.Close())}
	case model.InjectLen:
		return counted(q.inject.Len())
	}
	panic(fmt.Sprintf("target: %v on an inject queue", op))
}

func took(v model.Task, ok bool) model.Result {
	if !ok {
		return model.Result{Outcome: model.Empty}
	}
	return model.Result{Outcome: model.Took, Tasks: []model.Task{v}}
}

func counted(n int) model.Result { return model.Result{Outcome: model.Counted, N: n} }

func admitted(ok bool) model.Result {
	if !ok {
		return model.Result{Outcome: model.Closed}
	}
	return model.Result{Outcome: model.Kept}
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

// finish pops what is left until every queue is empty. A broken queue may never
// be: the law refuses the first task too many, so there is no need to go on.
func (q *queues) finish(do func(thread int, op model.Op) model.Result) {
	const enough = 64
	for i := range q.rings {
		for n := 0; n < enough && do(i, model.Op{Kind: model.Pop}).Outcome == model.Took; n++ {
		}
	}
	for n := 0; n < enough && do(0, model.Op{Kind: model.InjectPop}).Outcome == model.Took; n++ {
	}
}
