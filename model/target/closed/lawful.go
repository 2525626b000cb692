package closed

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/model"
)

// law is package model's, as an automaton that the executions of one graph share, and
// with them all that is known of it. Its lock is no step of an execution: no thread is
// ever stopped inside it.
type law struct {
	mu sync.Mutex
	a  *model.Automaton
}

// newLaw returns the law of sp, of which operations have only these answers.
func newLaw(sp model.Spec, answers model.Answers) *law {
	return &law{a: model.NewAutomaton(sp, answers.Of)}
}

// lawful carries along the calls and returns of one execution what the law allows to
// have happened: a set of its states, each with what the operations under way have
// done there. That none is left violates Linearizable.
//
// The set is part of every state of the graph, as a number that it has in all
// executions. So the graph is that of the code and the automaton side by side, and if
// it closes, every history of every run is one that the law allows: the graph has all
// runs, and the automaton is exact. A call is made in the first step of its operation,
// behind a Boundary, and a return in its last one: intervals are as narrow as any
// caller's, and what is lawful within them is so within wider ones.
//
// Threads are those of the law: as an operation under way is known by its thread,
// interchangeable ones have names for the time of one, see [names].
type lawful struct {
	*law
	at  model.Set
	log []line // the last ones: all, in an execution that shows a violation
}

// line is a call, or its return.
type line struct {
	thread int
	op     model.Op
	result model.Result // of a return
}

// mostLines is how many are shown.
const mostLines = 64

// begin begins a history, in which nothing was called.
func (l *law) begin(d *loom.Driver) *lawful {
	w := &lawful{law: l, at: l.a.Begin()}
	d.Root("law", &w.at)
	return w
}

// call notes that a thread calls op. Since its last Boundary it has only chosen.
func (w *lawful) call(thread int, op model.Op) {
	w.mu.Lock()
	w.at = w.a.Call(w.at, thread, op)
	w.mu.Unlock()
	w.note(line{thread: thread, op: op})
}

// returns notes that what a thread has called returns r. It is its last step.
func (w *lawful) returns(thread int, op model.Op, r model.Result) {
	w.note(line{thread, op, r})
	w.mu.Lock()
	from := w.at
	to := w.a.Return(from, thread, r)
	var blamed []model.Claim
	if to == model.Unlawful {
		blamed = w.a.Blame(from, thread, r)
	}
	w.mu.Unlock()
	if to == model.Unlawful {
		loom.Failf(string(model.Linearizable), "%s", w.unlawful(blamed))
	}
	w.at = to
}

// atOnce is an operation that the driver does itself, in the middle of a step.
func (w *lawful) atOnce(thread int, op model.Op, r model.Result) {
	w.call(thread, op)
	w.returns(thread, op, r)
}

// note adds to the log, of which it drops the first half if there is too much.
func (w *lawful) note(l line) {
	if len(w.log) == mostLines {
		w.log = slices.Delete(w.log, 0, mostLines/2)
	}
	w.log = append(w.log, l)
}

// unlawful says what has happened, and what of it is unlawful: the last return.
func (w *lawful) unlawful(blamed []model.Claim) string {
	var b strings.Builder
	b.WriteString("in no order in which these can have taken effect does the law allow the last answer")
	for i, c := range blamed {
		b.WriteString([]string{", but for ", " or "}[min(i, 1)] + string(c))
	}
	for _, l := range w.log {
		who := model.Operation{Thread: l.thread, Op: l.op, Result: l.result}
		if l.result.Outcome == 0 {
			fmt.Fprintf(&b, "\n\tt%d calls %v", l.thread, l.op)
		} else {
			fmt.Fprintf(&b, "\n\t%v", who)
		}
	}
	return b.String()
}

// names are numbers for interchangeable threads, which have none of their own, for the
// time in which the law has to tell them apart. Those that do the same have the smallest
// that are free, and others have others: then states in which threads have changed
// places are one, unless both do the same. A thread keeps its number in memory of its own.
type names struct {
	same  int // so many threads at most do the same
	taken uint64
}

// newNames returns numbers for at most 64, by what is done and who does the same.
func newNames(d *loom.Driver, same int) *names {
	s := &names{same: same}
	d.Root("names", &s.taken)
	return s
}

// take returns a number for a thread that does what has that number.
func (s *names) take(what int) uint8 {
	for i := range s.same {
		if n := what*s.same + i; s.taken>>n&1 == 0 {
			s.taken |= 1 << n
			return uint8(n)
		}
	}
	panic(fmt.Sprintf("closed: more than %d threads do what has number %d", s.same, what))
}

// free gives a number back, and clears where it was kept: between operations nothing
// tells one thread from another.
func (s *names) free(kept *uint8) {
	s.taken &^= 1 << *kept
	*kept = 0
}
