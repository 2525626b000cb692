package machine

import "unsafe"

// variables has the plain variables that the execution numbered run has met, by
// their addresses. That keeps them where they are: no address is used twice in
// one execution.
type variables struct {
	run uint64
	all map[unsafe.Pointer]*variable
}

// variable is a plain variable. Functions of sync/atomic may work on it, too:
// these do not race with each other, but with plain accesses.
type variable struct {
	ref           Ref
	reads, writes atomics
}

// atomics is what is known of the atomic accesses of one kind, by thread: the
// last of each.
type atomics struct {
	at   Clock
	last []access // only while tracing
}

func (m *Machine) variable(addr unsafe.Pointer) *variable {
	plains := &m.plains
	if plains.run != m.run {
		plains.run, plains.all = m.run, make(map[unsafe.Pointer]*variable)
	}
	v := plains.all[addr]
	if v == nil {
		v = &variable{}
		plains.all[addr] = v
	}
	return v
}

// Plain is Cell for the plain variable at addr. There are many of them and they
// matter only if they race, so the trace has nothing but the access that does.
func (t *Thread) Plain(addr unsafe.Pointer, store bool) {
	if t.over() {
		return
	}
	m := t.m
	v := m.variable(addr)
	n := len(m.Trace)
	t.cell(&v.ref, store, true)
	t.mixed(v, &v.writes, store, true)
	if store {
		t.mixed(v, &v.reads, store, false)
	}
	m.Trace = m.Trace[:n]
}

// Atomic records that t has just done an atomic operation on the plain variable
// at addr, after all that the operation itself has synchronized.
func (t *Thread) Atomic(addr unsafe.Pointer, write bool) {
	if t.over() {
		return
	}
	m := t.m
	v := m.variable(addr)
	c := m.cell(&v.ref)
	if c.writer >= 0 && c.writer != t.id && t.clock.at(c.writer) < c.wclock {
		t.race(c, write, c.writer, true)
	}
	if write {
		for i, at := range c.reads {
			if i != t.id && t.clock.at(i) < at {
				t.race(c, write, i, false)
			}
		}
		v.writes.note(t, t.clock.at(t.id)-1) // it has released what it knew by then
	} else {
		v.reads.note(t, t.clock.at(t.id))
	}
}

func (a *atomics) note(t *Thread, at uint32) {
	a.at.set(t.id, at)
	if t.m.Tracing {
		t.accessed(false).set(&a.last, t.id)
	}
}

// mixed reports a race of the plain access that t makes now with an atomic one.
func (t *Thread) mixed(v *variable, a *atomics, store, otherStore bool) {
	for i, at := range a.at {
		if i == t.id || t.clock.at(i) >= at {
			continue
		}
		f := Failure{Kind: RaceFailure, Thread: t.id, Other: i, Cell: int(v.ref.id), Store: store, OtherStore: otherStore}
		if t.m.Tracing {
			t.sides(&f, a.last[i])
		}
		t.raced(f)
	}
}
