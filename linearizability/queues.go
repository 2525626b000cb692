package linearizability

import (
	"fmt"
	"slices"
	"strings"

	"github.com/filch-sched/filch/model"
)

// judgeQueues judges a history of rings and the inject queue they overflow to.
func judgeQueues(h *History) (*Violation, error) {
	if h.Target == model.Inject {
		index := newTaskIndex(h)
		if v, err := checkTasks(h, index); v != nil || err != nil {
			return v, err
		}
		if q, can := fifoOf(h, index); can {
			return q.judge(), nil
		}
	}
	v, objects, err := queueObjects(h)
	if v != nil || err != nil {
		return v, err
	}
	return judgeObjects(h, objects)
}

// queueObjects returns the queues of a history, or the violation of one whose
// tasks alone prove it.
func queueObjects(h *History) (*Violation, []object, error) {
	index := newTaskIndex(h)
	if v, err := checkTasks(h, index); v != nil || err != nil {
		return v, nil, err
	}
	var objects []object
	if h.Target == model.Ring {
		p, v, err := findPlaces(h, index)
		if v != nil || err != nil {
			return v, nil, err
		}
		for r := range p.rings {
			objects = append(objects, &ringObject{p, r})
		}
	}
	return nil, append(objects, &injectObject{newInjectLaw(h)}), nil
}

// judgeObjects judges each object on its own and returns what is violated
// first.
func judgeObjects(h *History, objects []object) (*Violation, error) {
	events := timeline(h)
	var worst object
	var how outcome
	until := len(events)
	for _, x := range objects {
		o, err := x.try(h, events, until, "")
		if err != nil {
			return nil, fmt.Errorf("%s: %w", x.name(), err)
		}
		if !o.ok {
			until, worst, how = o.at, x, o
		}
	}
	if worst != nil {
		return convict(h, worst, events, how), nil
	}
	if h.Stuck {
		return judgeStuck(h, objects, events)
	}
	return nil, nil
}

// Hangs is in the message of a violation by an operation that does not return, between
// the operation and what state the object is in.
const Hangs = ", and nothing that it could wait for is missing: "

// judgeStuck finds the operation that hangs though nothing stands in its way,
// in a history whose operations can all be explained as far as they went.
func judgeStuck(h *History, objects []object, events []event) (*Violation, error) {
	for _, x := range objects {
		o, err := x.try(h, events, len(events), "")
		if err != nil {
			return nil, err
		}
		if o.hung >= 0 {
			return h.blame(x.hung(h), fmt.Sprintf("%s%s%s %s",
				h.Line(o.hung), Hangs, x.name(), strings.Join(o.before, ", or ")), o.hung), nil
		}
	}
	return nil, fmt.Errorf("linearizability: the run was stuck, and no operation of it had to end")
}

// gives are the tasks that o brought into the queues.
func gives(o *model.Operation) []model.Task {
	switch o.Kind {
	case model.Push, model.Batch, model.InjectPush, model.InjectBatch, model.Submit, model.Spawned, model.DequePush:
		if o.Outcome != model.Closed && o.Outcome != model.NoRoom {
			return o.Args
		}
	}
	return nil
}

// gets are the tasks that o gave to its caller for good.
func gets(o *model.Operation) []model.Task {
	if o.Outcome == model.Took && o.Kind != model.Read || o.Outcome == model.Stole || o.Refused {
		return o.Tasks
	}
	return nil
}

// checkTasks looks for a task that comes out twice, or that never went in. A
// task that goes in twice is an error: tasks must be told apart.
func checkTasks(h *History, index *taskIndex) (*Violation, error) {
	in, out := index.like(), index.like() // by which operation, plus 1
	for i := range h.Ops {
		for _, t := range gives(&h.Ops[i]) {
			if in.get(t) != 0 {
				return nil, &OpError{i, fmt.Errorf("task %d is given a second time: tasks must differ", t)}
			}
			in.set(t, int32(i)+1)
		}
	}
	for i := range h.Ops {
		for _, t := range gets(&h.Ops[i]) {
			from := int(in.get(t)) - 1
			if from < 0 {
				return h.blame(model.NoLostTask, fmt.Sprintf("task %d is returned and was never pushed: the one that was is lost", t), i), nil
			}
			if first := int(out.get(t)) - 1; first >= 0 {
				return h.blame(model.NoDuplicateTask, fmt.Sprintf("task %d is returned twice", t), i, first, from), nil
			}
			out.set(t, int32(i)+1)
		}
	}
	return nil, nil
}

// ringObject is one ring.
type ringObject struct {
	p    *places
	ring int
}

func (x *ringObject) name() string       { return fmt.Sprintf("ring %d", x.ring) }
func (x *ringObject) order() model.Claim { return model.FIFO }

// hung: a task that an operation has in hand for ever is nowhere.
func (x *ringObject) hung(*History) model.Claim { return model.NoLostTask }

func (x *ringObject) claims() []model.Claim {
	return []model.Claim{model.StealHalf, model.CapacityFromSteal, model.SingleThief, model.BusyIsHonest, model.LenHint}
}

// concerns reports whether an operation has an effect on this ring or depends
// on it.
func (x *ringObject) concerns(op int) bool {
	o := &x.p.h.Ops[op]
	switch o.Kind {
	case model.Push, model.Batch, model.Pop, model.Len, model.Free:
		return o.Thread == x.ring
	case model.Steal, model.Peek, model.Vacant:
		return o.On == x.ring || o.Kind == model.Steal && o.Thread == x.ring
	}
	return false
}

