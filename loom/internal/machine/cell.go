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

	// Where, only while tracing.
	wsite  Site
	rsites []Site
}

// Cell records a load or store of a plain variable.
func (t *Thread) Cell(r *Ref, store bool) {
	m := t.m
	if t.over() {
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
		if m.plainAt == nil {
			e.Name = m.nameOf(r)
		}
	}
	if c.writer >= 0 && c.writer != t.id && t.clock.at(c.writer) < c.wclock {
		t.race(r, c, store, c.writer, true)
	}
	if store {
		for i, at := range c.reads {
			if i != t.id && t.clock.at(i) < at {
				t.race(r, c, store, i, false)
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
		c.note(t.id, store, m.Trace[len(m.Trace)-1].Site)
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
	c.writer, c.wclock, c.reads, c.rsites = -1, 0, c.reads[:0], c.rsites[:0]
	c.changes.reset()
	c.ref, r.id = r, int32(n)
	r.run.Store(m.run)
	if r.guest.Load() == m.run {
		m.guest(Cells, r.id)
	}
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
func (t *Thread) race(r *Ref, c *cell, store bool, other int, otherStore bool) {
	f := Failure{Kind: RaceFailure, Thread: t.id, Other: other, Cell: int(r.id), Store: store, OtherStore: otherStore}
	if t.m.Tracing {
		f.Site = t.here()
		if otherStore {
			f.OtherSite = c.wsite
		} else {
			f.OtherSite = c.rsites[other]
		}
	}
	t.raced(f)
}

// raced notes a race, and with GoOn no more than that.
func (t *Thread) raced(f Failure) {
	t.m.Raced = true
	if t.m.Tracing && t.m.plainAt != nil {
		f.Name = t.m.nameAt(uintptr(t.m.plainAt))
		if last := t.m.lastEvent(); last != nil && last.Kind == Cells && last.Other == f.Cell {
			last.Name = f.Name
		}
	}
	if t.m.GoOn {
		return
	}
	t.m.fail(f)
	t.unwind()
}
