package graph

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/filch-sched/filch/loom/internal/machine"
)

// run is the execution that runs: it follows a path, and then it walks.
type run struct {
	from    int32 // where the path leads
	path    []Edge
	ready   bool   // the path has begun
	taken   int    // edges of the path that have been begun
	walking bool   // the path is at its end
	at      int32  // walking: the state that the last edge has begun in
	steps   int    // edges since
	leaps   int    // how often it has gone on from another hub
	open    bool   // the edge that is under way is not known yet
	plan    []pace // the known edges to go along next, the first last
	homing  bool   // the plan ends where the execution can leap
	near    []hop
	random  *rand.Rand // not nil: walk along known edges only
	frame   []uint8    // threads by rank, where the last edge has begun

	edge     Edge // that is under way
	passing  bool // its thread has left a boundary and not come to a step
	begun    bool // there is one
	outcome  []int
	complete bool // an operation has been completed in it
}

func (r *run) begin(from int32, g *Graph) {
	*r = run{from: from, at: from, outcome: r.outcome[:0], frame: append(r.frame[:0], g.frame...), plan: r.plan[:0], near: r.near[:0], random: r.random}
}

// pace is an edge and where it leads.
type pace struct {
	Edge
	to int32
}

// start begins an edge whose thread, of that rank, is t.
func (r *run) start(e Edge, t *machine.Thread) {
	r.edge, r.begun, r.complete, r.outcome = e, true, false, r.outcome[:0]
	r.passing = t.Pending().Code == machine.Boundary
}

// Next is part of machine.Controller.
func (s *Search) Next(m *machine.Machine) *machine.Thread {
	r := &s.run
	s.stepped()
	if last := m.Last(); last != nil && last.CanStep() && s.same(last) {
		return last
	}
	if s.prepares() {
		return m.Thread(0) // the body prepares the ground: nobody else takes a step before it has ended
	}
	if s.rec.on {
		return s.taking()
	}
	if !r.ready && !s.depart() {
		return nil
	}
	for {
		if e, known := s.known(); known {
			return s.follow(e)
		}
		if r.homing {
			if r.homing = false; !s.leap() {
				return nil
			}
			continue
		}
		may := s.able()
		if may == 0 {
			m.Deadlock()
			return nil
		}
		if !s.arrive(may) {
			return nil
		}
		if s.memo != nil && r.random == nil {
			return nil // recalls goes on from here
		}
		e, open := s.onward()
		if r.open = open; !e.none() {
			return s.follow(e)
		}
		if !r.homing {
			return nil
		}
	}
}

// known returns the next edge of the path, or of the plan, if there is one.
func (s *Search) known() (e Edge, is bool) {
	r := &s.run
	switch {
	case r.taken < len(r.path):
		if r.taken > 0 {
			r.frame = turn(r.frame, r.edge.Turn)
		}
		r.taken++
		return r.path[r.taken-1], true
	case len(r.plan) > 0:
		r.frame = turn(r.frame, r.edge.Turn)
		return s.stride(), true
	}
	return e, false
}

// able returns the threads that can take a step.
func (s *Search) able() (set uint64) {
	for i := range s.m.Threads() {
		if s.m.Thread(i).CanStep() {
			set |= 1 << i
		}
	}
	return set
}

// prepares reports whether the body goes next because it prepares the ground:
// nobody else takes a step before it has ended or waited for a thread.
func (s *Search) prepares() bool {
	body := s.m.Thread(0)
	return !s.run.begun && body.CanStep() && !slices.ContainsFunc(body.Observations(), func(o machine.Observation) bool {
		return o.Code == machine.Join
	})
}

// same reports whether what the thread that has taken the last step does next is
// part of the same edge.
func (s *Search) same(last *machine.Thread) bool {
	r := &s.run
	if !r.begun {
		return false
	}
	switch code := last.Pending().Code; code {
	case machine.Choose:
		return true // it commutes with everything
	case machine.CellLoad, machine.CellStore:
		if s.glues() {
			return true
		}
	case machine.Boundary:
		r.passing = false
		return false
	}
	// Between a boundary and the step after it a thread does nothing that others
	// can see, so the two are one edge, if the step can be taken.
	passing := r.passing
	r.passing = false
	return passing
}

// glues reports whether accesses to cells are part of the step before them.
func (s *Search) glues() bool { return !s.opts.Exact && !s.opts.Cells }

