package machine

import "sync/atomic"

// This file hands the memory of a machine on to the next. To explore a small
// program takes some dozen microseconds, and half of them would go into making
// what every exploration needs. Only memory is handed on, no goroutine: nothing of
// a machine runs after Close.

// memory is what executions grow and do not shrink. All of it is made anew by the
// execution that uses it.
type memory struct {
	threads []*Thread // numbered; reused by later executions
	ready   []*Thread // wait for nothing but their turn, and need not be scheduled
	objects []*object
	cells   []*cell
	tail    []Event // the last steps of an execution that gets too long
	doomed  []*coro // coroutines that a Goexit has ruined
	idle    []*coro // coroutines without a job
	solos   solos
}

// spare is the memory of a machine that has been closed, nil if there is none. The
// machine itself is not used again: other goroutines may still look at it.
var spare atomic.Pointer[memory]

// keptObjects is how many objects, and how many cells, a machine may have come to
// have for its memory to be kept, and keptLog how long their logs may be.
const (
	keptObjects = 256
	keptLog     = 256
)

// keep makes the memory of m the spare one, if it is small.
func (m *Machine) keep() {
	k := m.memory
	m.forget()
	if m.abandoned.Load() || len(k.objects) > keptObjects || len(k.cells) > keptObjects {
		return
	}
	for _, t := range k.threads {
		if t.co != nil {
			return // a panic of the controller has ended the search, and not the thread
		}
		t.forget()
	}
	for _, o := range k.objects {
		o.ref, o.holder, o.armed, o.group = nil, nil, nil, nil
		o.waiters = emptied(o.waiters)
		o.changes.forget()
	}
	for _, c := range k.cells {
		c.ref, c.read = nil, nil
		c.changes.forget()
	}
	k.ready, k.tail, k.doomed, k.idle = emptied(k.ready), nil, emptied(k.doomed), emptied(k.idle)
	k.solos = solos{list: k.solos.list[:0:min(cap(k.solos.list), keptLog)]}
	spare.Store(&k)
}

// forget lets go of the program that m has run. The last machine of a process is
// not collected: see running.
func (m *Machine) forget() {
	m.memory, m.ctl, m.linker, m.last, m.target, m.names, m.roots, m.pointers = memory{}, nil, nil, nil, nil, nil, nil, nil
	m.words.reset()
	m.plains = variables{}
}

func (t *Thread) forget() {
	looks := t.looks[:0]
	if cap(looks) > keptLog {
		looks = nil
	}
	*t = Thread{clock: t.clock, joiners: emptied(t.joiners), wake: t.wake, looks: looks}
}

func (c *changes) forget() {
	c.seenBy = nil
	if cap(c.log) > keptLog {
		c.log = nil
	}
}

// emptied returns s without elements, and without what it has held.
func emptied[T any](s []T) []T {
	s = s[:cap(s)]
	clear(s)
	return s[:0]
}
