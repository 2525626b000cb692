package machine

import (
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

// view is what a thread saw of an object, by what would have changed it.
type view uint8

const (
	whole   view = iota // all there is to see
	writer              // of an RWMutex, whether a writer has or wants it
	locking             // it took the lock: it knows all, and others could not take it
	sharing             // it took the read lock
	plain               // a cell
)

// look is a thing that a thread has looked at.
type look struct {
	object int32 // of a cell, its number
	view   view
	depth  int16  // locks taken less locks given back
	at     uint32 // what count returned then
}

// maxLooks bounds what a thread remembers. If it has looked at more, its next
// Yield does not wait.
const maxLooks = 4096

// changes counts what happens to an object. The counts only grow.
type changes struct {
	all     uint32 // changes of any kind
	writes  uint32 // RWMutex: changes of whether a writer has or wants it
	failed  uint32 // failed attempts to take the lock
	rfailed uint32 // failed attempts to take the read lock
	last    *Thread

	// Who has looked at all of it, and in which round of its loop: a thread that
	// looks often at the same thing remembers it once.
	seenBy *Thread
	seenIn uint32
}

// count returns the sum of the counts that l depends on.
func (m *Machine) count(l *look) uint32 {
	if l.view == plain {
		return m.cells[l.object].changes.all
	}
	c := &m.objects[l.object].changes
	switch l.view {
	case writer:
		return c.writes
	case locking:
		return c.all + c.failed + c.rfailed
	case sharing:
		return c.writes + c.failed
	}
	return c.all
}

// trace notes that t has left a trace since its last Yield, by code.
func (t *Thread) trace(code Code) {
	if !t.traced {
		t.traced, t.tracedBy = true, code
	}
}

// see notes that t has looked at o.
func (t *Thread) see(o *object, v view) {
	if !t.traced {
		t.remember(&o.changes, look{object: o.id, view: v})
	}
}

func (t *Thread) remember(c *changes, l look) {
	if l.view == whole || l.view == plain {
		if c.seenBy == t && c.seenIn == t.round {
			return
		}
		c.seenBy, c.seenIn = t, t.round
	}
	if len(t.looks) == maxLooks {
		t.trace(t.op.Code)
		return
	}
	l.at = t.m.count(&l)
	t.looks = append(t.looks, l)
	if t.m.Tracing {
		t.lookSites = append(t.lookSites[:len(t.looks)-1], t.m.Trace[len(t.m.Trace)-1].Site)
	}
}

// change notes that t has changed o.
func (t *Thread) change(c *changes, code Code) {
	t.trace(code)
	c.all++
	c.last = t
	t.m.changed = t.m.Steps
	if t.m.awaiting != 0 {
		t.m.rouse(t)
	}
}

// Wrote completes a step that may write: it says whether the value is another
// one now.
func (t *Thread) Wrote(changed bool) {
	if changed {
		t.change(&t.op.obj.changes, t.op.Code)
	} else {
		t.see(t.op.obj, whole)
	}
}

// locks notes that t has taken a lock (by 1) or given it back (by -1), a read
// lock if v is sharing.
func (t *Thread) locks(o *object, v view, by int16) {
	t.shift(o, false)
	o.changes.all++
	if v == locking {
		o.changes.writes++
	}
	t.shift(o, true)
	if !t.traced {
		t.hold(o, v, by)
	}
	t.told(o)
}

// fails notes that t has failed to take a lock.
func (t *Thread) fails(o *object, v view) {
	t.shift(o, false)
	if v == whole {
		o.changes.failed++
	} else {
		o.changes.rfailed++
	}
	t.shift(o, true)
	t.see(o, v)
	t.told(o)
}

func (t *Thread) told(o *object) {
	o.changes.last = t
	if t.m.awaiting != 0 {
		t.m.rouse(t)
	}
}

// shift lets the looks of t at o move with the counts: what t does itself is no
// change to it. It is called before the counts move and after.
func (t *Thread) shift(o *object, after bool) {
	if t.traced {
		return
	}
	for i := range t.looks {
		l := &t.looks[i]
		if l.object != o.id || l.view == plain {
			continue
		}
		if after {
			l.at += t.m.count(l)
		} else {
			l.at -= t.m.count(l)
		}
	}
}

// hold notes how often t holds o. Giving back what it has not taken since its
// last Yield lets others in, which is a trace.
func (t *Thread) hold(o *object, v view, by int16) {
	for i := range t.looks {
		if l := &t.looks[i]; l.object == o.id && l.view == v {
			if l.depth += by; l.depth < 0 {
				t.trace(t.op.Code)
			}
			return
		}
	}
	if by < 0 {
		t.trace(t.op.Code)
		return
	}
	t.remember(&o.changes, look{object: o.id, view: v, depth: by})
}

// rouse wakes the threads that wait in Yield for what t has just changed.
func (m *Machine) rouse(t *Thread) {
	for _, w := range m.threads[:m.n] {
		if m.awaiting&(1<<w.id) != 0 && w.changed() != nil {
			m.awaiting &^= 1 << w.id
			w.waker = t
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
	t.move()
	waits, changed := t.patient()
	if m.Tracing {
		t.site = caller()
	}
	if waits {
		m.awaiting |= 1 << t.id
		t.sleep(Yield)
		changed = t.changed()
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
	for i := range t.looks {
		if t.looks[i].depth != 0 {
			return false, nil // it holds a lock that it did not hold before
		}
	}
	changed = t.changed()
	return changed == nil, changed
}

// yielded records a Yield that returns.
func (t *Thread) yielded(waited bool, changed *look) {
	e := t.m.event(t, Yield, nil, Read)
	e.Site = t.site
	if changed == nil {
		e.Text = "does not wait"
		return
	}
	by := t.waker
	if !waited {
		by = t.lastChange(changed)
	}
	if by != nil && by != t {
		e.Other = by.id
	}
	e.Text = t.m.named(changed) + " has changed"
}

// lastChange returns the thread that has last changed what l is a look at.
func (t *Thread) lastChange(l *look) *Thread {
	if l.view == plain {
		return t.m.cells[l.object].changes.last
	}
	return t.m.objects[l.object].changes.last
}

// lookedAt returns what t has looked at, for reports: each thing once.
func (t *Thread) lookedAt() []Look {
	var list []Look
	for i := range t.looks {
		l := &t.looks[i]
		next := Look{Kind: t.m.kindOf(l), Object: l.object}
		if t.m.Tracing {
			next.Site = t.lookSites[i]
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
func (m *Machine) named(l *look) string { return fmt.Sprintf("%v#%d", m.kindOf(l), l.object) }
