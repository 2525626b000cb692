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
)

var kindNames = [...]string{"int", "uint", "bool", "pointer", "value", "mutex", "rwmutex",
	"cond", "waitgroup", "once", "timer", "stamps", "cell"}

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
}

func (o *object) reset(id int32, kind Kind) {
	*o = object{id: id, kind: kind, waiters: o.waiters[:0], clock: o.clock[:0], rclock: o.rclock[:0]}
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

// cell is what is known of the accesses to a plain variable. The last store and
// the last load of every thread are enough: an access races with one of them if
// it races with any.
type cell struct {
	writer int // thread of the last store, -1 if none
	wclock uint32
	reads  Clock // by thread, the clock of its last load since the last store

	// Where, only while tracing.
	wsite  Site
	rsites []Site
}

// Cell records a load or store of a plain variable.
func (t *Thread) Cell(r *Ref, store bool) {
	m := t.m
	if m.ending {
		return
	}
	c := m.cell(r)
	if m.Tracing {
		code := CellLoad
		if store {
			code = CellStore
		}
		e := m.event(t, code, nil, Read)
		e.Kind, e.Other, e.Site = Cells, int(r.id), caller()
	}
	if c.writer >= 0 && c.writer != t.id && t.clock.at(c.writer) < c.wclock {
		m.race(t, r, c, store, c.writer, true)
	}
	if store {
		for i, at := range c.reads {
			if i != t.id && t.clock.at(i) < at {
				m.race(t, r, c, store, i, false)
			}
		}
		c.writer, c.wclock, c.reads = t.id, t.clock.at(t.id), c.reads[:0]
	} else {
		c.reads.set(t.id, t.clock.at(t.id))
	}
	if m.Tracing {
		c.note(t.id, store, m.Trace[len(m.Trace)-1].Site)
	}
}

func (m *Machine) cell(r *Ref) *cell {
	if r.run == m.run {
		return m.cells[r.id]
	}
	n := m.ncells
	if n == len(m.cells) {
		m.cells = append(m.cells, &cell{})
	}
	c := m.cells[n]
	m.ncells++
	*c = cell{writer: -1, reads: c.reads[:0], rsites: c.rsites[:0]}
	r.run, r.id = m.run, int32(n)
	return c
}

func (c *cell) note(id int, store bool, at Site) {
	if store {
		c.wsite, c.rsites = at, c.rsites[:0]
		return
	}
	for len(c.rsites) <= id {
		c.rsites = append(c.rsites, Site{})
	}
	c.rsites[id] = at
}

// race reports that the access t makes now and an earlier one of thread other
// have nothing between them.
func (m *Machine) race(t *Thread, r *Ref, c *cell, store bool, other int, otherStore bool) {
	m.Raced = true
	if m.RacesGoOn {
		return
	}
	f := Failure{Kind: RaceFailure, Thread: t.id, Other: other, Cell: int(r.id), Store: store, OtherStore: otherStore}
	if m.Tracing {
		f.Site = caller()
		if otherStore {
			f.OtherSite = c.wsite
		} else {
			f.OtherSite = c.rsites[other]
		}
	}
	m.fail(f)
	t.unwind()
}
