package machine

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
)

// This file is Yield: waiting for something to change.
//
// Whatever a thread can look at counts its changes. A thread remembers what it
// has looked at, and the counts of that moment. Yield goes on at once if one of
// those of its round has moved, and else sleeps until a step moves one. That is
// no step, like the return of a signalled Cond.Wait: once a count has moved it
// stays so.
//
// The round of a Yield is all that its thread has done since it last returned from
// this very call: the same place in the code, reached by the same calls. Of a
// call that has not returned before it is all since the thread began. So the
// round has at least all that the loop around the call does when it goes round,
// whatever other loops with a Yield of their own there are in it or were before.
// To begin a round at the last Yield, whichever that was, would have the outer of
// two loops wait for what it has looked at since the inner one ended, although
// what it looked at before has changed meanwhile. A round that is too long costs
// one more time round, after which it is right.
//
// Waiting loses nothing if the thread has left no trace in its round. Its loop
// would see the same again and come back to the same Yield, and since nobody can
// tell whether it went round, every execution is that of one in which it did not.
// Where it may have left a trace, Yield does not wait. So these are told apart:
//
//   - A write that changes a value leaves a trace. One that does not, and an
//     attempt that fails, is a look at the value.
//   - A lock taken and given back leaves none unless another thread has failed to
//     take it: each such failure is a change to those that have held the lock in
//     their rounds. So is whatever others do to the lock; what the lock guards
//     does not change without that. A lock given back that was taken before some
//     Yield is a trace.
//   - A choice, a new thread or timer and a stamp are traces.
//
// A thread that has looked at nothing does not wait: nothing could end that.
//
// That a Yield does not wait is known to a thread, without looking, if its round
// has a trace or a change that has ended an earlier Yield: all looks up to that
// are forgotten.

// round is where the round of a Yield began.
type round struct {
	place uint64
	from  int // how many looks there had been, forgotten ones included
}

// roundOf returns the round of the Yield that t is in.
func (t *Thread) roundOf(place uint64) *round {
	for i := range t.rounds {
		if t.rounds[i].place == place {
			return &t.rounds[i]
		}
	}
	t.rounds = append(t.rounds, round{place: place})
	return &t.rounds[len(t.rounds)-1]
}

// place returns a number for the calls that the calling thread is in: their
// places in the program, hashed.
func place() uint64 {
	var pcs [48]uintptr
	h := uint64(14695981039346656037)
	for skip := 3; ; skip += len(pcs) {
		n := runtime.Callers(skip, pcs[:])
		for _, pc := range pcs[:n] {
			h = (h ^ uint64(pc)) * 1099511628211
			h ^= h >> 29
		}
		if n < len(pcs) {
			return h
		}
	}
}

// rouse wakes the threads that wait in Yield for what t has just changed.
func (m *Machine) rouse(t *Thread) {
	for _, w := range m.threads[:m.n] {
		if m.awaiting&(1<<w.id) != 0 && w.changed() >= 0 {
			m.awaiting &^= 1 << w.id
			w.waker = t
			m.link(t, w, -1)
			m.ready = append(m.ready, w)
		}
	}
}

// changed returns the last look of the round of t that is no longer true, -1 if
// there is none.
func (t *Thread) changed() int {
	for i := len(t.looks) - 1; i >= t.window; i-- {
		if l := &t.looks[i]; t.m.count(l) != l.at {
			return i
		}
	}
	return -1
}

// Yield returns when something has changed that t has looked at in its round, or
// at once if it has left a trace in it.
func (t *Thread) Yield() {
	m := t.m
	if t.over() {
		t.unwind()
	}
	t.unwatched()
	t.remembered()
	t.move()
	r := t.roundOf(place())
	t.window = max(r.from-t.base, 0)
	waits, changed := t.patient(r)
	if waits || changed >= 0 {
		m.Either = m.Either || t.several()
	}
	if m.Tracing {
		t.site = t.here()
	}
	if waits {
		m.awaiting |= 1 << t.id
		t.sleep(Yield)
		changed = t.changed()
	} else if changed >= 0 && m.linker != nil {
		changed = t.depend(changed)
	}
	if m.Tracing {
		t.yielded(waits, changed)
	}
	t.hinted = r.from < t.tracedTo
	if changed >= 0 {
		t.drop(changed + 1)
	}
	t.traced = false
	t.fresh = len(t.looks)
	r.from = t.base + t.fresh
	t.turns++
}

// remembered ends the execution if nothing has been remembered for Yield.
func (t *Thread) remembered() {
	if m := t.m; m.NoYield {
		m.Yielded, m.ending = true, true
		t.unwind()
	}
}

// drop forgets the first n looks. A round with one of them waits for nothing.
func (t *Thread) drop(n int) {
	t.base += n
	t.looks = t.looks[:copy(t.looks, t.looks[n:])]
	if t.m.Tracing {
		t.lookSites = t.lookSites[:copy(t.lookSites, t.lookSites[n:])]
	}
}

// patient reports whether t is to wait in Yield, and if not what has changed, -1
// if that is not the reason.
func (t *Thread) patient(r *round) (waits bool, changed int) {
	if r.from < t.base || t.window == len(t.looks) {
		return false, -1
	}
	if t.holds(t.window) {
		return false, -1
	}
	changed = t.changed()
	return changed < 0, changed
}

// several reports whether t waits for any of several changes that commute. That
// is so if it has looked at more than one thing, or at one that steps change
// which commute. Cells do not count: they change together with what guards them.
func (t *Thread) several() bool {
	seen := int32(-1)
	for i := t.window; i < len(t.looks); i++ {
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
func (t *Thread) depend(at int) int {
	var first *stamp
	for i := t.window; i < len(t.looks); i++ {
		l := &t.looks[i]
		log := t.m.changesOf(l).log
		for j := l.since; int(j) < len(log); j++ {
			s := &log[j]
			if s.counts&matters[l.view] == 0 || int(s.thread) == t.id {
				continue
			}
			if first == nil || s.decisions < first.decisions {
				first, at = s, i
			}
			break
		}
	}
	if first != nil {
		t.m.link(t.m.threads[first.thread], t, first.decisions)
	}
	return at
}

// yielded records a Yield that returns.
func (t *Thread) yielded(waited bool, changed int) {
	e := t.m.event(t, Yield, nil, Read)
	e.Site = t.site
	switch {
	case changed < 0:
		e.Text = "does not wait"
		return
	case waited:
		e.Other = t.waker.id
	}
	e.Text = t.m.named(&t.looks[changed]) + " has changed"
}

// lookedAt returns what t has looked at, for reports: each thing once.
func (t *Thread) lookedAt() []Look {
	var list []Look
	for i := t.window; i < len(t.looks); i++ {
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
