package graph

import (
	"fmt"

	"github.com/filch-sched/filch/loom/internal/machine"
)

// Next is part of machine.Controller.
func (s *Search) Next(m *machine.Machine) *machine.Thread {
	if last := m.Last(); last != nil && s.taken > 0 && last.CanStep() {
		switch code := last.Pending().Code; {
		case code == machine.Choose:
			return last // it commutes with everything
		case s.passing:
			// Between a boundary and the step after it a thread does nothing that
			// others can see, so the two are one edge, if the step can be taken.
			s.passing = false
			if code != machine.Boundary {
				return last
			}
		}
	}
	if m.Threads() == 1 && s.taken == 0 && m.Thread(0).CanStep() {
		return m.Thread(0) // the body prepares the ground; nobody else is there yet
	}
	if s.taken == len(s.path) {
		s.arrive()
		return nil
	}
	t := m.Thread(int(s.path[s.taken].Thread))
	s.taken++
	s.outcome, s.complete = s.outcome[:0], false
	if !t.CanStep() {
		s.err = fmt.Errorf("loom: the body is not deterministic: thread %d cannot take a step that it took before", t.ID())
		return nil
	}
	s.passing = t.Pending().Code == machine.Boundary
	return t
}

// Choose is part of machine.Controller.
func (s *Search) Choose(_ *machine.Thread, n int) int {
	i := len(s.outcome)
	switch {
	case s.taken == 0:
		s.err = fmt.Errorf("loom: a Choose of the body before there is a thread at work: a graph has one first state")
		return 0
	case i == maxChoices || n > maxOutcomes:
		s.err = fmt.Errorf("loom: choice %d of one step, among %d: there may be %d among %d", i+1, n, maxChoices, maxOutcomes)
		return 0
	}
	s.outcome = append(s.outcome, n)
	return min(s.path[s.taken-1].choice(i), n-1)
}

// Complete says that the running thread has completed an operation.
func (s *Search) Complete() { s.complete = true }

// arrive looks at the state at the end of the path.
func (s *Search) arrive() {
	s.may, s.effects = s.m.Enabled(s.effects[:0])
	if s.may == 0 {
		s.m.Deadlock()
		return
	}
	if f := s.race(); f != nil {
		s.m.Violated(*f)
		return
	}
	s.m.Beside(func() {
		for _, a := range s.setup.always {
			if wrong := a.holds(); wrong != "" {
				s.m.Violated(machine.Failure{Kind: machine.ClaimFailure, Thread: -1, Claim: a.claim, Message: wrong})
				return
			}
		}
		s.holds = 0
		for i, d := range s.setup.during {
			if d.holds() {
				s.holds |= 1 << i
			}
		}
		s.key, s.err = s.keys.write(s.key[:0])
	})
	s.arrived = s.err == nil
}

// race looks for two accesses to one cell that are pending at the same time, one
// of them a store: nothing orders them.
func (s *Search) race() *machine.Failure {
	type access struct {
		thread int
		object int32
		store  bool
		site   machine.Site
	}
	var pending [machine.MaxThreads]access
	n := 0
	for i := range s.m.Threads() {
		t := s.m.Thread(i)
		op := t.Pending()
		if t.Ended() || op.Code != machine.CellLoad && op.Code != machine.CellStore {
			continue
		}
		a := access{i, op.Object(), op.Code == machine.CellStore, t.Site()}
		for _, b := range pending[:n] {
			if a.object == b.object && (a.store || b.store) {
				return &machine.Failure{Kind: machine.RaceFailure, Thread: a.thread, Other: b.thread, Cell: int(a.object),
					Store: a.store, OtherStore: b.store, Site: a.site, OtherSite: b.site}
			}
		}
		pending[n] = a
		n++
	}
	return nil
}
