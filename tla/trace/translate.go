package trace

import (
	"errors"
	"fmt"
	"strings"
)

// Step is an event of a trace: what one event of a record, or one call, is to the
// subject's module.
type Step struct {
	Line   int    // of the record
	Name   string // see the module
	Thread string // w0, w1 ... are workers, s1, s2 ... submit, c1, c2 ... close
	Args   []any  // int, bool and string, as the module says for the name
}

// End is the name of the last step: the record has no more lines.
const End = "End"

// Trace is a run in the words of its subject's module.
type Trace struct {
	Of      *Subject
	File    string // the record, if it was read from a file
	Workers int
	Steps   []Step
}

// translateSched returns the run that a record is of. The record must be that of one
// scheduler from New to the end of Close, with rings that are never full, submitted to
// from outside and closed by one goroutine: that is what module Sched is about.
func translateSched(record []Event, s Source) (Trace, error) {
	x := &translator{
		source: s, heads: map[uint32]int{}, tails: map[uint32]int{}, workers: map[uint64]int{},
		slots: map[uint32]int{}, parkers: map[uint32]int{}, threads: map[uint64]*thread{}, first: map[uint64]uint32{},
	}
	for _, pass := range []func(Event, string) error{x.identify, x.translate} {
		err := each(record, s, func(e Event, what string) error {
			if e.Kind == plainMemory {
				return nil
			}
			return pass(e, what)
		})
		if err != nil {
			return Trace{}, err
		}
	}
	t := Trace{Workers: len(x.rings)}
	if t.Workers == 0 {
		return t, errors.New("trace: the record has no scheduler")
	}
	for _, step := range x.steps {
		if step.Name != "" {
			t.Steps = append(t.Steps, step)
		}
	}
	return t, nil
}

// plainMemory is the kind of a slot of a ring: who may use it when is RingQueue's.
const plainMemory = "cell"

// stateKind is the kind of the state of a parker.
const stateKind = "uint"

// translator knows the state of the words that it has read of.
type translator struct {
	source Source

	heads, tails, slots, parkers map[uint32]int    // object -> worker
	workers                      map[uint64]int    // goroutine -> worker
	first                        map[uint64]uint32 // goroutine -> the slot that it looked at first
	over, length                 uint32            // the flag, and the length of inject

	rings   []ring
	queued  uint64 // in inject
	threads map[uint64]*thread
	steps   []Step

	submitters, closers int
	e                   Event // the one being translated
}

// ring are the indices of a ring.
type ring struct{ steal, real, tail uint32 }

func (r ring) visible() int { return int(r.tail - r.real) }

// thread is what a goroutine is in the middle of.
type thread struct {
	name    string
	closing bool
	pushing bool   // it has the lock of inject and has not stored the length
	head    uint64 // what it has loaded of a ring
	look    look
}

// look is a call of Stealer.Empty. It has two loads, and is right at some moment
// between them; if it sees a task, that moment is when the step at is taken.
type look struct {
	open bool
	ring int
	at   int // of steps, -1: no task was visible yet
}

// identify finds out what the objects are. The indices of the rings are stored in
// the order of the workers; the rest is known by who uses it.
func (x *translator) identify(e Event, what string) error {
	w, isWorker := x.workers[e.Goroutine]
	switch what {
	case "NewRing Store":
		if len(x.heads) == len(x.tails) {
			x.heads[e.Object] = len(x.heads)
		} else {
			x.tails[e.Object] = len(x.tails)
			x.rings = append(x.rings, ring{})
		}
	case "Ring.Pop Load":
		if !isWorker {
			x.workers[e.Goroutine] = x.heads[e.Object]
			if slot, known := x.first[e.Goroutine]; known {
				x.slots[slot] = x.heads[e.Object]
			}
		}
	case "worker.takeLIFO Load":
		if _, known := x.first[e.Goroutine]; !known { // before it looks at others'
			x.first[e.Goroutine] = e.Object
		}
	case "Parker.ready CompareAndSwap", "Parker.ready Load", "Parker.sleep CompareAndSwap":
		if e.Kind == stateKind {
			x.parkers[e.Object] = w
		}
	case "worker.serve Load":
		x.over = e.Object
	case "Inject.Push Store", "Inject.Len Load":
		if x.length == 0 { // before whoever uses late, too
			x.length = e.Object
		}
	}
	return nil
}

// thread returns what the goroutine of the event is in the middle of.
func (x *translator) thread() *thread {
	t := x.threads[x.e.Goroutine]
	if t == nil {
		t = &thread{look: look{at: -1}}
		if w, is := x.workers[x.e.Goroutine]; is {
			t.name = name(w)
		} else {
			x.submitters++
			t.name = fmt.Sprintf("s%d", x.submitters)
		}
		x.threads[x.e.Goroutine] = t
	}
	return t
}

func name(worker int) string { return fmt.Sprintf("w%d", worker) }

func (x *translator) isWorker() bool { _, is := x.workers[x.e.Goroutine]; return is }

// step appends a step of the goroutine of the event.
func (x *translator) step(name string, args ...any) {
	x.steps = append(x.steps, Step{x.e.Line, name, x.thread().name, args})
}

// translate appends the steps that an event is.
func (x *translator) translate(e Event, what string) error {
	x.e = e
	if _, is := unmapped[what]; is {
		return nil
	}
	translate := mapped[what]
	if translate == nil {
		return unknown(e, what)
	}
	return translate(x)
}

// worker returns which worker an object belongs to.
func worker(objects map[uint32]int, e Event) (int, error) {
	w, known := objects[e.Object]
	if !known {
		return 0, fmt.Errorf("object %d belongs to no worker that uses it", e.Object)
	}
	return w, nil
}

// none reports whether a pointer is nil.
func none(pointer string) bool { return strings.Trim(pointer, "0x") == "" || pointer == "nil" }
