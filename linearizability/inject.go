package linearizability

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/filch-sched/filch/model"
)

// injectState is what an inject queue is: its tasks, oldest first, four bytes
// each. Taking tasks shares the string.
type injectState struct {
	tasks string
	// latest is when the latest pop of all that was ever put in is called, which is
	// after now only if that task is still there.
	latest int64
	closed bool
}

// emptyInject is the state of a queue that is new.
var emptyInject = injectState{latest: math.MinInt64}

func (s injectState) len() int { return len(s.tasks) / 4 }

func (s injectState) task(i int) model.Task {
	return model.Task(binary.LittleEndian.Uint32([]byte(s.tasks[4*i : 4*i+4])))
}

// String describes the queue as a reader of a report wants it.
func (s injectState) String() string {
	how := "was open"
	if s.closed {
		how = "was closed"
	}
	return fmt.Sprintf("%s and had %s", how, countOf(s.len(), "task"))
}

// countOf is so many of what one is called.
func countOf[N int | int32 | int64](n N, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %ss", n, one)
}

// injectLaw is the law of one inject queue, that of package model. Of two tasks
// whose pushes overlap either may come first, until one is popped. To keep few
// possibilities the law looks ahead, with mayFollow and dominates.
type injectLaw struct {
	ops    []model.Operation
	popped []popping
	of     *taskIndex // which of popped a task has, plus 1
	bound  int        // the capacity of the queue, 0 for none
	waived model.Claim
}

// popping is when a task is popped: by which operation, as which of its tasks.
type popping struct {
	call, ret int64
	op        int32 // plus 1
	nth       int32 // of size
	size      int32
	full      bool // the operation asked for no more than it got
}

// newInjectLaw reads the pops of a history, in which no task is popped twice.
func newInjectLaw(h *History) *injectLaw {
	l := &injectLaw{ops: h.Ops, of: newTaskIndex(h)}
	if h.Target == model.Inject {
		l.bound = h.Capacity
	}
	for i := range h.Ops {
		o := &h.Ops[i]
		if (o.Kind != model.InjectPop && o.Kind != model.InjectPopN) || o.Outcome != model.Took {
			continue
		}
		for nth, t := range o.Tasks {
			l.popped = append(l.popped, popping{o.Call, o.Return, int32(i + 1), int32(nth), int32(len(o.Tasks)), o.Max <= len(o.Tasks)})
			l.of.set(t, int32(len(l.popped)))
		}
	}
	return l
}

// when returns when task t is popped, which for one that stays is never.
func (l *injectLaw) when(t model.Task) popping {
	if n := l.of.get(t); n > 0 {
		return l.popped[n-1]
	}
	return popping{call: Never, ret: Never, size: 1, full: true}
}

// mayFollow reports whether a task may enter right behind those in s. It may not
// if one of these is popped after it, nor if it would come between tasks that one
// operation pops, or be no neighbour of those that are popped with it.
func (l *injectLaw) mayFollow(s injectState, first model.Task) bool {
	next := l.when(first)
	if len(s.tasks) == 0 {
		return next.nth == 0
	}
	if last := l.when(s.task(s.len() - 1)); last.nth+1 < last.size {
		return next.op == last.op && next.nth == last.nth+1
	}
	return next.nth == 0 && s.latest <= next.ret
}

