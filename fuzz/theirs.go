package fuzz

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/model"
	"github.com/filch-sched/filch/model/words"
)

// theirs judges somebody else's code by an adapter.
type theirs struct {
	shape Shape
	law   model.Spec
	begin func(s model.Scenario) machine
	// endless is what a program breaks that does not come to its end.
	endless model.Claim
	// silent says of which answers nothing is to be concluded.
	silent func(o model.Operation) bool
	words  words.Words
	target string // the name of the fuzz target
}

// machine is one thing that programs are run on.
type machine struct {
	do func(thread int, op model.Op) model.Result
	// rest takes out what is left, by do, once all threads have ended.
	rest func(do func(thread int, op model.Op) model.Result)
	// also is what others than the threads have done, if not nil.
	also func() model.History
}

// fuzz makes f a target.
func (j *theirs) fuzz(f *testing.F) {
	f.Helper()
	j.target = f.Name()
	if err := j.unseen(); err != nil {
		f.Fatal(err)
	}
	fuzzed(f, j, j.shape)
}

// recorder keeps the history of one run.
type recorder struct {
	machine
	mu  sync.Mutex // is held for no step of a thread
	ops model.History
}

// perform does one operation and records it.
func (r *recorder) perform(thread int, op model.Op) model.Result {
	o := model.Operation{Thread: thread, Op: op, Call: loom.Call()}
	o.Result = r.do(thread, op)
	o.Return = loom.Return()
	r.mu.Lock()
	r.ops = append(r.ops, o)
	r.mu.Unlock()
	return o.Result
}

// judged ends a run and holds its history against the law.
func (j *theirs) judged(r *recorder) (model.History, *model.Violation) {
	r.rest(r.perform)
	h := r.ops
	if r.also != nil {
		h = append(h, r.also()...)
	}
	var heard model.History
	for _, o := range h {
		if j.silent == nil || !j.silent(o) {
			heard = append(heard, o)
		}
	}
	return heard, model.Check(j.law, heard)
}

func (j *theirs) inOrder(p Program) error {
	var h model.History
	err := watched(p.Scenario, func() error {
		r := &recorder{machine: j.begin(p.Scenario)}
		for _, st := range p.Steps() {
			r.perform(st.Thread, st.Op)
		}
		var v *model.Violation
		if h, v = j.judged(r); v != nil {
			return v
		}
		return nil
	})
	if err == nil {
		return nil
	}
	return j.failed(p, inOrder, err, h)
}

func (j *theirs) concurrent(p Program) runner {
	s := p.Scenario
	body := func() {
		r := &recorder{machine: j.begin(s)}
		for _, st := range s.Setup {
			r.perform(st.Thread, st.Op)
		}
		var threads []*loom.Thread
		for t, th := range s.Threads {
			threads = append(threads, loom.Go(func() {
				for _, op := range th.Ops {
					r.perform(t, op)
				}
			}))
		}
		for _, t := range threads {
			t.Join()
		}
		if h, v := j.judged(r); v != nil {
			loom.Failf(claimsOf(v), "%s\nhistory:\n\t%s", j.words.Text(v.Message), indented(j.words.Text(h.Format(s.Names()))))
		}
	}
	return func(schedule []byte, opts ...loom.Option) (loom.Report, error) {
		r, err := loom.Explore(body, append(opts, loom.Deadlock(string(j.endless)))...)
		if err != nil {
			return r, j.failed(p.by(schedule, err), concurrent, err, nil)
		}
		return r, nil
	}
}

// failed is a failure of a program on their code. Of two commands that run it again
// it has the one that is for programs, not loom's.
func (j *theirs) failed(p Program, how string, err error, h model.History) *Failure {
	f := &Failure{Program: p, How: how, Err: err, History: h, Endless: how == inOrder && h == nil,
		Replay: fmt.Sprintf("go test%s -count=1 -run '^%s$' .", tags(), j.target), words: &j.words}
	var run *loom.Violation
	var law *model.Violation
	switch {
	case how == inOrder:
		f.Program.Schedule = nil
		if errors.As(err, &law) && h != nil {
			f.Err = j.inWords(law, p.Scenario.Names())
		}
	case errors.As(err, &run):
		run.Token, run.Command = "", ""
	}
	return f
}

// inWords is a violation of the law in the words of their code.
func (j *theirs) inWords(v *model.Violation, names []string) *model.Violation {
	text := v.Message
	for _, o := range v.Operations {
		text += "\n\t" + o.Format(names)
	}
	return &model.Violation{Claims: v.Claims, Message: j.words.Text(text)}
}

// claimsOf joins the claims of a violation.
func claimsOf(v *model.Violation) string {
	var names []string
	for _, c := range v.Claims {
		names = append(names, string(c))
	}
	return strings.Join(names, or)
}

// took is the answer of an operation that takes one value.
func took(v int, found bool) model.Result {
	if !found {
		return model.Result{Outcome: model.Empty}
	}
	return model.Result{Outcome: model.Took, Tasks: []model.Task{model.Task(v)}}
}

// gave is the answer of one that gives a value.
func gave(kept bool) model.Result {
	if !kept {
		return model.Result{Outcome: model.NoRoom}
	}
	return model.Result{Outcome: model.Kept}
}

// drained does op for a thread until nothing is found, misses times in a row; but
// not for ever, if what is taken never ends.
func drained(do func(int, model.Op) model.Result, thread int, op model.Op, misses int) {
	const enough = 512
	missed := 0
	for n := 0; n < enough && missed < misses; n++ {
		if missed++; do(thread, op).Outcome == model.Took {
			missed = 0
		}
	}
}
