package machine

// This file is about steps that leave nothing to decide.
//
// A thread is alone if all others have ended and it has joined them, or one that
// had. The body is so until it starts its first thread, and most often at the end,
// when it looks at what has become of it all. What a thread does while it is alone
// comes after all that the others did, in whatever order they did it, and nobody
// is left who could do something in between. That another thread has ended, and
// what it did is known by way of atomic operations, is not enough: these could
// have been the other way round.
//
// With [Machine.Solo], an operation on a word by a thread that is alone is not a
// decision: the controller is not asked. Other operations are. What they do to
// counters and waiters is something that controllers want to know all of.

// Solo is a series of steps that one thread took while it was alone.
type Solo struct {
	Before int // how many decisions there were
	Thread int
	Steps  int
}

// SoloStep is one of these steps.
type SoloStep struct {
	Thread int
	Effect Effect
}

// solos is what the machine keeps of them.
type solos struct {
	list []Solo
	log  []SoloStep // all, if that is asked for
	hash uint64
}

func (s *solos) reset() { s.list, s.log, s.hash = s.list[:0], s.log[:0], 0 }

// asked is how many steps of a series are taken without asking the controller,
// which may want to put an end to an execution that has none.
const asked = 1024

// Solos returns the series of the running or the last execution. The slice is
// overwritten by the next one.
func (m *Machine) Solos() []Solo { return m.solos.list }

// SoloLog returns all their steps, if [Machine.LogSolo] asks for them.
func (m *Machine) SoloLog() []SoloStep { return m.solos.log }

// SoloHash returns a hash of the steps so far, and of what the threads had read
// before each.
func (m *Machine) SoloHash() uint64 { return m.solos.hash }

// alone reports whether t is alone and takes the step that is pending without
// asking, and then notes that.
func (t *Thread) alone() bool {
	m := t.m
	if t.joined|1<<t.id != 1<<m.n-1 || t.op.Code >= Lock {
		return false
	}
	s := &m.solos
	n := len(s.list) - 1
	if n < 0 || s.list[n].Before != m.decisions || s.list[n].Thread != t.id {
		s.list = append(s.list, Solo{Before: m.decisions, Thread: t.id})
		n++
	}
	if s.list[n].Steps == asked {
		return false
	}
	s.list[n].Steps++
	s.hash = (s.hash + t.values + uint64(t.op.obj.id)<<8 + uint64(t.op.Code)) * 0x9e3779b97f4a7c15
	if m.LogSolo {
		s.log = append(s.log, SoloStep{t.id, t.Effect()})
	}
	m.decisions-- // it is counted when it is taken, as all steps are
	return true
}
