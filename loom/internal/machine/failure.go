package machine

import (
	"fmt"
	"slices"
)

// FailureKind says how an execution went wrong.
type FailureKind uint8

// The kinds of failures.
const (
	ClaimFailure    FailureKind = iota // a thread said that a claim is violated
	PanicFailure                       // a thread panicked
	RaceFailure                        // a data race on a cell, or in the use of a WaitGroup
	DeadlockFailure                    // nobody can go on
	ExitFailure                        // the body, or a thread of a failed test, called Goexit
)

// Failure describes what an execution violated.
type Failure struct {
	Kind    FailureKind
	Thread  int
	Claim   string // ClaimFailure
	Message string // ClaimFailure, PanicFailure, and RaceFailure if it is not of a cell
	Site    Site   // where, while tracing

	// RaceFailure: the other access and the cell, -1 if it is none.
	Other             int
	OtherSite         Site
	Cell              int
	Store, OtherStore bool
	// While tracing: the events of the two accesses. If the trace does not have the
	// other one it is Gone, and came before the event OtherAt.
	At, OtherAt int
	Gone        *Event

	// DeadlockFailure: who waits for what, and whether one of them does so in
	// Yield.
	Waits    []Waiting
	Livelock bool
}

// Waiting is a thread that cannot go on.
type Waiting struct {
	Thread int
	Code   Code
	Kind   Kind
	Object int32
	Holder int // thread that holds the lock, -1 if none does
	Joined int // in Join: the thread that has not ended, else -1
	Site   Site
	Looks  []Look // in Yield: what has to change
}

// Look is something that a thread has looked at.
type Look struct {
	Kind   Kind
	Object int32  // of a cell, its number
	Name   string // of a plain variable, if it has one
	Site   Site   // where, while tracing
}

// fail records a failure and ends the execution, or with GoOn only that of the
// thread; the calling thread must be unwound next. The first failure counts.
// What threads do while they are unwound is no failure.
func (m *Machine) fail(f Failure) {
	if m.ending {
		return
	}
	if m.Failure == nil {
		m.Failure = &f
	}
	if m.GoOn && f.Kind != DeadlockFailure {
		m.threads[f.Thread].failed = true
	} else {
		m.ending = true
	}
}

// misuse records that the program cannot be run and ends the execution.
func (m *Machine) misuse(format string, args ...any) {
	if !m.ending {
		m.ending, m.Err = true, fmt.Errorf(format, args...)
	}
}

// Refuse ends the execution, and the calling thread, because the program cannot
// be run: what says why, without the place.
func (t *Thread) Refuse(what string) {
	t.m.misuse("%s, at %v", what, t.here())
	t.unwind()
}

// Deadlock records that no thread can go on. The controller calls it, and then
// returns nil from Next.
func (m *Machine) Deadlock() {
	f := Failure{Kind: DeadlockFailure}
	for _, t := range m.threads[:m.n] {
		if t.done {
			continue
		}
		w := Waiting{Thread: t.id, Code: t.op.Code, Object: -1, Holder: -1, Joined: -1, Site: t.site}
		if o := t.op.obj; o != nil {
			w.Object, w.Kind = o.id, o.kind
			if o.holder != nil {
				w.Holder = o.holder.id
			}
		}
		if t.on != nil {
			w.Object, w.Kind = t.on.id, t.on.kind
		}
		for _, u := range m.threads[:m.n] {
			if w.Code == Join && !u.done && slices.Contains(u.joiners, t) {
				w.Joined = u.id
			}
		}
		if w.Code == Yield {
			f.Livelock, w.Looks = true, t.lookedAt()
		}
		f.Waits = append(f.Waits, w)
	}
	m.fail(f)
}

// Fail ends the execution, and the calling thread, because claim is violated.
func (t *Thread) Fail(claim, message string) {
	f := Failure{Kind: ClaimFailure, Thread: t.id, Claim: claim, Message: message}
	if t.m.Tracing {
		f.Site = t.here()
	}
	t.m.fail(f)
	t.unwind()
}

// fatal ends the execution with what package sync would end the program with.
func (t *Thread) fatal(message string) {
	f := Failure{Kind: PanicFailure, Thread: t.id, Message: message}
	if t.m.Tracing {
		f.Site = t.here()
	}
	t.m.fail(f)
	t.unwind()
}