// follow takes the first step of an edge.
func (s *Search) follow(e Edge) *machine.Thread {
	r := &s.run
	t := s.m.Thread(int(actual(r.frame, e.Thread)))
	if !t.CanStep() {
		s.err = fmt.Errorf("loom: the body is not deterministic: thread %d cannot take a step that it took before", t.ID())
		return nil
	}
	r.start(e, t)
	s.stepping()
	return t
}

// Choose is part of machine.Controller.
func (s *Search) Choose(_ *machine.Thread, n int) int {
	r := &s.run
	i := len(r.outcome)
	switch {
	case !r.begun:
		s.err = fmt.Errorf("loom: a Choose of the body before there is a thread at work: a graph has one first state")
		return 0
	case i == maxChoices || n > maxOutcomes:
		s.err = fmt.Errorf("loom: choice %d of one step, among %d: there may be %d among %d", i+1, n, maxChoices, maxOutcomes)
		return 0
	}
	r.outcome = append(r.outcome, n)
	return min(r.edge.choice(i), n-1)
}

// Complete says that the running thread has completed an operation.
func (s *Search) Complete() { s.run.complete = true }

// arrive books the state in which the machine is, and how it was reached. It
// reports whether the execution goes on.
func (s *Search) arrive(may uint64) bool {
	r := &s.run
	var holds uint32
	if may != 0 {
		s.m.Beside(func() { s.err = s.keys.write() })
		if s.err != nil {
			return false
		}
	}
	at := s.keys.sum()
	s.mu.Lock()
	n := s.g.find(s.keys.bytes, at)
	s.mu.Unlock()
	if n < 0 && may != 0 {
		var f *machine.Failure
		s.m.Beside(func() { f, holds = s.examine() })
		if f != nil {
			s.m.Violated(*f)
			return false
		}
	}
	if n, s.err = s.land(n, at, may, holds); s.err != nil {
		return false
	}
	r.walking, r.at, r.open = true, n, false
	r.frame = append(r.frame[:0], s.keys.frame...)
	if may != 0 && s.hubs.halts != nil && s.memo == nil {
		s.hub(n)
	}
	return may != 0
}

// land is arrive at state n, or at a new one if n is negative, once its key is
// written. It returns its number.
func (s *Search) land(n int32, at digest, may uint64, holds uint32) (int32, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := &s.run
	switch {
	case r.from < 0 && !r.walking: // the first state
		s.g.frame = append([]uint8(nil), s.keys.frame...)
		s.keepShown()
		s.begins()
		s.remember()
		return s.g.add(s.keys.bytes, at, -1, Edge{}, kind{s.ranked(may), holds}), nil
	case !r.walking: // the end of the path
		if n != r.from {
			return n, fmt.Errorf("loom: the body is not deterministic: a path of %d edges leads to another state than before", len(r.path))
		}
	case !r.open:
		if n != r.at {
			return n, fmt.Errorf("loom: the body is not deterministic: a step of thread %d leads to another state than before", actual(r.frame, r.edge.Thread))
		}
	default:
		return s.book(n, at, may, holds), nil
	}
	return n, nil
}

// book books the edge that is under way, which ends in state n, or in a new one
// if n is negative: unless another worker has come there since.
func (s *Search) book(n int32, at digest, may uint64, holds uint32) int32 {
	r := &s.run
	e := r.edge
	e.Made, e.Ends = uint8(len(r.outcome)), s.ended(actual(r.frame, e.Thread))
	e.Turn = turned(r.frame, s.keys.frame)
	s.g.follow(r.at, s.following(r.at))
	if n < 0 {
		n = s.g.find(s.keys.bytes, at)
	}
	if n < 0 {
		s.keepShown()
		n = s.g.add(s.keys.bytes, at, r.at, e, kind{s.ranked(may), holds})
	}
	s.g.link(r.at, e, n)
	return n
}

// ended says what has come to an end with the edge that thread has taken.
func (s *Search) ended(thread uint8) (e ends) {
	if s.run.complete {
		e |= completes
	}
	if int(thread) < len(s.hubs.halts) {
		if h, is := s.m.Thread(int(thread)).Halt(); is && h == s.hubs.halts[thread] {
			e |= halts
		}
	}
	return e
}

// following returns the edge of a state after the one that is under way: that
// makes the next outcomes of the same choices, or else is of the next thread.
func (s *Search) following(at int32) Edge {
	r := &s.run
	e := r.other(Edge{Thread: r.edge.Thread, Choices: r.edge.Choices})
	if e.none() {
		e = Edge{Thread: nextThread(s.g.may(at), int(r.edge.Thread)+1)}
	}
	return e
}
