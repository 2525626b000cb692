package target

import (
	"errors"
	"fmt"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/model"
)

// Ordered reports whether the operations of scenarios on t can be done one
// after another: whether nothing but them moves the target.
func Ordered(t model.Target) bool {
	return t == model.Ring || t == model.Inject || t == model.Park || t == model.Tracker
}

// Sequential performs the operations of s one at a time, thread by thread, and
// takes out what is left. The error, if any, is a *model.Violation. An operation
// that would wait, a Park without a token, is put off until the other threads
// have done theirs; if none can go on, the run ends there.
//
// What a broken target does to the caller is not limited: it may wait for ever.
// In the body of loom.Check it may not.
func Sequential(s model.Scenario) (model.History, error) {
	if !Ordered(s.Target) {
		return nil, fmt.Errorf("target: scenario %q: target %v has no sequential run", s.Name, s.Target)
	}
	r := &sequence{spec: model.SpecOf(s), main: recorder{m: newMachine(s)}}
	r.state = r.spec.Initial()
	for _, st := range s.Setup {
		r.do(st.Thread, st.Op)
	}
	next := make([]int, len(s.Threads))
	for moved := true; moved; {
		moved = false
		for t, th := range s.Threads {
			for next[t] < len(th.Ops) && !r.waits(t, th.Ops[next[t]]) {
				r.do(t, th.Ops[next[t]])
				next[t]++
				moved = true
			}
		}
	}
	r.main.m.finish(r.do)
	if v := model.Check(r.spec, r.main.ops); v != nil {
		return r.main.ops, v
	}
	return r.main.ops, nil
}

// InOrder returns a body for loom.Check that performs s sequentially.
func InOrder(s model.Scenario) func() {
	return func() {
		h, err := Sequential(s)
		var v *model.Violation
		if errors.As(err, &v) {
			loom.Failf(string(guarded(v.Claims, s.Claims)), "%s", describe(v, h, s.Names()))
		} else if err != nil {
			panic(err)
		}
	}
}

// sequence is a run of one operation after another.
type sequence struct {
	spec  model.Spec
	state model.State // nil once an answer was unlawful
	main  recorder
}

// waits reports whether op, done now, would wait for another thread: whether
// the law has no answer to it.
func (r *sequence) waits(thread int, op model.Op) bool {
	if op.Kind != model.ParkToken {
		return false
	}
	o := model.Operation{Thread: thread, Op: op, Result: model.Result{Outcome: model.Done}}
	return r.after(r.state, o) == nil
}

// after is the state that o leads to from s: nil if it has no lawful way, or if s
// is nil. Alone, an operation has one way to take effect.
func (r *sequence) after(s model.State, o model.Operation) model.State {
	for _, e := range r.spec.Events(o) {
		if s == nil {
			return nil
		}
		next := r.spec.Step(s, e)
		if s = nil; len(next) > 0 {
			s = next[0]
		}
	}
	return s
}

// do carries out op and follows it in the law.
func (r *sequence) do(thread int, op model.Op) model.Result {
	res := r.main.do(thread, op)
	r.state = r.after(r.state, r.main.ops[len(r.main.ops)-1])
	return res
}
