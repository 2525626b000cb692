package machine

// cell is what is known of the accesses to a plain variable. The last store and
// the last load of every thread are enough: an access races with one of them if
// it races with any.
type cell struct {
	ref    *Ref
	writer int // thread of the last store, -1 if none
	wclock uint32
	reads  Clock // by thread, the clock of its last load since the last store

	changes changes

	// The last store, and by thread the last load, only while tracing.
	wrote access
	read  []access
}

// access is one side of a race, only while tracing.
type access struct {
	event Event
	at    int  // its place in the trace
	gone  bool // the trace does not keep it: that is the place before which it would be
}

// accessed returns the access that t has just made, the last event of the trace.
func (t *Thread) accessed(gone bool) access {
	n := len(t.m.Trace) - 1
	return access{t.m.Trace[n], n, gone}
}

// set makes a the access of thread id in a list of them by thread.
func (a access) set(list *[]access, id int) {
	for len(*list) <= id {
		*list = append(*list, access{})
	}
	(*list)[id] = a
}

// Cell records a load or store of a plain variable.
func (t *Thread) Cell(r *Ref, store bool) { t.cell(r, store, false) }

// cell is Cell; gone says that the event is going to be taken out of the trace.
func (t *Thread) cell(r *Ref, store, gone bool) {
	m := t.m
	if t.over() {
		return
	}
	if t.seeing != nil {
		t.cellStep(r, store)
		return
	}
	c := m.cell(r)
	if m.Tracing {
		code := CellLoad
		if store {
			code = CellStore
		}
		e := m.event(t, code, nil, Read)
		e.Kind, e.Other, e.Site = Cells, int(r.id), t.here()
		if !gone { // there are many, of which few matter
			e.Name = m.nameOf(r)
		}
	}
	if c.writer >= 0 && c.writer != t.id && t.clock.at(c.writer) < c.wclock {
		t.race(c, store, c.writer, true)
	}
	if store {
		for i, at := range c.reads {
			if i != t.id && t.clock.at(i) < at {
				t.race(c, store, i, false)
			}
		}
		c.writer, c.wclock, c.reads = t.id, t.clock.at(t.id), c.reads[:0]
		t.change(&c.changes, CellStore)
	} else {
		c.reads.set(t.id, t.clock.at(t.id))
		if !t.traced {
			t.remember(&c.changes, look{object: r.id, view: plain})
		}
	}
	if m.Tracing {
		c.note(t.id, store, t.accessed(gone))
	}
}

func (m *Machine) cell(r *Ref) *cell {
	if r.run.Load() == m.run {
		c := m.cells[r.id]
		if c.ref != r {
			m.copied(Cells, r.id)
		}
		return c
	}
	n := m.ncells
	if n == len(m.cells) {
		m.cells = append(m.cells, &cell{})
	}
	c := m.cells[n]
	m.ncells++
	c.writer, c.wclock, c.reads, c.read = -1, 0, c.reads[:0], c.read[:0]
	c.changes.reset()
	c.ref, r.id = r, int32(n)
	r.run.Store(m.run)
	if r.guest.Load() >= m.run {
		m.guest(Cells, r.id)
	}
	return c
}

func (c *cell) note(id int, store bool, a access) {
	if store {
		c.wrote, c.read = a, c.read[:0]
		return
	}
	a.set(&c.read, id)
}

// race reports that the access t makes now and an earlier one of thread other
// have nothing between them.
func (t *Thread) race(c *cell, store bool, other int, otherStore bool) {
	f := Failure{Kind: RaceFailure, Thread: t.id, Other: other, Cell: int(c.ref.id), Store: store, OtherStore: otherStore}
	if t.m.Tracing {
		if otherStore {
			t.sides(&f, c.wrote)
		} else {
			t.sides(&f, c.read[other])
		}
	}
	t.raced(f)
}

// sides fills in the two accesses of a race: the one that t makes now, whose event
// is the last, and an earlier one.
func (t *Thread) sides(f *Failure, other access) {
	f.At, f.Site = len(t.m.Trace)-1, t.here()
	f.OtherAt, f.OtherSite = other.at, other.event.Site
	if other.gone {
		f.Gone = &other.event
	}
}

// raced notes a race, and with GoOn no more than that.
func (t *Thread) raced(f Failure) {
	t.m.Raced = true
	if t.m.GoOn {
		return
	}
	t.m.fail(f)
	t.unwind()
}
