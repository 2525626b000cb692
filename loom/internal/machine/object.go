package machine

import "sync/atomic"

// Kind says what an object is, and for words how their values are printed.
type Kind uint8

// The kinds.
const (
	Int Kind = iota
	Uint
	Bool
	Pointer
	Value
	Mutex
	RWMutex
	Cond
	WaitGroup
	Once
	Timer
	Stamps
	Cells
	Map
	Choices
	Threads
)

var kindNames = [...]string{"int", "uint", "bool", "pointer", "value", "mutex", "rwmutex",
	"cond", "waitgroup", "once", "timer", "stamps", "cell", "map", "choices", "thread"}

// String returns the name that reports use.
func (k Kind) String() string { return kindNames[k] }

// Ref ties an object of the program under check to its state in the running
// execution. The zero Ref is ready to use. Other goroutines only leave marks.
type Ref struct {
	run   atomic.Uint64 // the execution that id belongs to
	guest atomic.Uint64 // the last execution during which it was used, but by none of its threads
	id    int32

	number uint32 // in a record, see Recorder
}

// runs counts executions of all machines, so that a Ref from an earlier one is
// known to be stale.
var runs atomic.Uint64

// object is the state of an object in one execution. Which fields mean
// something depends on the kind.
type object struct {
	id      int32
	kind    Kind
	ref     *Ref    // of the one object that has this state, not of a copy
	held    bool    // Mutex: locked. RWMutex: a writer has or wants it. Once: f runs.
	pending bool    // RWMutex: the writer waits for readers
	done    bool    // Once
	count   int64   // RWMutex: readers. WaitGroup: the counter. Stamps: the last one.
	holder  *Thread // of a lock, for reports
	waiters []*Thread
	armed   *Thread // Timer: the thread that fires

	clock  Clock // what a step that acquires from the object learns
	rclock Clock // RWMutex: what the readers released

	changes changes
	group   *group // WaitGroup
	users
}

// reset makes o the state of an object that is new. It goes field by field: to
// assign the whole would take as long as a step, for each object of each execution.
func (o *object) reset(id int32, kind Kind) {
	o.id, o.kind = id, kind
	o.held, o.pending, o.done, o.count = false, false, false, 0
	o.waiters, o.clock, o.rclock = o.waiters[:0], o.clock[:0], o.rclock[:0]
	if o.holder != nil || o.armed != nil {
		o.holder, o.armed = nil, nil
	}
	o.changes.reset()
	o.users = users{}
	if kind == WaitGroup {
		o.group = o.group.reset()
	}
}

// object returns the state of the object of r, new if this execution has not
// touched it.
func (m *Machine) object(r *Ref, kind Kind) *object {
	if r.run.Load() == m.run {
		if o := m.objects[r.id]; o.ref == r {
			return o
		}
	}
	return m.meet(r, kind)
}

// meet is object where the answer is not at hand.
func (m *Machine) meet(r *Ref, kind Kind) *object {
	if r.run.Load() == m.run {
		o := m.objects[r.id]
		m.copied(o.kind, r.id)
		return o
	}
	m.elsewhere(r, kind)
	n := m.nobjects
	if n == len(m.objects) {
		m.objects = append(m.objects, &object{})
	}
	o := m.objects[n]
	m.nobjects++
	o.reset(int32(n), kind)
	o.ref, r.id = r, int32(n)
	r.run.Store(m.run)
	if r.guest.Load() >= m.run {
		m.guest(kind, r.id)
	}
	return o
}

// First reports whether this execution has not used the object of r yet.
func (t *Thread) First(r *Ref) bool { return r.run.Load() != t.m.run }

// TakenOutside refuses an object that is in use outside the exploration: a lock
// that is held, a group that counts, a condition that somebody waits for.
func (t *Thread) TakenOutside(r *Ref, k Kind) {
	t.m.misuse("loom: a %v is used at %v that a goroutine outside of the exploration holds or waits for", k, t.here())
	t.unwind()
}

// copied refuses the use of an object that was copied: which of the two has its
// state cannot be told.
func (m *Machine) copied(k Kind, id int32) {
	m.misuse("loom: a copy of %v#%d is used at %v: like those of sync and sync/atomic, the types of loom must not be copied after their first use", k, id, caller())
}
