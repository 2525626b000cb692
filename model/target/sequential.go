package target

import (
	"fmt"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/model"
)

// Ordered reports whether the operations of scenarios on t can be done one
// after another: whether nothing but them moves the target.
func Ordered(t model.Target) bool {
	return t == model.Ring || t == model.Inject || t == model.Park
}

// Sequential performs the operations of s one at a time, thread by thread, and
// takes out what is left. Every answer is held against the law at once; the
// first that the law refuses is the error, with the claims it violates. An
// operation that would wait, a Park without a token, is put off until the other
// threads have done theirs; if none can go on, that is an error too.
func Sequential(s model.Scenario) (model.History, error) {
	if !Ordered(s.Target) {
		return nil, fmt.Errorf("target: scenario %q: target %v has no sequential run", s.Name, s.Target)
	}
	r := &sequence{spec: model.SpecOf(s), m: newMachine(s), names: s.Names()}
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
	for t, th := range s.Threads {
		if next[t] < len(th.Ops) && r.err == nil {
			r.err = fmt.Errorf("target: scenario %q: thread %s would wait for ever at operation %d, %v",
				s.Name, th.Name, next[t]+1, th.Ops[next[t]].Kind)
		}
	}
	r.m.finish(r.do)
	return r.h, r.err
}

// sequence is a run of one operation after another.
type sequence struct {
	spec  model.Spec
	state model.State
	m     machine
	names []string
	h     model.History
	err   error // the first answer that is not lawful
}

// waits reports whether op, done now, would wait for another thread.
func (r *sequence) waits(thread int, op model.Op) bool {
	if op.Kind != model.ParkToken || r.err != nil {
		return false
	}
	o := model.Operation{Thread: thread, Op: op, Result: model.Result{Outcome: model.Done}}
	return len(r.spec.Step(r.state, r.spec.Events(o)[0])) == 0
}

// do carries out op and follows it in the law. After the first error nothing
// more is done: what a broken target answers to more is worth nothing.
func (r *sequence) do(thread int, op model.Op) model.Result {
	if r.err != nil {
		return model.Result{}
	}
	o := model.Operation{Thread: thread, Op: op, Call: loom.Call()}
	o.Result = r.m.do(thread, op, o.Call)
	o.Return = loom.Return()
	if w, ok := r.m.(watcher); ok {
		w.returned(thread, op, o.Return)
	}
	r.h = append(r.h, o)
	for _, e := range r.spec.Events(o) {
		next := r.spec.Step(r.state, e)
		if len(next) == 0 {
			r.refuse()
			break
		}
		r.state = next[0] // alone, an operation has one way to take effect
	}
	return o.Result
}

// refuse says what is unlawful about the history so far.
func (r *sequence) refuse() {
	v := model.Check(r.spec, r.h)
	if v == nil {
		v = &model.Violation{Message: "the law refuses an operation that its checker allows"}
	}
	r.err = fmt.Errorf("target: %v violated: %s", v.Claims, describe(v, r.h, r.names))
}
