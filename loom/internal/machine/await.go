package machine

import (
	"cmp"
	"fmt"
	"slices"
)

// This file is Yield: waiting for something to change.
//
// Whatever a thread can look at counts its changes. A thread remembers what it
// has looked at since its last Yield, and the counts of that moment. Yield goes
// on at once if one of them has moved, and else sleeps until a step moves one.
// That is no step, like the return of a signalled Cond.Wait: once a count has
// moved it stays so.
//
// It loses nothing if the thread has left no trace since its last Yield. Its loop
// would see the same again and come back to the same Yield, and since nobody can
// tell whether it went round, every execution is that of one in which it did not.
// Where it may have left a trace, Yield does not wait. So these are told apart:
//
//   - A write that changes a value leaves a trace. One that does not, and an
//     attempt that fails, is a look at the value.
//   - A lock taken and given back leaves none unless another thread has failed to
//     take it: each such failure is a change to those that have held the lock
//     since their last Yield. So is whatever others do to the lock; what the lock
//     guards does not change without that.
//   - A choice, a new thread or timer and a stamp are traces.
//
// A thread that has looked at nothing does not wait: nothing could end that.

// rouse wakes the threads that wait in Yield for what t has just changed.
func (m *Machine) rouse(t *Thread) {
	for _, w := range m.threads[:m.n] {
		if m.awaiting&(1<<w.id) != 0 && w.changed() != nil {
			m.awaiting &^= 1 << w.id
			w.waker = t
			m.link(t, w, -1)
			m.ready = append(m.ready, w)
		}
	}
}

// changed returns a look of t that is no longer true, nil if there is none.
func (t *Thread) changed() *look {
	for i := range t.looks {
		if l := &t.looks[i]; t.m.count(l) != l.at {
			return l
		}
	}
	return nil
}

// Yield returns when something has changed that t has looked at since its last
// Yield, or at once if it has left a trace.
func (t *Thread) Yield() {
	m := t.m
	if t.over() {
		t.unwind()
	}
	t.unwatched()
	t.move()
	waits, changed := t.patient()
	if waits || changed != nil {
		m.Either = m.Either || t.several()
	}
	if m.Tracing {
		t.site = t.here()
	}
	if waits {
		m.awaiting |= 1 << t.id
		t.sleep(Yield)
		changed = t.changed()
	} else if changed != nil && m.linker != nil {
		t.depend()
	}
	if m.Tracing {
		t.yielded(waits, changed)
	}
	t.hinted = t.traced
	t.looks, t.traced = t.looks[:0], false
	t.round++
}

// patient reports whether t is to wait in Yield, and if not what has changed.
func (t *Thread) patient() (waits bool, changed *look) {
	if t.traced || len(t.looks) == 0 {
		return false, nil
	}
	if t.holds() {
		return false, nil
	}
	changed = t.changed()
	return changed == nil, changed
}

// several reports whether t waits for any of several changes that commute. That
// is so if it has looked at more than one thing, or at one that steps change
// which commute. Cells do not count: they change together with what guards them.
func (t *Thread) several() bool {
	seen := int32(-1)
	for i := range t.looks {
		l := &t.looks[i]
		if l.view == plain || l.object == seen {
			continue
		}
		if seen >= 0 {
			return true
		}
		seen = l.object
		switch t.m.objects[seen].kind {
		case RWMutex, WaitGroup, Cond: // readers, additions, waiters
			return true
		case Mutex:
			if l.view == locking { // attempts that fail
				return true
			}
		}
	}
	return false
}

// depend tells the controller on what the return of t from Yield depends: of all
// that has changed since t looked, on what came first.
func (t *Thread) depend() {
	var first *stamp
	for i := range t.looks {
		l := &t.looks[i]
		log := t.m.changesOf(l).log
		for j := l.since; int(j) < len(log); j++ {
			s := &log[j]
			if s.counts&matters[l.view] == 0 || int(s.thread) == t.id {
				continue
			}
			if first == nil || s.decisions < first.decisions {
				first = s
			}
			break
		}
	}
	if first != nil {
		t.m.link(t.m.threads[first.thread], t, first.decisions)
	}
}

// yielded records a Yield that returns.
func (t *Thread) yielded(waited bool, changed *look) {
	e := t.m.event(t, Yield, nil, Read)
	e.Site = t.site
	switch {
	case changed == nil:
		e.Text = "does not wait"
		return
	case waited:
		e.Other = t.waker.id
	}
	e.Text = t.m.named(changed) + " has changed"
}

// lookedAt returns what t has looked at, for reports: each thing once.
func (t *Thread) lookedAt() []Look {
	var list []Look
	for i := range t.looks {
		l := &t.looks[i]
		next := Look{Kind: t.m.kindOf(l), Object: l.object}
		if t.m.Tracing {
			next.Site = t.lookSites[i]
			if l.view == plain {
				next.Name = t.m.nameOf(t.m.cells[l.object].ref)
			}
		}
		known := slices.ContainsFunc(list, func(k Look) bool { return k.Kind == next.Kind && k.Object == next.Object })
		if !known {
			list = append(list, next)
		}
	}
	return list
}

func (m *Machine) kindOf(l *look) Kind {
	if l.view == plain {
		return Cells
	}
	return m.objects[l.object].kind
}

// named returns what reports call the thing that l is a look at.
func (m *Machine) named(l *look) string {
	name := ""
	if l.view != plain {
		name = m.nameOf(m.objects[l.object].ref)
	} else if c := m.cells[l.object]; m.Tracing {
		name = m.nameOf(c.ref)
	}
	return cmp.Or(name, fmt.Sprintf("%v#%d", m.kindOf(l), l.object))
}
