package linearizability

import (
	"fmt"
	"slices"

	"github.com/filch-sched/filch/model"
)

// DequeOrder is the claim that the owner of a deque takes the newest task and
// everybody else the oldest. Filch has no deque: it is other people's.
const DequeOrder = model.DequeOrder

// dequeState is what a deque is, in counters: how many tasks were stolen, and how
// many operations its owner has done. The owner does one at a time, so that the
// place of each task is known from these alone: a push is at place pushes less
// pops, and the deque has the places from stolen to that.
type dequeState struct{ stolen, done int32 }

// dequeLaw is the law of one deque. The owner is thread 0.
type dequeLaw struct {
	h      *History
	bottom []int32    // by how many operations the owner has done
	nth    []int32    // per operation of the owner, which one it is
	pushed *taskIndex // the operation that pushed a task, plus 1
	waived model.Claim
}

// newDequeLaw gives the tasks their places, or returns the violation if the owner
// takes another than that which must be there.
func newDequeLaw(h *History, index *taskIndex) (*dequeLaw, *Violation) {
	l := &dequeLaw{h: h, bottom: []int32{0}, nth: make([]int32, len(h.Ops)), pushed: index.like()}
	var held []int // the pushes whose tasks the owner has not popped, by place
	for i := range h.Ops {
		o := &h.Ops[i]
		if o.Kind == model.DequeSteal {
			continue
		}
		l.nth[i] = int32(len(l.bottom) - 1)
		switch {
		case o.Kind == model.DequePush && o.Outcome != model.NoRoom:
			l.pushed.set(o.Args[0], int32(i+1))
			held = append(held, i)
		case o.Outcome == model.Took:
			if len(held) == 0 || h.Ops[held[len(held)-1]].Args[0] != o.Tasks[0] {
				return nil, l.misplaced(i, held)
			}
			held = held[:len(held)-1]
		}
		l.bottom = append(l.bottom, int32(len(held)))
	}
	return l, nil
}

func (l *dequeLaw) misplaced(pop int, held []int) *Violation {
	h := l.h
	ops := []int{pop}
	there := "nothing can be there"
	if len(held) > 0 {
		newest := held[len(held)-1]
		ops = append(ops, newest)
		there = fmt.Sprintf("the newest that it has pushed and not popped is %d", h.Ops[newest].Args[0])
	}
	return h.blame(DequeOrder, fmt.Sprintf("the owner pops task %d, and %s", h.Ops[pop].Tasks[0], there), ops...)
}

func (l *dequeLaw) size(s dequeState) int32 { return l.bottom[s.done] - s.stolen }

func (l *dequeLaw) moves(buf []move[dequeState], s dequeState, op int, _ step) []move[dequeState] {
	o := &l.h.Ops[op]
	if o.Return == Never { // it need not have done anything yet
		buf = append(buf, move[dequeState]{s, done, false})
	}
	next := s
	if o.Kind != model.DequeSteal {
		next.done = l.nth[op] + 1
	}
	full := l.h.Capacity > 0 && int(l.size(s)) >= l.h.Capacity
	honest := l.waived == model.BusyIsHonest
	switch {
	case o.Return == Never && o.Kind != model.DequePush:
	case o.Outcome == model.Empty && (l.size(s) == 0 || honest):
		buf = append(buf, move[dequeState]{next, done, true})
	case o.Outcome == model.NoRoom && (full || honest):
		buf = append(buf, move[dequeState]{next, done, true})
	case o.Outcome == model.Empty, o.Outcome == model.NoRoom:
	case o.Kind == model.DequePush:
		if !full || l.waived == model.CapacityFromSteal {
			buf = append(buf, move[dequeState]{next, done, false})
		}
	case o.Kind == model.DequePop:
		if l.size(s) > 0 {
			buf = append(buf, move[dequeState]{next, done, false})
		}
	default:
		push := l.pushed.get(o.Tasks[0]) - 1
		if l.size(s) > 0 && l.nth[push] < s.done && l.bottom[l.nth[push]] == s.stolen {
			next.stolen++
			buf = append(buf, move[dequeState]{next, done, false})
		}
	}
	return buf
}

// dequeObject is the deque.
type dequeObject struct{ law *dequeLaw }

func dequeObjects(h *History) (*Violation, []object, error) {
	index := newTaskIndex(h)
	if v, err := checkTasks(h, index); v != nil || err != nil {
		return v, nil, err
	}
	l, v := newDequeLaw(h, index)
	if v != nil {
		return v, nil, nil
	}
	return nil, []object{&dequeObject{l}}, nil
}

func (x *dequeObject) name() string              { return "the deque" }
func (x *dequeObject) order() model.Claim        { return DequeOrder }
func (x *dequeObject) hung(*History) model.Claim { return model.NoLostTask }

func (x *dequeObject) claims() []model.Claim {
	return []model.Claim{model.BusyIsHonest, model.CapacityFromSteal}
}

func (x *dequeObject) try(h *History, events []event, until int, waive model.Claim) (outcome, error) {
	l := *x.law
	l.waived = waive
	all := func(int) bool { return true }
	return try(h, &l, dequeState{}, events, until, all, x.setup)
}

// setup builds a deque: a push for each task.
func (x *dequeObject) setup(s dequeState) (ops []model.Operation) {
	at := x.law.bottom[:s.done+1]
	for place := s.stolen; place < at[s.done]; place++ {
		for i := range x.law.h.Ops { // the last to put something at this place
			o := &x.law.h.Ops[i]
			n := x.law.nth[i]
			if o.Kind == model.DequePush && o.Outcome == model.Kept && n < s.done && x.law.bottom[n] == place {
				if len(ops) > int(place-s.stolen) {
					ops = ops[:place-s.stolen]
				}
				ops = append(ops, model.Operation{Op: model.Op{Kind: model.DequePush, Args: slices.Clone(o.Args)},
					Result: model.Result{Outcome: model.Kept}})
			}
		}
	}
	return ops
}

// lost finds a task that nobody took, if the last operation found nothing.
func (x *dequeObject) lost(h *History, op int) *Violation {
	if len(h.Ops) == 0 || h.Ops[op].Outcome != model.Empty {
		return nil
	}
	taken := map[model.Task]bool{}
	for i := range h.Ops {
		for _, t := range gets(&h.Ops[i]) {
			taken[t] = true
		}
	}
	for i := range h.Ops {
		if o := &h.Ops[i]; o.Outcome == model.Kept && !taken[o.Args[0]] && o.Return < h.Ops[op].Call {
			return h.blame(model.NoLostTask, fmt.Sprintf("task %d was pushed, is never taken, and later nothing is found", o.Args[0]), op, i)
		}
	}
	return nil
}

// String describes the deque as a reader of a report wants it.
func (s dequeState) String() string {
	return fmt.Sprintf("had seen %s of its owner and %s", countOf(s.done, "operation"), countOf(s.stolen, "steal"))
}
