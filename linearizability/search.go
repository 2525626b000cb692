package linearizability

import (
	"fmt"
	"slices"

	"github.com/filch-sched/filch/model"
)

// MaxThreads is how many threads a history may have.
const MaxThreads = 32

// maxConfigs bounds how many ways of having come this far are kept. Beyond it
// the judge gives up, and says so: it never calls that clean.
const maxConfigs = 1 << 16

// maxWeight bounds how many bytes the states take that are looked at for one return,
// if they say so, and maxWork how many configurations are looked at in all: a history
// can be made such that each operation of millions has as many as are allowed.
const (
	maxWeight = 1 << 28
	maxWork   = 1 << 28
)

// heavy is a law whose states take memory of their own.
type heavy[S comparable] interface {
	weight(s S) int // in bytes
}

// step counts how far an operation is: 0 before its first effect, done after
// its last.
type step uint8

const done step = 3

// steps is the step of every thread's pending operation, two bits each.
type steps uint64

func (s steps) of(thread int) step { return step(s>>(2*thread)) & 3 }

func (s steps) with(thread int, at step) steps {
	return s&^(3<<(2*thread)) | steps(at)<<(2*thread)
}

// move is one effect that an operation may have in a state.
type move[S comparable] struct {
	state S
	at    step
	// free says that whoever has made this move can do all that others can who
	// have not, whatever comes: the move only observes. It is then made at once
	// and not making it is not considered.
	free bool
}

// law says what the operations of a history may do to one object.
type law[S comparable] interface {
	// moves appends to buf the moves of operation op, which is at step at, in
	// state s.
	moves(buf []move[S], s S, op int, at step) []move[S]
}

// dominator is a law that knows of states that are no better than others.
type dominator[S comparable] interface {
	// dominates reports whether whatever can come after b can come after a. It
	// is not so of two states both ways.
	dominates(a, b S) bool
}

// config is one way of having come this far: the state of the object and what
// the pending operations have done to it.
type config[S comparable] struct {
	state S
	steps steps
}

// search decides whether the operations of a history can have happened under a
// law: just-in-time linearization. It goes through calls and returns in time
// order and keeps the set of all configurations that explain them so far. An
// operation has to have had its effects only when it returns, and only then
// are orders of the pending ones tried. An empty set is the proof that there is
// no explanation; nothing is approximated on the way.
type search[S comparable] struct {
	law     law[S]
	ops     []model.Operation
	pending [MaxThreads]int // the operation of a thread, or none
	active  []int           // the threads that have one
	live    []config[S]
	ended   []config[S]            // the next live
	known   map[config[S]]struct{} // those in ended, if they are many
	seen    map[config[S]]struct{}
	work    []config[S]
	moves   []move[S] // of expand
	free    []move[S] // of settle
	most    int       // the largest set seen
	heavy   heavy[S]  // the law, if it is
	weight  int       // of the states in seen, in bytes
	worked  int       // configurations looked at
}

const none = -1

func newSearch[S comparable](l law[S], ops []model.Operation, initial S) *search[S] {
	s := &search[S]{law: l, ops: ops, live: []config[S]{{state: initial}}, seen: make(map[config[S]]struct{})}
	s.heavy, _ = l.(heavy[S])
	for i := range s.pending {
		s.pending[i] = none
	}
	return s
}

// call begins operation op.
func (s *search[S]) call(op int) {
	t := s.ops[op].Thread
	s.pending[t] = op
	s.active = append(s.active, t)
	for i := range s.live {
		s.settle(&s.live[i])
	}
}

// settle makes every free move that there is.
func (s *search[S]) settle(c *config[S]) {
	for again := true; again; {
		again = false
		for _, t := range s.active {
			at := c.steps.of(t)
			if at == done {
				continue
			}
			s.free = s.law.moves(s.free[:0], c.state, s.pending[t], at)
			for _, m := range s.free {
				if m.free && (m.state != c.state || m.at != at) {
					c.state, c.steps = m.state, c.steps.with(t, m.at)
					again = true
					break
				}
			}
		}
	}
}

