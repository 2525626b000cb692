package graph

import "github.com/filch-sched/filch/loom/internal/machine"

// recall is what a worker has in hand while it follows edges that the memo knows.
type recall struct {
	on     bool // the execution is one that takes steps for the memo
	ready  bool // and its threads are home, or one of them is under way
	places *machine.Places
	plain  int // how many of its objects are known to be words

	images glance[int32]
	locals glance[local]
	parts  glance[digest]

	// What is in the memory of the execution, and whom its threads pose as; -1: that
	// is not known, or nobody.
	image int32
	own   []int32
	pose  []int32
	begun int32 // the image with which the key begins that is being written
	met   int   // and how many objects there were

	from, to int // the states in hand, by their places in the level
	heirs    []heir
	flat     []int32 // the states that heirs are
	now      []piece // by thread, of the state in hand
	next     []piece // of an heir
	sums     []byte
	buf      []byte
	miss     miss
}

// heir is a state that an edge of the state in hand leads to.
type heir struct {
	by       Edge
	at       digest
	key      []byte // if keys are kept
	n        int32  // its number, -1: it is new
	what     kind
	shown    string
	violated *machine.Failure
}

// level follows edges until one is missing, or there is nothing left to do. It reports
// whether one is missing. No thread of the model runs.
func (s *Search) level() bool {
	rec, m := &s.rec, s.memo
	for {
		for ; rec.from < rec.to; rec.from++ {
			if !s.expand(rec.from) {
				return s.err == nil
			}
		}
		if s.full() {
			return false
		}
		if rec.from, rec.to = m.levels.take(m.stride); rec.from == rec.to {
			return false
		}
	}
}

// full reports whether the search has come to its bounds; then all workers end.
func (s *Search) full() bool {
	s.mu.Lock()
	full, edges := s.stop || s.late(), s.g.Edges()
	s.mu.Unlock()
	if !full && !s.memo.useful(edges) {
		s.memo.refuse("few edges are known from other states")
	}
	if full {
		s.memo.levels.end()
	}
	return full
}

// expand follows the edges of a state. It reports false if it cannot: one is missing,
// or there is an error.
func (s *Search) expand(i int) bool {
	rec, m := &s.rec, s.memo
	st := m.levels.now[i*m.stride : (i+1)*m.stride]
	rec.heirs, rec.flat = rec.heirs[:0], rec.flat[:0]
	for t := range m.slots {
		if rec.now[t], s.err = s.piece(st[0], st[1+t], t, link{}); s.err != nil {
			return false
		}
	}
	for t := range m.slots {
		if !rec.now[t].may {
			continue
		}
		moves, known := m.moves.get(st[0], st[1+t])
		if !known {
			rec.miss.begin(t, link{image: st[0], local: st[1+t]})
			return false
		}
		for k := range moves {
			if s.err = s.heir(st, t, &moves[k]); s.err != nil {
				return false
			}
		}
	}
	s.inherit(m.levels.base + int32(i))
	return true
}

// heir adds the state that a move of a thread makes of the one in hand.
func (s *Search) heir(st []int32, thread int, mv *move) (err error) {
	rec, m := &s.rec, s.memo
	h := heir{by: mv.by}
	h.by.Thread = m.names[thread]
	begin := len(rec.flat)
	rec.flat = append(append(rec.flat, mv.image), st[1:]...)
	to := rec.flat[begin:]
	if mv.fails > 0 {
		h.violated = m.failure(mv.fails)
		rec.heirs = append(rec.heirs, h)
		return nil
	}
	to[1+thread] = mv.local
	copy(rec.next, rec.now)
	for t := range m.slots {
		last := rec.now[t].last
		switch {
		case t == thread:
			last = link{st[0], st[1+t], mv.by.Choices}
		case mv.image == st[0]:
			continue
		}
		if rec.next[t], err = s.piece(mv.image, to[1+t], t, last); err != nil {
			return err
		}
		to[1+t] = rec.next[t].local
	}
	h.by.Turn = s.sort(to)
	for t := range m.slots {
		if rec.next[t].may {
			h.what.may |= 1 << m.names[t]
		}
	}
	if h.what.may == 0 { // all threads have ended: others are always able to take a step
		h.by.Turn = 0
	}
	h.at, h.key = s.hash(mv.image, h.what.may == 0)
	rec.heirs = append(rec.heirs, h)
	return nil
}

// inherit books the edges of a state, which is number from, and the states that they
// lead to.
func (s *Search) inherit(from int32) {
	rec, m := &s.rec, s.memo
	s.mu.Lock()
	for i := range rec.heirs {
		if h := &rec.heirs[i]; h.violated == nil {
			h.n = s.g.find(h.key, h.at)
		}
	}
	s.mu.Unlock()
	for i := range rec.heirs {
		if h := &rec.heirs[i]; h.violated == nil && (h.n < 0 || h.what.may == 0) {
			s.look(h, rec.flat[i*m.stride:(i+1)*m.stride])
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range rec.heirs {
		s.bookHeir(from, &rec.heirs[i], rec.flat[i*m.stride:(i+1)*m.stride])
	}
	s.g.done(from)
}

// bookHeir books an edge from a state, and where it leads.
func (s *Search) bookHeir(from int32, h *heir, st []int32) {
	if h.violated != nil {
		// All edges of earlier levels are known, so no path to a failure is shorter.
		s.bad, s.stop = append(s.bad, failing{from, h.by, *h.violated}), true
		return
	}
	if h.n < 0 {
		h.n = s.g.find(h.key, h.at)
	}
	if h.n < 0 {
		if s.setup.show != nil {
			s.g.show(h.shown)
		}
		h.n = s.g.add(h.key, h.at, from, h.by, h.what)
		s.g.deepest = int32(s.memo.levels.turns) + 1
		s.memo.levels.next = append(s.memo.levels.next, st...)
	}
	s.g.link(from, h.by, h.n)
}

// look looks at a new state.
func (s *Search) look(h *heir, st []int32) {
	s.put(st[0])
	for t := range s.memo.slots {
		s.pose(t, st[1+t])
	}
	if h.what.may == 0 {
		h.violated = s.over()
		return
	}
	h.violated, h.what.holds = s.examine()
	h.shown = s.shown
}
