package machine

import (
	"sync/atomic"
	"unsafe"
)

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
)

var kindNames = [...]string{"int", "uint", "bool", "pointer", "value", "mutex", "rwmutex",
	"cond", "waitgroup", "once", "timer", "stamps", "cell", "map"}

// String returns the name that reports use.
func (k Kind) String() string { return kindNames[k] }

// Ref ties an object of the program under check to its state in the running
// execution. The zero Ref is ready to use. Only threads of the model touch it.
type Ref struct {
	run uint64 // the execution that id belongs to
	id  int32
}

// runs counts executions of all machines, so that a Ref from an earlier one is
// known to be stale.
var runs atomic.Uint64

// object is the state of an object in one execution. Which fields mean
// something depends on the kind.
type object struct {
	id      int32
	kind    Kind
	held    bool    // Mutex: locked. RWMutex: a writer has or wants it. Once: f runs.
	done    bool    // Once
	count   int64   // RWMutex: readers. WaitGroup: the counter. Stamps: the last one.
	holder  *Thread // of a lock, for reports
	waiters []*Thread
	armed   *Thread // Timer: the thread that fires

	clock  Clock // what a step that acquires from the object learns
	rclock Clock // RWMutex: what the readers released

	changes changes
}

func (o *object) reset(id int32, kind Kind) {
	*o = object{id: id, kind: kind, waiters: o.waiters[:0], clock: o.clock[:0], rclock: o.rclock[:0],
		changes: changes{log: o.changes.log[:0]}}
}

// object returns the state of the object of r, new if this execution has not
// touched it.
func (m *Machine) object(r *Ref, kind Kind) *object {
	if r.run == m.run {
		return m.objects[r.id]
	}
	n := m.nobjects
	if n == len(m.objects) {
		m.objects = append(m.objects, &object{})
	}
	o := m.objects[n]
	m.nobjects++
	o.reset(int32(n), kind)
	r.run, r.id = m.run, int32(n)
	return o
}

// At returns the Ref of the plain word at addr, for the function forms of
// sync/atomic.
func (t *Thread) At(addr unsafe.Pointer) *Ref {
	m := t.m
	r := m.byAddr[addr]
	if r == nil {
		r = &Ref{}
		if m.byAddr == nil {
			m.byAddr = make(map[unsafe.Pointer]*Ref)
		}
		m.byAddr[addr] = r
	}
	return r
}