func (x *ringObject) try(h *History, events []event, until int, waive model.Claim) (outcome, error) {
	l := &ringLaw{ops: h.Ops, ring: x.ring, capacity: int32(h.Capacity), place: x.p.first, waived: waive}
	return try(h, l, ringState{}, events, until, x.concerns, x.setup)
}

// setup builds a ring without a thief: one batch.
func (x *ringObject) setup(s ringState) []model.Operation {
	tasks := x.p.rings[x.ring].tasks[s.real:s.tail]
	if len(tasks) == 0 {
		return nil
	}
	return []model.Operation{{Thread: x.ring,
		Op: model.Op{Kind: model.Batch, Args: slices.Clone(tasks)}, Result: model.Result{Outcome: model.Kept}}}
}

// lost finds the first task that nobody took, if later ones were taken or the
// owner, at the very end, found nothing.
func (x *ringObject) lost(h *History, op int) *Violation {
	ring := &x.p.rings[x.ring]
	place := slices.Index(ring.taker, none)
	if place < 0 {
		return nil
	}
	passed := slices.ContainsFunc(ring.taker[place:], func(by int32) bool { return by != none })
	last := x.p.byThread[x.ring][len(x.p.byThread[x.ring])-1]
	drained := h.Ops[last].Kind == model.Pop && h.Ops[last].Outcome == model.Empty
	if !passed && !drained {
		return nil
	}
	t := ring.tasks[place]
	message := fmt.Sprintf("task %d was put into ring %d and nothing takes it out, though what came after it is taken", t, x.ring)
	if !passed {
		message = fmt.Sprintf("task %d was put into ring %d, is not taken, and in the end the ring is empty", t, x.ring)
	}
	return h.blame(model.NoLostTask, message, op)
}

// injectObject is the inject queue.
type injectObject struct{ law *injectLaw }

func (x *injectObject) name() string       { return "the inject queue" }
func (x *injectObject) order() model.Claim { return model.InjectFIFO }

func (x *injectObject) hung(*History) model.Claim { return model.NoLostTask }

func (x *injectObject) claims() []model.Claim {
	out := []model.Claim{model.InjectFIFO, model.ClosedReturnsTasks, model.BusyIsHonest, model.LenHint}
	if x.law.bound > 0 {
		out = append(out, model.CapacityFromSteal)
	}
	return out
}

func (x *injectObject) try(h *History, events []event, until int, waive model.Claim) (outcome, error) {
	if waive == model.InjectFIFO {
		return x.tryApart(h, until)
	}
	l := *x.law
	l.waived = waive
	return try(h, &l, emptyInject, events, until, x.concerns, x.setup)
}

// tryApart judges h as if a batch need not stay together. The parts of one
// become pushes of their own, by threads that there are not, in its interval.
func (x *injectObject) tryApart(h *History, until int) (outcome, error) {
	parts := min(MaxThreads/h.Threads, 8)
	var ops []model.Operation
	for _, o := range h.Ops {
		n := min(parts, len(o.Args))
		if o.Kind != model.InjectBatch || o.Outcome != model.Kept || n < 2 {
			ops = append(ops, o)
			continue
		}
		tasks, thread := o.Args, o.Thread
		for i := range n {
			o.Thread, o.Args = thread+i*h.Threads, tasks[i:i+1]
			if i == n-1 {
				o.Args = tasks[i:]
			}
			ops = append(ops, o)
		}
	}
	apart := h.with(ops)
	apart.Threads *= parts
	y := &injectObject{newInjectLaw(apart)}
	events := timeline(apart)
	out, err := y.try(apart, events, len(events), "")
	if out.ok {
		out.at = until
	} else {
		out.at = 0 // how far is not comparable
	}
	return out, err
}

func (x *injectObject) concerns(op int) bool {
	o := &x.law.ops[op]
	switch o.Kind {
	case model.InjectPush, model.InjectBatch, model.InjectPop, model.InjectPopN, model.InjectClose, model.InjectLen:
		return true
	}
	return o.Outcome == model.Overflowed || o.Outcome == model.Handed
}

// setup builds a queue: one batch, and a close if it is closed.
func (x *injectObject) setup(s injectState) (ops []model.Operation) {
	if s.len() > 0 {
		var tasks []model.Task
		for i := range s.len() {
			tasks = append(tasks, s.task(i))
		}
		ops = append(ops, model.Operation{Op: model.Op{Kind: model.InjectBatch, Args: tasks},
			Result: model.Result{Outcome: model.Kept}})
	}
	if s.closed {
		ops = append(ops, model.Operation{Op: model.Op{Kind: model.InjectClose},
			Result: model.Result{Outcome: model.Done, N: 1}})
	}
	return ops
}

// lost finds a task that went in and that nothing took, if the last operation
// found nothing.
func (x *injectObject) lost(h *History, op int) *Violation {
	last := none
	for i := range h.Ops {
		if x.concerns(i) && (last == none || h.Ops[i].Return >= h.Ops[last].Return) {
			last = i
		}
	}
	if last == none || h.Ops[last].Outcome != model.Empty {
		return nil
	}
	for i := range h.Ops {
		o := &h.Ops[i]
		tasks := o.Args
		if o.Kind == model.Push {
			tasks = o.Tasks
		}
		if !x.concerns(i) || o.Outcome == model.Closed || o.Outcome == model.NoRoom || o.Refused {
			continue
		}
		for _, t := range tasks {
			if x.law.when(t).ret == Never {
				return h.blame(model.NoLostTask, fmt.Sprintf(
					"task %d went into the inject queue, is not popped, and in the end the queue is empty", t), op, i)
			}
		}
	}
	return nil
}
