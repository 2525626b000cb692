package model

import (
	"fmt"
	"sort"
	"strings"
)

// Task stands for one task. Tasks of a scenario or a history are different
// positive numbers; 0 is what an unwritten slot holds, and never a task.
type Task int

// Op is an operation as a scenario asks for it: what to do, to what, with what.
type Op struct {
	Kind Kind
	// On is the thread whose ring or parker is meant, for the kinds that name
	// one (Steal, Peek, Vacant, Unpark, ClosePark), or the worker (WakeWorker,
	// Nudge).
	// The other kinds act on what their own thread owns, and On is 0.
	On int
	// Args are the tasks given, in order.
	Args []Task
	// Max is the largest number of tasks asked for (InjectPopN).
	Max int
}

// Result is what an operation answered.
type Result struct {
	Outcome Outcome
	// Tasks are the tasks returned to the caller (Took, Stole), or, of a Push
	// that Overflowed or was Handed over, what went to the overflow, in order.
	Tasks []Task
	// N is a count: tasks stolen, a length, or 1 for true.
	N int
	// Refused says that the overflow was closed and the caller has Tasks back.
	Refused bool
}

// Operation is one finished operation of a history. Its effects lie somewhere
// in the closed interval from Call to Return. Two operations are ordered only
// if one returned before the other was called.
type Operation struct {
	// Thread is who did it. A thread does one operation at a time, and owns the
	// ring and the parker of its number.
	Thread int
	Op
	Result
	Call, Return int64
}

// History is the operations of one run, in any order. Times are stamps of one
// clock; a Return equal to a Call counts as overlap.
type History []Operation

// Before reports whether a returned before b was called.
func Before(a, b Operation) bool { return a.Return < b.Call }

// String returns the operation as a line: who, what, and what came of it.
func (o Operation) String() string { return o.Format(nil) }

// Format is String with the threads by their names.
func (o Operation) Format(names []string) string {
	return fmt.Sprintf("%s: %s = %s", threadName(names, o.Thread), o.Op.describe(names), o.Result)
}

// String returns the operation as a scenario spells it, threads as t0, t1, ...
func (o Op) String() string { return o.describe(nil) }

func (o Op) describe(names []string) string {
	var b strings.Builder
	b.WriteString(o.Kind.String())
	switch o.Kind.shape() {
	case oneTask, someTasks:
		for _, t := range o.Args {
			fmt.Fprintf(&b, " %d", t)
		}
	case count, worker:
		n := o.Max
		if o.Kind.shape() == worker {
			n = o.On
		}
		fmt.Fprintf(&b, " %d", n)
	case thread:
		fmt.Fprintf(&b, " %s", threadName(names, o.On))
	}
	return b.String()
}

// String returns the result in words, with its tasks.
func (r Result) String() string {
	var b strings.Builder
	b.WriteString(r.Outcome.String())
	switch r.Outcome {
	case Counted:
		fmt.Fprintf(&b, " %d", r.N)
	case Stole:
		fmt.Fprintf(&b, " %d and returned", r.N)
	}
	for _, t := range r.Tasks {
		fmt.Fprintf(&b, " %d", t)
	}
	if r.Refused {
		b.WriteString(" (refused)")
	}
	return b.String()
}

// Format returns the history as a table, one operation a line in the order of
// the calls, threads by their names.
func (h History) Format(names []string) string {
	s := append(History(nil), h...)
	sort.SliceStable(s, func(i, j int) bool { return s[i].Call < s[j].Call })
	var b strings.Builder
	for _, o := range s {
		fmt.Fprintf(&b, "[%d, %d] %s\n", o.Call, o.Return, o.Format(names))
	}
	return b.String()
}

func threadName(names []string, t int) string {
	if t >= 0 && t < len(names) {
		return names[t]
	}
	return fmt.Sprintf("t%d", t)
}
