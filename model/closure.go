package model

import "slices"

// dooming is a Spec that can tell that an operation which has begun to take effect
// cannot go on any more.
type dooming interface {
	// doomed reports whether e, the next event of an operation that is not the first
	// of it, is unlawful in s and in all that may follow s before it.
	doomed(s State, e Event) bool
}

// close adds what the configurations of a set can become by events of the calls under
// way, in any order, and leaves out those of which no return can come: in which a call
// is on the way to an answer that it cannot come to. So what is in a set is a function
// of the calls and returns, and not of when it was asked what they may have done.
func (s *possible) close(sp Spec) {
	doom, _ := sp.(dooming)
	met := map[string]bool{}
	first := s.configs
	s.configs = nil
	add := func(x configuration) {
		key := x.key()
		if met[key] {
			return
		}
		met[key] = true
		if doom == nil || !s.doomed(doom, &x) {
			s.configs = append(s.configs, x)
		}
	}
	for _, x := range first {
		add(x)
	}
	for n := 0; n < len(s.configs); n++ {
		x := s.configs[n]
		for i, c := range s.calls {
			if p := x.at[i]; p.answer > 0 {
				s.step(sp, x, i, p.answer, add)
				continue
			}
			for answer := range c.events {
				s.step(sp, x, i, uint8(answer+1), add)
			}
		}
	}
}

// step adds what x can become by the next event of call number i on its way to an
// answer.
func (s *possible) step(sp Spec, x configuration, i int, answer uint8, add func(configuration)) {
	events, done := s.calls[i].events[answer-1], int(x.at[i].events)
	if done == len(events) {
		return
	}
	for _, next := range sp.Step(x.state, events[done]) {
		at := slices.Clone(x.at)
		at[i] = progress{answer, uint8(done + 1)}
		add(configuration{next, at})
	}
}

// doomed reports whether a call of x cannot come to the answer that it is on its way to.
func (s *possible) doomed(sp dooming, x *configuration) bool {
	for i, p := range x.at {
		if p.answer == 0 {
			continue
		}
		if events := s.calls[i].events[p.answer-1]; int(p.events) < len(events) && sp.doomed(x.state, events[p.events]) {
			return true
		}
	}
	return false
}

// doomed: what an operation holds it alone changes, but for a thief that has looked,
// and has nothing if the head then moves. So if it holds nothing, or what it holds is
// not what it is to answer, that stays so. Whether there is room to publish, and
// whether the inject queue is closed, can change.
func (sp queueSpec) doomed(s State, e Event) bool {
	switch e.Phase {
	case Seize, Release, GiveBack:
		return len(sp.Step(s, e)) == 0
	}
	_, ok := s.(*queueState).holding(e.Op.Thread, e.Phase)
	return !ok
}

// Blame returns the claims without which the law would allow the call that a thread is
// in to return r, where by the law itself it may not: those of which each alone
// would do, given what the law allowed before. There may be none, and are none of a
// Spec that is not one of this package.
func (a *Automaton) Blame(from Set, thread int, r Result) (found []Claim) {
	w, ok := a.spec.(waivable)
	if !ok {
		return nil
	}
	s := a.set(from)
	i := s.of(thread)
	c := s.calls[i]
	for _, claim := range w.claims() {
		law := w.waive(claim)
		to := possible{calls: slices.Clone(s.calls)}
		answer := c.answer(r)
		if answer == 0 {
			more := *c
			more.result = append(slices.Clone(c.result), r)
			more.events = append(slices.Clone(c.events), law.Events(Operation{Thread: thread, Op: c.op, Result: r}))
			to.calls[i], answer = &more, uint8(len(more.result))
		}
		to.configs = slices.Clone(s.configs)
		to.close(law)
		if done := to.over(i, answer); len(done.configs) > 0 {
			found = append(found, claim)
		}
	}
	return found
}

// equals reports whether two results are the same.
func (r Result) equals(s Result) bool {
	return r.Outcome == s.Outcome && r.N == s.N && r.Refused == s.Refused && slices.Equal(r.Tasks, s.Tasks)
}
