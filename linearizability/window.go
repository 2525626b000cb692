package linearizability

import (
	"math"
	"slices"

	"github.com/filch-sched/filch/model"
)

// A window has some operations before the offending ones, if there are any,
// and so many beginnings of it are tried.
const (
	context     = 12
	windowTries = 16
	longWindow  = 60
)

// Shrink returns a small part of h in which the same claim is violated, and how.
// Everything in it happened as recorded, but for operations at its beginning
// that build the state that there was, each of them alone. If nothing can be
// left out the part is all of h.
func Shrink(h *History, v *Violation) (*History, *Violation) {
	best := *v
	cut := h
	try := func(c *History) bool {
		if c == nil || len(c.Ops) >= len(cut.Ops) {
			return false
		}
		w, err := Judge(c)
		if err != nil || w == nil || w.Claim != best.Claim {
			return false
		}
		cut, best = c, *w
		return true
	}
	try(h.with(h.Ops[:v.To]))
	if h.Target == model.Sched {
		try(cut.tasksOf(best.Ops))
		return cut, &best
	}
	if cut.standsAlone(&best) && try(cut.onlyTasksOf(best.Ops)) {
		return cut, &best
	}
	for _, from := range cut.quiet(slices.Min(best.Ops)) {
		if try(cut.from(from)) {
			break
		}
	}
	if len(cut.Ops) > longWindow {
		try(cut.without(best.Ops, func(o *model.Operation) bool { return !observes(o) }))
	}
	return cut, &best
}

// standsAlone reports whether the other tasks have no part in v: if a task comes
// out twice, or in a history from which any task may be left out.
func (h *History) standsAlone(v *Violation) bool {
	switch h.Target {
	case model.Inject, model.Deque:
		_, can := fifoOf(h, newTaskIndex(h))
		return can || v.Claim == model.NoDuplicateTask
	}
	return false
}

// with is h with other operations.
func (h *History) with(ops []model.Operation) *History {
	c := *h
	c.Ops = ops
	return &c
}

// quiet returns indices of operations that began when nothing was pending: the
// nearest before op that leave some context first, then ever further ones, and
// in the end those that leave less.
func (h *History) quiet(op int) []int {
	var all []int
	last := int64(math.MinInt64)
	for i := range h.Ops[:op+1] {
		if i > 0 && last < h.Ops[i].Call {
			all = append(all, i)
		}
		last = max(last, h.Ops[i].Return)
	}
	near, _ := slices.BinarySearch(all, op-context+1)
	var out []int
	for back := 1; back <= near && len(out) < windowTries; back += 1 + back/2 {
		out = append(out, all[near-back])
	}
	return append(out, all[near:]...)
}

// from is the history from operation op on, when nothing was pending, behind
// operations that build the state that there was; nil if that is not certain.
func (h *History) from(op int) *History {
	before := h.with(h.Ops[:op])
	objects, err := before.objects()
	if err != nil {
		return nil
	}
	events := timeline(before)
	var ops []model.Operation
	for _, x := range objects {
		o, err := x.try(before, events, len(events), "")
		if err != nil || !o.ok || !o.known {
			return nil
		}
		ops = append(ops, o.setup...)
	}
	for i := range ops {
		ops[i].Call, ops[i].Return = int64(i+1), int64(i+1)
	}
	setup := len(ops)
	shift := h.Ops[op].Call - int64(len(ops)) - 1
	for _, o := range h.Ops[op:] {
		o.Call -= shift
		if o.Return != Never {
			o.Return -= shift
		}
		ops = append(ops, o)
	}
	c := h.with(ops)
	c.Setup = setup
	return c
}

// objects returns what a history, in which no task comes out wrong, ran on.
func (h *History) objects() ([]object, error) {
	if h.Target == model.Park {
		return parkObjects(h), nil
	}
	find := queueObjects
	if h.Target == model.Deque {
		find = dequeObjects
	}
	v, objects, err := find(h)
	if v != nil {
		err = v
	}
	return objects, err
}

// without is h less the operations that keep says no to; those in ops stay.
func (h *History) without(ops []int, keep func(*model.Operation) bool) *History {
	var rest []model.Operation
	for i := range h.Ops {
		if i < h.Setup || keep(&h.Ops[i]) || slices.Contains(ops, i) {
			rest = append(rest, h.Ops[i])
		}
	}
	return h.with(rest)
}

// observes reports whether o changed nothing: what can be explained with it can
// be explained without it.
func observes(o *model.Operation) bool {
	switch o.Outcome {
	case model.Empty, model.Busy, model.NoRoom, model.Counted, model.TimedOut, model.Skipped:
		return true
	}
	return o.Outcome == model.Closed
}

// Worst looks for more than v: if what breaks it is an answer of a length, which
// is but a symptom, and something else is broken too when those answers are
// left out, it returns the history without them, and that.
func Worst(h *History, v *Violation) (*History, *Violation) {
	if v.Claim != model.LenHint {
		return h, v
	}
	rest := h.without(nil, func(o *model.Operation) bool { return o.Outcome != model.Counted })
	if w, err := Judge(rest); err == nil && w != nil {
		return rest, w
	}
	return h, v
}

// tasksOf is h with only the operations on the tasks of ops, and the closes.
func (h *History) tasksOf(ops []int) *History {
	tasks := map[model.Task]bool{}
	for _, i := range ops {
		for _, t := range h.Ops[i].Args {
			tasks[t] = true
		}
	}
	return h.without(ops, func(o *model.Operation) bool {
		return o.Kind == model.Close || len(o.Args) == 1 && tasks[o.Args[0]]
	})
}
