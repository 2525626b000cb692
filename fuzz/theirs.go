package fuzz

import (
	"errors"
	"fmt"
	"strings"
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
	// waits names what a program breaks that does not come to its end, given what was
	// done and what has not returned, if that is known.
	waits func(done, open model.History) model.Claim
	// silent says of which answers nothing is to be concluded.
	silent func(o model.Operation) bool
	// hints say by claim what is to be seen to in the adapter, and crowd what is if
	// goroutines have met.
	hints  words.Hints
	crowd  string
	words  words.Words
	target string // the name of the fuzz target
	// seeds are inputs that the target begins with, besides those of all targets.
	seeds [][2][]byte
	tally tally
}

// machine is one thing that programs are run on.
type machine struct {
	do func(thread int, op model.Op) model.Result
	// rest takes out what is left, by do, once all threads have ended. If it is not
	// sure of an answer, the last is sure.
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
	fuzzed(f, j, j.shape, j.seeds...)
}

// judged ends a run and holds its history against the law.
func (j *theirs) judged(r *recorder) (model.History, *model.Violation) {
	r.rest(r.perform)
	h, others := r.history()
	j.tally.count(h)
	last := len(h) - 1
	h = append(h, others...)
	return h, model.Check(j.law, j.heard(h, last))
}

// heard is h without the answers of which nothing is to be concluded. To be heard are
// all the same the last answer, that nothing is left, and that a value was refused which
// comes out.
func (j *theirs) heard(h model.History, last int) (out model.History) {
	taken := map[model.Task]bool{}
	for _, o := range h {
		for _, t := range o.Tasks {
			taken[t] = true
		}
	}
	for i, o := range h {
		if j.silent == nil || !j.silent(o) || i == last || len(o.Args) > 0 && taken[o.Args[0]] {
			out = append(out, o)
		}
	}
	return out
}

func (j *theirs) inOrder(p Program) error {
	var last recorded
	var h model.History
	err := watched(func() error {
		r := newRecorder(j.begin(p.Scenario), len(p.Scenario.Threads), nil)
		last.Store(r)
		for _, st := range p.Steps() {
			r.perform(st.Thread, st.Op)
		}
		var v *model.Violation
		if h, v = j.judged(r); v != nil {
			return v
		}
		return nil
	}, last.moved, theirWaits(last.moved))
	if err == nil {
		return nil
	}
	p.Schedule = nil // it has no part in this
	f := j.failure(p, inOrder)
	j.orderly(f, err, h, &last)
	return f
}

func (j *theirs) concurrent(p Program) runner {
	s := p.Scenario
	var last recorded
	body := func() {
		r := newRecorder(j.begin(s), len(s.Threads), quits)
		last.Store(r)
		for _, st := range s.Setup {
			r.perform(st.Thread, st.Op)
		}
		var threads []*loom.Thread
		at := newLine(len(s.Threads))
		for t, th := range s.Threads {
			threads = append(threads, loom.Go(func() {
				at.cross()
				for _, op := range th.Ops {
					at.dally()
					r.perform(t, op)
				}
			}))
		}
		for _, t := range threads {
			t.Join()
		}
		if h, v := j.judged(r); v != nil {
			names := s.Names()
			loom.Failf(claimsOf(v), "%s\nhistory:\n\t%s", j.inWords(v, names).Message, j.told(brief(h), names))
		}
	}
	return func(schedule []byte, opts ...loom.Option) (loom.Report, error) {
		r, err := loom.Explore(body, append(opts, loom.Deadlock(progress), loom.Livelock(progress))...)
		if slow(err) && !last.stands() {
			return r, nil
		}
		if err != nil {
			f := j.failure(p.by(schedule, err), concurrent)
			j.disorderly(f, err, &last)
			return r, f
		}
		return r, nil
	}
}

// told is a history in their words, or how long it is.
func (j *theirs) told(h model.History, names []string) string {
	if len(h) > shown {
		return fmt.Sprintf("%d operations, too many to be shown", len(h))
	}
	return indented(j.words.Text(h.Format(names)))
}

// slow reports whether a run on goroutines has taken too long for package loom, which does
// not know whether anything in it moves.
func slow(err error) bool {
	var v *loom.Violation
	return !loom.Enabled && errors.As(err, &v) && v.Claim == progress
}

// quits ends a run on goroutines in which an operation has ended its goroutine.
func quits(o model.Operation) {
	if !loom.Enabled {
		loom.Failf(noPanic, "%s", goexit(o))
	}
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

// How often in a row nothing has to be found before nothing is there: more than once, so
// that what answers so at times, and should not, is not taken to have lost what is left;
// and more often of what may answer so for no reason, if something else is under way,
// of which there is nothing.
const (
	fewMisses  = 4
	manyMisses = 100
)

// drained does op for a thread until nothing is found misses times in a row; but
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
