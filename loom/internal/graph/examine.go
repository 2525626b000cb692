package graph

import "github.com/filch-sched/filch/loom/internal/machine"

// examine looks at a new state: whether it violates anything, and which of the
// conditions of NotForEver hold.
func (s *Search) examine() (violated *machine.Failure, holds uint32) {
	if f := s.race(); f != nil {
		return f, 0
	}
	for _, a := range s.setup.always {
		if wrong := a.holds(); wrong != "" {
			return &machine.Failure{Kind: machine.ClaimFailure, Thread: -1, Claim: a.claim, Message: wrong}, 0
		}
	}
	for i, d := range s.setup.during {
		if d.holds() {
			holds |= 1 << i
		}
	}
	if s.setup.show != nil {
		s.shown = s.setup.show()
	}
	return nil, holds
}

// race looks for two accesses to one cell, one of them a store, that nothing
// orders: each is pending, or has been made since its thread's last step.
func (s *Search) race() *machine.Failure {
	n := s.m.Threads()
	for i := range n {
		t := s.m.Thread(i)
		for j := range i {
			u := s.m.Thread(j)
			for _, a := range s.touches(t) {
				for _, b := range s.touches(u) {
					if a.Object == b.Object && (a.Store || b.Store) {
						return &machine.Failure{Kind: machine.RaceFailure, Thread: j, Other: i, Cell: int(a.Object),
							Store: b.Store, OtherStore: a.Store, Site: b.Site, OtherSite: a.Site}
					}
				}
			}
		}
	}
	return nil
}

// touches returns the accesses to cells that t makes between its last step and the
// next: nothing orders them with those of another thread in the same state.
//
// They are part of the last step, and done at once, if no two threads' touches ever
// conflict: then they commute with all steps of others. To see whether they do it
// is enough to look when they are all done. If two accesses to one cell can come
// next in some state, both threads can go on to their next steps on other objects,
// since none of these depends on what the other does to cells in between: in the
// state then reached both touches are there.
func (s *Search) touches(t *machine.Thread) []machine.Touch {
	if s.glues() {
		return t.Touched()
	}
	if c, is := t.Touching(); is {
		return []machine.Touch{c}
	}
	return nil
}
