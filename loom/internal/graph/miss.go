package graph

import (
	"fmt"
	"slices"
)

// miss is a step that the memo does not know and that is taken for it, once for each
// outcome of its choices.
type miss struct {
	on     bool
	thread int
	what   link
	chain  []link // the steps that lead there from home; nil: that is to be found
	at     int    // the next of chain; the step itself comes after it, and then the way home
	by     Edge   // the choices to be made
	moves  []move
	home   int  // steps on the way home
	after  link // where that has come to; image -1: that is not known
}

func (ms *miss) begin(thread int, what link) {
	*ms = miss{on: true, thread: thread, what: what, chain: nil, moves: ms.moves[:0]}
}

// again has the chain begin once more, if there are choices left to be made.
func (ms *miss) again() { ms.at, ms.on = 0, !ms.by.none() }

// link returns the step of the chain that is next or under way, or the one that is
// missing.
func (ms *miss) link() link {
	if ms.at < len(ms.chain) {
		return ms.chain[ms.at]
	}
	return link{ms.what.image, ms.what.local, ms.by.Choices}
}

// remember makes a memo that has the first state, in which the execution is, if there
// can be one. No other worker runs yet.
func (s *Search) remember() {
	s.memo = s.newMemo()
	if s.memo == nil {
		return
	}
	s.settle()
	m := s.memo
	image, ok := s.imageNow()
	st := append(make([]int32, 0, m.stride), image)
	for t := 0; ok && t < len(m.slots); t++ {
		by := t
		if i := slices.Index(m.order, t); i >= 0 {
			by = int(s.keys.frame[i])
		}
		var id int32
		id, ok = s.localNow(by)
		st = append(st, id)
	}
	m.levels.now, s.g.dense = st, ok
	if !ok {
		s.memo = nil
	}
}

// settle makes ready what is needed of an execution, which is in its first state.
func (s *Search) settle() {
	rec, m, n := &s.rec, s.memo, s.m.Threads()
	refs, begins := s.image.Marks()
	rec.places = s.m.NewPlaces(refs, begins)
	rec.images.of, rec.locals.of, rec.parts.of = &m.images, &m.locals, &m.parts
	rec.own, rec.pose = slices.Repeat([]int32{-1}, n), slices.Repeat([]int32{-1}, n)
	rec.now, rec.next = make([]piece, n), make([]piece, n)
	rec.image, rec.begun, rec.plain, rec.ready = -1, -1, 0, true
}

// imageNow returns the number of what is in the memory that threads share; false if
// the state is more than images and locals.
func (s *Search) imageNow() (int32, bool) {
	rec, m := &s.rec, s.memo
	if n := s.m.Objects(); n > rec.plain {
		if !s.m.Plainly(rec.plain) {
			return 0, false
		}
		rec.plain = n
	}
	if s.m.Threads() != len(m.slots) || !s.image.Same() {
		return 0, false
	}
	rec.buf = s.image.SaveOf(0, rec.buf[:0])
	if n := m.images.find(rec.buf); n >= 0 {
		return n, true
	}
	saved := append([]byte(nil), rec.buf...)
	s.m.Beside(func() { s.err = s.keys.shared() })
	if s.err != nil {
		return 0, false
	}
	return m.images.add(saved, s.partOf(sharedRole, s.keys.w.Bytes)), true
}

// localNow returns the number of what a thread is; false if that cannot be written.
func (s *Search) localNow(thread int) (int32, bool) {
	rec, m := &s.rec, s.memo
	sl, t := &m.slots[thread], s.m.Thread(thread)
	rec.buf = append(rec.buf[:0], sl.role)
	if sl.section > 0 {
		rec.buf = s.image.SaveOf(sl.section, rec.buf)
	}
	b, ok := t.Local(rec.places, sl.section, rec.buf)
	if rec.buf = b; !ok {
		return 0, false
	}
	n := m.locals.find(b)
	if n < 0 {
		n = m.locals.add(b, local{t.CanStep(), s.atHome(thread) && t.Clean()})
	}
	return n, true
}

// atHome reports whether a thread is between two operations like in the first state.
func (s *Search) atHome(thread int) bool {
	h, is := s.m.Thread(thread).Halt()
	return is && h == s.hubs.halts[thread]
}

// find finds the chain of steps that lead to the one that is missing.
func (s *Search) find() {
	ms, m := &s.rec.miss, s.memo
	ms.chain = []link{}
	for at := ms.what; !s.rec.locals.at(at.local).with.home; {
		p, _ := m.pieces.get(at.image, at.local)
		at = p.last
		ms.chain = append(ms.chain, at)
	}
	slices.Reverse(ms.chain)
}

// took books the step that has been taken. It reports false if it cannot.
func (s *Search) took() bool {
	rec, m := &s.rec, s.memo
	ms := &rec.miss
	rec.lost(ms.thread)
	image, ok := s.imageNow()
	if s.err != nil {
		return false
	}
	if !ok {
		m.refuse("memory changes its shape, or there is an object that is no word")
		return false
	}
	id, ok := s.localNow(ms.thread)
	switch {
	case !ok:
		m.refuse("a thread has observed what cannot be written")
		return false
	case ms.at > len(ms.chain):
		s.homed(image, id)
	case ms.at == len(ms.chain):
		s.moved(move{image: image, local: id})
		ms.at, ms.home, ms.after = ms.at+1, 0, link{image: image, local: id}
	default:
		ms.at++
		if want := ms.link(); id != want.local {
			s.err = fmt.Errorf("loom: the body is not deterministic: a step of thread %d leads to another state than before", ms.thread)
		}
	}
	return s.err == nil
}

// moved books where the step leads that was missing.
func (s *Search) moved(mv move) {
	ms, r := &s.rec.miss, &s.run
	mv.by = r.made(ms.by)
	ms.moves = append(ms.moves, mv)
	if ms.by = r.other(ms.by); ms.by.none() {
		s.memo.learned(ms.what, slices.Clone(ms.moves))
	}
}

// homed books a step on the way home, for which nothing had to be put in place. One
// with choices has others beside it.
func (s *Search) homed(image, id int32) {
	ms := &s.rec.miss
	if ms.after.image >= 0 && len(s.run.outcome) == 0 {
		s.memo.learned(ms.after, []move{{image: image, local: id, by: s.run.made(Edge{})}})
	}
	ms.after = link{image: image, local: id}
}

// made returns the edge that has been taken with some choices, of no thread.
func (r *run) made(by Edge) Edge {
	e := Edge{Choices: by.Choices, Made: uint8(len(r.outcome))}
	if r.complete {
		e.Ends = completes
	}
	return e
}
