package linearizability

import (
	"fmt"

	"github.com/filch-sched/filch/model"
)

// judgeParkers judges a history of parkers and of the plain memory that their
// users share.
func judgeParkers(h *History) (*Violation, error) { return judgeObjects(h, parkObjects(h)) }

func parkObjects(h *History) []object {
	objects := []object{&memoryObject{h.Ops}}
	for p := range h.Threads {
		objects = append(objects, &parkerObject{h.Ops, p})
	}
	return objects
}

// parkState is what one parker is.
type parkState struct{ token, closed bool }

// String describes the parker as a reader of a report wants it.
func (s parkState) String() string {
	out := "had no token"
	if s.token {
		out = "had a token"
	}
	if s.closed {
		out += " and was closed"
	}
	return out
}

// parkLaw is the law of one parker, a token that is there or not.
type parkLaw struct {
	ops    []model.Operation
	waived model.Claim
}

func (l *parkLaw) moves(buf []move[parkState], s parkState, op int, at step) []move[parkState] {
	o := &l.ops[op]
	taken := parkState{closed: s.closed}
	switch o.Kind {
	case model.Unpark:
		return append(buf, move[parkState]{parkState{true, s.closed}, done, false})
	case model.ClosePark:
		if at == 0 {
			return append(buf, move[parkState]{parkState{s.token, true}, 1, s.closed})
		}
		return append(buf, move[parkState]{parkState{true, s.closed}, done, false})
	case model.ParkTimed:
		if o.Return == Never { // whatever the token, it should have ended
			return append(buf, move[parkState]{s, done, false})
		}
		if o.Outcome == model.TimedOut {
			if !s.token || l.waived == model.TokenKept {
				buf = append(buf, move[parkState]{s, done, true})
			}
			return buf
		}
	case model.ParkToken:
		// A Park that sees no token and after that a closed parker returns, and
		// leaves alone a token that came in between.
		if at == 0 && !s.token {
			return append(buf, move[parkState]{s, 1, true})
		}
		if at == 1 && s.closed {
			buf = append(buf, move[parkState]{s, done, false})
		}
	}
	if s.token || l.waived == model.TokenSingle {
		buf = append(buf, move[parkState]{taken, done, false})
	}
	return buf
}

// parkerObject is one parker.
type parkerObject struct {
	ops    []model.Operation
	parker int
}

func (x *parkerObject) name() string       { return fmt.Sprintf("the parker of thread %d", x.parker) }
func (x *parkerObject) order() model.Claim { return model.TokenSingle }

func (x *parkerObject) claims() []model.Claim {
	return []model.Claim{model.TokenKept, model.TokenSingle}
}

func (x *parkerObject) lost(*History, int) *Violation { return nil }

func (x *parkerObject) hung(h *History) model.Claim {
	for i := range h.Ops {
		if h.Ops[i].Kind == model.ClosePark && h.Ops[i].On == x.parker {
			return model.ShutdownWakes
		}
	}
	return model.TokenKept
}

func (x *parkerObject) concerns(op int) bool {
	o := &x.ops[op]
	switch o.Kind {
	case model.Unpark, model.ClosePark:
		return o.On == x.parker
	case model.ParkToken, model.ParkTimed:
		return o.Thread == x.parker
	}
	return false
}

func (x *parkerObject) try(h *History, events []event, until int, waive model.Claim) (outcome, error) {
	return try(h, &parkLaw{h.Ops, waive}, parkState{}, events, until, x.concerns, x.setup)
}

// setup builds a parker: an unpark, or a close.
func (x *parkerObject) setup(s parkState) []model.Operation {
	kind := model.Unpark
	if s.closed {
		kind = model.ClosePark
	}
	if !s.token && !s.closed {
		return nil
	}
	return []model.Operation{{Thread: x.parker,
		Op: model.Op{Kind: kind, On: x.parker}, Result: model.Result{Outcome: model.Done}}}
}

// memoryLaw is the law of one variable: a load gives what was stored last.
type memoryLaw struct {
	ops    []model.Operation
	waived model.Claim
}

func (l *memoryLaw) moves(buf []move[model.Task], s model.Task, op int, _ step) []move[model.Task] {
	o := &l.ops[op]
	if o.Kind == model.Write {
		return append(buf, move[model.Task]{o.Args[0], done, false})
	}
	if o.Outcome == model.Skipped || o.Tasks[0] == s || l.waived == model.UnparkPublishes {
		buf = append(buf, move[model.Task]{s, done, true})
	}
	return buf
}

// memoryObject is that variable.
type memoryObject struct{ ops []model.Operation }

func (x *memoryObject) name() string                  { return "the variable" }
func (x *memoryObject) order() model.Claim            { return model.UnparkPublishes }
func (x *memoryObject) claims() []model.Claim         { return nil }
func (x *memoryObject) lost(*History, int) *Violation { return nil }
func (x *memoryObject) hung(*History) model.Claim     { return model.UnparkPublishes }

func (x *memoryObject) concerns(op int) bool {
	return x.ops[op].Kind == model.Write || x.ops[op].Kind == model.Read
}

func (x *memoryObject) try(h *History, events []event, until int, waive model.Claim) (outcome, error) {
	setup := func(t model.Task) []model.Operation {
		if t == 0 {
			return nil
		}
		return []model.Operation{{Op: model.Op{Kind: model.Write, Args: []model.Task{t}},
			Result: model.Result{Outcome: model.Done}}}
	}
	return try(h, &memoryLaw{h.Ops, waive}, 0, events, until, x.concerns, setup)
}
