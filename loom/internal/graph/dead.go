package graph

import "github.com/filch-sched/filch/loom/internal/machine"

// dead returns how many of the observations of a thread can matter to what it
// does, -1 if all can.
//
// A thread that is about to do a compare-and-swap of a word that does not hold
// what it expects, and never will again since it holds no value twice, will fail,
// now or later. If a failed round of its loop leaves nothing behind, what it does
// then is a function of what it had observed before the round: so nothing that it
// has observed in the round matters, not even what value it expects.
func (s *Search) dead(t *machine.Thread, seen []machine.Observation) int {
	if s.opts.Exact || !t.Doomed() || t.Where() == 0 || !s.setup.isFresh(s.m, t.Pending().Object()) {
		return -1
	}
	return lastLoad(seen, t.Pending().Object(), t.Where())
}

// lastLoad returns the index of the last load of an object in a loop, -1 if there
// is none in the same call.
func lastLoad(seen []machine.Observation, object, where int32) int {
	for i := len(seen) - 1; i >= 0 && !elsewhere(&seen[i], where); i-- {
		if o := &seen[i]; o.Object == object && o.Where == where && o.Code == machine.Load {
			return i
		}
	}
	return -1
}

// elsewhere reports whether an observation was made outside of a loop: what a
// thread has observed before it was in another call.
func elsewhere(o *machine.Observation, where int32) bool {
	return o.Where != where && (o.Code == machine.Load || o.Code == machine.CompareAndSwap)
}
