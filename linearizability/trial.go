package linearizability

import (
	"fmt"
	"slices"
	"strings"

	"github.com/filch-sched/filch/model"
)

// event is the call or the return of an operation.
type event struct {
	op  int32
	end bool
}

// timeline orders the events of h, whose operations are in the order of their
// calls, one at a time of each thread. At one stamp calls come before returns:
// that the two overlap is all that is known.
func timeline(h *History) []event {
	out := make([]event, 0, 2*len(h.Ops))
	var pending []int32 // in the order of their returns
	flush := func(before int64) {
		n := 0
		for n < len(pending) && h.Ops[pending[n]].Return < before {
			out = append(out, event{pending[n], true})
			n++
		}
		pending = append(pending[:0], pending[n:]...)
	}
	for i := range h.Ops {
		flush(h.Ops[i].Call)
		out = append(out, event{int32(i), false})
		at := len(pending)
		for at > 0 && h.Ops[pending[at-1]].Return > h.Ops[i].Return {
			at--
		}
		pending = slices.Insert(pending, at, int32(i))
	}
	for _, p := range pending {
		out = append(out, event{p, true})
	}
	return out
}

// object is one thing that a history ran on, with its law: what trial and
// window need to know of it, whatever its states are.
type object interface {
	// try judges the object's own part of the timeline, as far as index until,
	// with a claim waived ("" for none).
	try(h *History, events []event, until int, waive model.Claim) (outcome, error)
	// name is what reports call it.
	name() string
	// claims are those that can be waived, the likeliest to be blamed first.
	claims() []model.Claim
	// lost returns the violation that a task has vanished, if one has. op is the
	// operation that got stuck.
	lost(h *History, op int) *Violation
	// order is the claim that is broken when waiving none of the others helps.
	order() model.Claim
	// hung is the claim that is broken when an operation does not return.
	hung(h *History) model.Claim
}

// outcome is how a trial ended.
type outcome struct {
	// at is the index of the event that nothing explains, or how far it got.
	at int
	ok bool
	// before says in words what the object can have been before that event.
	before []string
	// setup builds the state that the object has at the end, if known says that
	// it is certain and that nothing is pending.
	setup []model.Operation
	known bool
	// hung is an operation that does not return and has all that it needs, or
	// -1.
	hung int
	// most is the largest number of explanations kept at one time.
	most int
}

// try judges one object under law l.
func try[S comparable](h *History, l law[S], initial S, events []event, until int,
	concerns func(op int) bool, setup func(S) []model.Operation) (outcome, error) {
	s := newSearch(l, h.Ops, initial)
	for at, e := range events[:until] {
		op := int(e.op)
		if !concerns(op) || e.end && h.Ops[op].Return == Never {
			continue
		}
		if !e.end {
			s.call(op)
			continue
		}
		ok, err := s.finish(op)
		if err != nil {
			return outcome{}, err
		}
		if !ok {
			return outcome{at: at, before: s.describe(), most: s.most}, nil
		}
	}
	out := outcome{at: until, ok: true, most: s.most, hung: s.hung(), before: s.describe()}
	state, known := s.quiet()
	if out.known = known; known {
		out.setup = setup(state)
	}
	return out, nil
}

// hung returns a pending operation that in no configuration has to wait, or -1.
func (s *search[S]) hung() int {
	for _, t := range s.active {
		op := s.pending[t]
		waits := func(c config[S]) bool {
			at := c.steps.of(t)
			return at != done && len(s.law.moves(nil, c.state, op, at)) == 0
		}
		if s.ops[op].Return == Never && !slices.ContainsFunc(s.live, waits) {
			return op
		}
	}
	return none
}

// describe says in words, without repeating, what states are possible.
func (s *search[S]) describe() []string {
	var out []string
	for _, c := range s.live {
		if d := fmt.Sprint(c.state); !slices.Contains(out, d) && len(out) < 3 {
			out = append(out, d)
		}
	}
	return out
}

// convict names what is broken when trial o of object x got stuck: the claim
// that has to be waived for the history to be explained the furthest.
func convict(h *History, x object, events []event, o outcome) *Violation {
	op := int(events[o.at].op)
	v := x.lost(h, op)
	if v == nil {
		claim := x.order()
		best := o.at
		for _, c := range x.claims() {
			// An explosion under a weaker law says nothing about the claim.
			if w, err := x.try(h, events, len(events), c); err == nil && w.at > best {
				best, claim = w.at, c
			}
		}
		v = h.blame(claim, h.Line(op)+" cannot be explained at any moment of its call, if this claim holds", op)
	}
	v.Message += fmt.Sprintf("; before, %s %s", x.name(), strings.Join(o.before, ", or "))
	return v
}

// after is the number of operations that were called before operation op
// returned: none of the others is part of its proof.
func after(h *History, op int) int {
	n, _ := slices.BinarySearchFunc(h.Ops, h.Ops[op].Return, func(o model.Operation, t int64) int {
		if o.Call <= t {
			return -1
		}
		return 1
	})
	return n
}