// finish ends operation op. It reports whether any configuration explains that.
// If not, s.live is left as it was.
func (s *search[S]) finish(op int) (bool, error) {
	t := s.ops[op].Thread
	clear(s.seen)
	s.weight = 0
	s.work = append(s.work[:0], s.live...)
	s.ended = s.ended[:0]
	for len(s.work) > 0 {
		c := s.work[len(s.work)-1]
		s.work = s.work[:len(s.work)-1]
		if s.worked++; s.worked > maxWork {
			return false, fmt.Errorf("linearizability: the history needs more than %d steps of search: too many operations overlap", maxWork)
		}
		if c.steps.of(t) == done {
			c.steps = c.steps.with(t, 0)
			s.keep(c)
			continue
		}
		if err := s.expand(c); err != nil {
			return false, err
		}
	}
	if len(s.ended) == 0 {
		return false, nil
	}
	s.prune()
	s.live, s.ended = s.ended, s.live
	s.most = max(s.most, len(s.live))
	s.drop(t)
	return true, nil
}

// fewConfigs is up to how many configurations are compared one by one.
const fewConfigs = 16

// keep adds c to the set of ended configurations, which is small most often.
func (s *search[S]) keep(c config[S]) {
	if len(s.ended) < fewConfigs {
		if !slices.Contains(s.ended, c) {
			s.ended = append(s.ended, c)
		}
		return
	}
	if len(s.ended) == fewConfigs {
		s.known = make(map[config[S]]struct{})
		for _, e := range s.ended {
			s.known[e] = struct{}{}
		}
	}
	if _, is := s.known[c]; !is {
		s.known[c] = struct{}{}
		s.ended = append(s.ended, c)
	}
}

// prune takes out of the ended configurations those that others dominate.
func (s *search[S]) prune() {
	d, can := s.law.(dominator[S])
	if !can || len(s.ended) < 2 || len(s.ended) > 64*fewConfigs {
		return
	}
	s.work = append(s.work[:0], s.ended...)
	s.ended = slices.DeleteFunc(s.ended, func(b config[S]) bool {
		return slices.ContainsFunc(s.work, func(a config[S]) bool { return a.steps == b.steps && d.dominates(a.state, b.state) })
	})
}

// expand puts every configuration that one more move leads to on the work list.
func (s *search[S]) expand(c config[S]) error {
	for _, t := range s.active {
		at := c.steps.of(t)
		if at == done {
			continue
		}
		s.moves = s.law.moves(s.moves[:0], c.state, s.pending[t], at)
		for _, m := range s.moves {
			if m.free {
				continue
			}
			n := config[S]{m.state, c.steps.with(t, m.at)}
			s.settle(&n)
			if _, known := s.seen[n]; known {
				continue
			}
			if len(s.seen) >= maxConfigs {
				return fmt.Errorf("linearizability: more than %d ways to explain the history: too many operations overlap", maxConfigs)
			}
			if s.heavy != nil {
				if s.weight += s.heavy.weight(n.state); s.weight > maxWeight {
					return fmt.Errorf("linearizability: the ways to explain the history take more than %d bytes: too many operations overlap, on what holds too much", maxWeight)
				}
			}
			s.seen[n] = struct{}{}
			s.work = append(s.work, n)
		}
	}
	return nil
}

// drop forgets the operation of thread t.
func (s *search[S]) drop(t int) {
	s.pending[t] = none
	for i, a := range s.active {
		if a == t {
			s.active = append(s.active[:i], s.active[i+1:]...)
			return
		}
	}
}

// quiet reports whether nothing is pending and the object's state is certain,
// and which it is.
func (s *search[S]) quiet() (S, bool) {
	return s.live[0].state, len(s.active) == 0 && len(s.live) == 1
}
