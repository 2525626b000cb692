package machine

import (
	"fmt"
	"sync/atomic"
	"unsafe"
)

// Code says what an operation does.
type Code uint8

// The operations. Those up to CellStore are never scheduled, see the package
// documentation.
const (
	None Code = iota
	Start
	Join
	Woken // return of a Cond.Wait
	Yield
	CellLoad
	CellStore

	Load
	Store
	Swap
	Add
	And
	Or
	CompareAndSwap

	Lock
	TryLock
	Unlock
	RLock
	TryRLock
	RUnlock
	Acquire // second half of a write lock that had to wait for readers

	Wait // of a Cond: its entry among the waiters
	Signal
	Broadcast

	GroupAdd
	GroupWait
	OnceEnter
	OnceDone

	Fire // of a timer
	Stop
	Reset

	Access // to a Map

	Call
	Return

	Choose      // commutes with everything
	Unsignalled // see Spurious; likewise

	Boundary // see Bound; it has no object
)

var codeNames = [...]string{"", "start", "Join", "Wait", "Yield", "Load", "Store",
	"Load", "Store", "Swap", "Add", "And", "Or", "CompareAndSwap",
	"Lock", "TryLock", "Unlock", "RLock", "TryRLock", "RUnlock", "Lock (readers gone)",
	"Wait", "Signal", "Broadcast", "Add", "Wait", "Do", "Do ends",
	"fires", "Stop", "Reset", "does", "Call", "Return", "Choose", "Wait", "Boundary"}

// String returns the name of the operation as Go code has it.
func (c Code) String() string {
	if int(c) < len(codeNames) {
		return codeNames[c]
	}
	return fmt.Sprintf("machine.Code(%d)", uint8(c))
}

// Mode says with which steps on the same object a step commutes.
type Mode uint8

// The modes.
const (
	Read     Mode = iota // sees the state and leaves it
	Write                // commutes with nothing
	Adding               // changes the state by an amount nobody is told: commutes with its like
	Sharing              // takes or gives back a read lock: commutes with its like
	Peeking              // fails to take a read lock: sees only whether a writer is there
	Entering             // begin of an operation: commutes with begins
	Leaving              // end of an operation: commutes with ends
)

// conflicts has, for a mode, one bit for each mode that it does not commute with.
var conflicts = [...]uint8{
	Read:     1<<Write | 1<<Adding | 1<<Sharing,
	Write:    1<<Read | 1<<Write | 1<<Adding | 1<<Sharing | 1<<Peeking,
	Adding:   1<<Read | 1<<Write,
	Sharing:  1<<Read | 1<<Write,
	Peeking:  1 << Write,
	Entering: 1 << Leaving,
	Leaving:  1 << Entering,
}

// Modes is how many modes there are.
const Modes = len(conflicts)

// Effect is what a step does: an object and how it is touched. In a given state
// two steps of different threads with independent effects lead to the same
// state in either order.
type Effect struct {
	Object int32
	Mode   Mode
}

// Independent reports whether steps with these effects commute.
func (e Effect) Independent(f Effect) bool {
	return e.Object != f.Object || conflicts[e.Mode]&(1<<f.Mode) == 0
}

// Op is a pending operation: what its thread does next.
type Op struct {
	Code  Code
	obj   *object // nil if the operation is not scheduled
	delta int64   // GroupAdd

	// CompareAndSwap: the word, its size and the value that must be there, or
	// the Value and the old value if size is 0.
	addr unsafe.Pointer
	size uint8
	old  uint64
	val  *atomic.Value
	any  any

	probe func() bool // Access: whether it would change the map
}

// Delta returns what GroupAdd adds.
func (op *Op) Delta() int64 { return op.delta }

// State is what decides whether an operation on something else than a word can
// be done and what it then does.
type State struct {
	Held    bool  // a lock, or the function of a Once runs
	Done    bool  // Once
	Count   int64 // RWMutex: readers; WaitGroup: the counter
	Waiters int   // Cond
	Armed   int   // Timer: the thread that is to fire, -1 if there is none
}

// State returns the state of the object of a scheduled operation.
func (op *Op) State() State {
	o := op.obj
	s := State{o.held, o.done, o.count, len(o.waiters), -1}
	if o.armed != nil {
		s.Armed = o.armed.id
	}
	return s
}

// Object returns the number of the object, -1 if there is none.
func (op *Op) Object() int32 {
	if op.obj == nil {
		return -1
	}
	return op.obj.id
}

// swaps reports whether a compare-and-swap would succeed now.
func (op *Op) swaps() bool {
	switch op.size {
	case 4:
		return uint64(atomic.LoadUint32((*uint32)(op.addr))) == op.old
	case 8:
		return atomic.LoadUint64((*uint64)(op.addr)) == op.old
	}
	// Comparing may panic, for types that cannot be compared. The thread will
	// find out when it gets its turn.
	defer func() { _ = recover() }()
	return op.val.Load() == op.any
}

// enabled reports whether the operation can be done now.
func (op *Op) enabled() bool {
	o := op.obj
	if o == nil {
		return op.Code == Boundary // else it waits for an event that has not come
	}
	switch op.Code {
	case Lock:
		return !o.held
	case RLock:
		return !o.held
	case Acquire:
		return o.count == 0
	case GroupWait:
		return o.count == 0
	case OnceEnter:
		return !o.held
	}
	return true
}

// mode returns how the operation would touch its object now.
func (op *Op) mode() Mode {
	o := op.obj
	switch op.Code {
	case Load, CellLoad, GroupWait, Choose, Unsignalled:
		return Read
	case CompareAndSwap:
		return writeIf(op.swaps())
	case TryLock:
		return writeIf(!o.held && o.count == 0)
	case RLock:
		return Sharing
	case RUnlock:
		if o.count == 0 {
			return Write // it will fail
		}
		return Sharing
	case TryRLock:
		if o.held {
			return Peeking
		}
		return Sharing
	case Wait:
		return Adding
	case Signal, Broadcast:
		return writeIf(len(o.waiters) > 0)
	case GroupAdd:
		if o.count+op.delta < 0 {
			return Write // it will panic
		}
		return Adding
	case OnceEnter:
		return writeIf(!o.done)
	case Stop:
		return writeIf(o.armed != nil)
	case Access:
		return writeIf(op.probe())
	case Call:
		return Entering
	case Return:
		return Leaving
	}
	return Write
}

// Mode returns how an operation touches its object that by itself does so in the
// given mode: with [Machine.Ordered], what changes the counter of a WaitGroup, or
// that of the readers of an RWMutex, is a Write.
func (m *Machine) Mode(c Code, mode Mode) Mode {
	if m.Ordered && (mode == Sharing || mode == Adding && c == GroupAdd) {
		return Write
	}
	return mode
}

func writeIf(changes bool) Mode {
	if changes {
		return Write
	}
	return Read
}