// dominates reports whether all that can come after b can come after a, which
// differs from it by two groups of tasks in each other's place, each popped by
// one operation. If x is in front of y in a, and x is not popped later than y, in
// that neither is its pop called later nor does it return later, then what pops y
// and x in turn after b can change places after a. Of tasks that are never popped
// the order says nothing.
func (l *injectLaw) dominates(a, b injectState) bool {
	if len(a.tasks) != len(b.tasks) || a.closed != b.closed {
		return false
	}
	i := common(a.tasks, b.tasks) / 4
	if i == a.len() {
		return false
	}
	x, y := l.when(a.task(i)), l.when(b.task(i))
	n := int(x.size)
	if x.nth != 0 || y.nth != 0 || x.size != y.size || !x.full || !y.full || x.call > y.call || x.ret > y.ret {
		return false
	}
	if x.call == y.call && x.ret == y.ret && a.task(i) > b.task(i) {
		return false // each dominates the other: one is enough
	}
	j := i + n
	for j < a.len() && a.task(j) != b.task(i) {
		j++
	}
	if j+n > a.len() {
		return false
	}
	at := func(s injectState, from, to int) string { return s.tasks[4*from : 4*to] }
	return at(a, i, i+n) == at(b, j, j+n) && at(a, j, j+n) == at(b, i, i+n) &&
		at(a, i+n, j) == at(b, i+n, j) && at(a, j+n, a.len()) == at(b, j+n, b.len())
}

// common returns how many bytes two strings of the same length have in common.
func common(a, b string) (n int) {
	for step := 1 << 12; step > 0; step /= 8 {
		for n+step <= len(a) && a[n:n+step] == b[n:n+step] {
			n += step
		}
	}
	return n
}

func (l *injectLaw) weight(s injectState) int { return len(s.tasks) }

func (l *injectLaw) moves(buf []move[injectState], s injectState, op int, _ step) []move[injectState] {
	o := &l.ops[op]
	if o.Return == Never { // nothing waits here, so it could have ended
		buf = append(buf, move[injectState]{s, done, false})
	}
	switch o.Kind {
	case model.InjectPush, model.InjectBatch:
		room := l.bound == 0 || s.len()+len(o.Args) <= l.bound
		switch {
		case o.Outcome == model.NoRoom && (!room || l.waived == model.BusyIsHonest):
			return append(buf, move[injectState]{s, done, true})
		case o.Outcome == model.NoRoom, o.Outcome == model.Kept && !room && l.waived != model.CapacityFromSteal:
			return buf
		}
		return l.push(buf, s, o.Args, o.Outcome == model.Closed)
	case model.Push: // one that overflows or is handed over
		return l.push(buf, s, o.Tasks, o.Refused)
	case model.InjectPop, model.InjectPopN:
		return l.pop(buf, s, o)
	case model.InjectLen:
		if o.N == s.len() || l.waived == model.LenHint {
			buf = append(buf, move[injectState]{s, done, true})
		}
	case model.InjectClose:
		if (o.N == 1) == !s.closed || l.waived == model.ClosedReturnsTasks {
			was := s.closed
			s.closed = true
			buf = append(buf, move[injectState]{s, done, was})
		}
	}
	return buf
}

// push: all of the tasks are in, together, or the queue is closed.
func (l *injectLaw) push(buf []move[injectState], s injectState, tasks []model.Task, refused bool) []move[injectState] {
	if refused != s.closed && l.waived != model.ClosedReturnsTasks {
		return buf
	}
	if refused {
		return append(buf, move[injectState]{s, done, true})
	}
	if !l.mayFollow(s, tasks[0]) {
		return buf
	}
	b := make([]byte, 0, 4*len(tasks))
	for _, t := range tasks {
		b = binary.LittleEndian.AppendUint32(b, uint32(t))
		s.latest = max(s.latest, l.when(t).call)
	}
	s.tasks += string(b)
	return append(buf, move[injectState]{s, done, false})
}

// pop: the oldest tasks, as many as there are and were asked for.
func (l *injectLaw) pop(buf []move[injectState], s injectState, o *model.Operation) []move[injectState] {
	if o.Outcome == model.Empty {
		if len(s.tasks) == 0 || l.waived == model.BusyIsHonest {
			buf = append(buf, move[injectState]{s, done, true})
		}
		return buf
	}
	want := 1
	if o.Kind == model.InjectPopN {
		want = o.Max
	}
	if len(o.Tasks) != min(want, s.len()) {
		return buf
	}
	for i, t := range o.Tasks {
		if s.task(i) != t {
			return buf
		}
	}
	s.tasks = s.tasks[4*len(o.Tasks):]
	return append(buf, move[injectState]{s, done, false})
}
