package machine

import (
	"sync/atomic"
	"unsafe"
)

// MaxThreads is how many threads one execution may have, timers included.
const MaxThreads = 64

// Controller decides. The machine asks it on whatever goroutine it happens to
// run, one question at a time.
type Controller interface {
	// Next returns the thread that takes the next step. Every thread that is
	// not done is stopped before an operation. It must be one of those that
	// [Machine.Enabled] lists; nil ends the execution here.
	Next(m *Machine) *Thread
	// Choose returns a number in [0, n) for a choice that thread t makes.
	Choose(t *Thread, n int) int
}

// Linker is a controller that wants to know what, besides the order of each
// thread and of conflicting steps, makes steps depend on others.
type Linker interface {
	// Link says that all that the thread to does from now on depends on what the
	// thread from has done: so far if decisions is negative, and else until the
	// execution had that many steps and choices, the last of them made by from.
	//
	// Where to has returned from Yield, what from did is the first of the changes
	// any of which would have ended it. If to has looked at more than one thing,
	// another thread's change could do so in another order of steps that commute:
	// then [Machine.Either] is true, and what these links say is too strict.
	Link(from, to *Thread, decisions int)
}

// Machine runs executions, one after the other, of one program at a time.
type Machine struct {
	ctl Controller

	// Settings, to be changed between executions only.
	Tracing  bool   // record Trace
	Tell     func() // called while tracing, as soon as an event that is a step is complete; may be nil
	GoOn     bool   // a race only sets Raced, and of a thread that fails the execution only loses that
	Watch    *Watch // of a search of states; nil: none
	Ordered  bool   // additions to a counter do not commute, see Mode
	NoYield  bool   // nothing is remembered for Yield; a call of it ends the execution and sets Yielded
	Solo     bool   // the controller is not asked for steps of a thread that is alone (solo.go)
	LogSolo  bool   // and they are logged
	MaxSteps int    // longer executions are an error; 0: no limit

	// Results of the last execution.
	Failure *Failure // what it violated
	Err     error    // how the program misused the machine
	Raced   bool
	Yielded bool // despite NoYield, in this execution or one before
	Steps   int
	Done    bool // every thread came to its end
	Either  bool // a Yield waited for any of several changes, see Linker
	Trace   []Event

	linker    Linker
	decisions int // steps and choices of the execution, but for those of solos

	memory
	run      uint64
	seat     *seat // of one that does not run alone
	plains   variables
	n        int     // how many of threads this execution has
	live     int     // how many are not done
	awaiting uint64  // those that sleep in Yield
	moves    int     // see move
	changed  int     // Steps when something last changed
	spurious bool    // see Thread.Spurious
	target   *Thread // who runs next
	last     *Thread // who took the last step
	ending   bool    // all that is left is to unwind

	nobjects int // how many of objects
	ncells   int // and of cells
	words    words
	intruder atomic.Pointer[intrusion]
	// abandoned is set when Guard has given up the running execution, whose
	// goroutines may do no more.
	abandoned atomic.Bool
	pointers  []unsafe.Pointer // in the order in which Trace names them
	names     []named
	roots     []named // what Name was given
	renamed   int     // how often names has been made anew
	renamedAt int     // Steps at the last time
	stamps    Ref
	choices   Ref
}

// New returns a machine that ctl controls. Close must be called in the end.
func New(ctl Controller) *Machine {
	m := &Machine{ctl: ctl}
	m.linker, _ = ctl.(Linker)
	if k := spare.Swap(nil); k != nil {
		m.memory = *k
	}
	return m
}

func (m *Machine) link(from, to *Thread, decisions int) {
	if m.linker != nil {
		m.linker.Link(from, to, decisions)
	}
}

// Run runs body as thread 0, and what it starts, to the end: until every thread
// is done, the controller ends it, or the execution fails. What the threads have
// deferred has run then; the last goroutines end with Close.
func (m *Machine) Run(body func()) {
	m.reset()
	m.spawn(nil, body)
	m.target = m.next()
	for m.target != nil {
		m.resume(m.target)
	}
	m.unwindAll()
	m.intruded()
}

func (m *Machine) reset() {
	m.run = runs.Add(1)
	m.Failure, m.Err, m.Raced, m.Either, m.Steps, m.Done = nil, nil, false, false, 0, false
	m.Trace = m.Trace[:0]
	m.n, m.live, m.ready = 0, 0, m.ready[:0]
	m.decisions = 0
	m.solos.reset()
	m.awaiting, m.moves, m.changed, m.spurious, m.tail = 0, 0, 0, false, m.tail[:0]
	m.target, m.last, m.ending = nil, nil, false
	m.nobjects, m.ncells, m.pointers = 0, 0, nil
	m.words.reset()
	clear(m.names)
	clear(m.roots)
	m.names, m.roots, m.renamed, m.renamedAt = m.names[:0], m.roots[:0], 0, -1
	m.intruder.Store(nil)
	m.enters()
}

// resume lets t run until some thread, perhaps t, hands over.
func (m *Machine) resume(t *Thread) {
	if t.co == nil {
		t.co = m.coroutine(t)
	}
	m.hand(t.co)
	t.co.next()
}

// next decides who runs next and returns it, nil to end the execution.
func (m *Machine) next() *Thread {
	if m.ending {
		return nil
	}
	if n := len(m.ready); n > 0 {
		t := m.ready[0]
		copy(m.ready, m.ready[1:])
		m.ready = m.ready[:n-1]
		return t
	}
	if m.live == 0 {
		m.Done = true
		return nil
	}
	t := m.ctl.Next(m)
	if t == nil || m.ending {
		m.ending = true
		return nil
	}
	return t
}

// Last returns the thread that took the last step, nil before the first.
func (m *Machine) Last() *Thread { return m.last }

// Objects returns how many objects the execution has touched or is about to.
func (m *Machine) Objects() int { return m.nobjects }

// Threads returns how many threads there are so far, the ended ones included.
func (m *Machine) Threads() int { return m.n }

// Thread returns thread id, from 0 to Threads() - 1.
func (m *Machine) Thread(id int) *Thread { return m.threads[id] }

// Enabled returns the set of threads that can take a step, and appends to
// effects what each thread's step would do, by number; the effects of threads
// outside the set mean nothing.
func (m *Machine) Enabled(effects []Effect) (set uint64, _ []Effect) {
	for i, t := range m.threads[:m.n] {
		var e Effect
		if t.CanStep() {
			set |= 1 << i
			e = t.Effect()
		}
		effects = append(effects, e)
	}
	return set, effects
}

// Close ends the machine and its goroutines.
func (m *Machine) Close() {
	for _, co := range m.idle {
		m.dismiss(co)
		co.stop()
	}
	m.reap()
	m.keep()
}
