package explore

import "github.com/filch-sched/filch/loom/internal/machine"

// waits reports whether an operation can find that it has to wait.
func waits(c machine.Code) bool {
	switch c {
	case machine.Lock, machine.RLock, machine.Acquire, machine.GroupWait, machine.OnceEnter, machine.Fire:
		return true
	}
	return false
}

// can reports whether f could be done in a state of its object.
func (f *mover) can(st machine.State) bool {
	switch f.code {
	case machine.Lock, machine.RLock, machine.OnceEnter:
		return !st.Held
	case machine.Acquire, machine.GroupWait:
		return st.Count == 0
	case machine.Fire:
		return st.Armed == f.thread
	}
	return true
}

// modeIn returns how f would touch its object in a given state. It is not asked
// for compare-and-swaps, which depend on words.
func (f *mover) modeIn(st machine.State) machine.Mode {
	pick := func(yes bool, a, b machine.Mode) machine.Mode {
		if yes {
			return a
		}
		return b
	}
	switch f.code {
	case machine.TryLock:
		return pick(!st.Held && st.Count == 0, machine.Write, machine.Read)
	case machine.TryRLock:
		return pick(st.Held, machine.Peeking, machine.Sharing)
	case machine.RUnlock:
		return pick(st.Count == 0, machine.Write, machine.Sharing)
	case machine.Signal, machine.Broadcast:
		return pick(st.Waiters > 0, machine.Write, machine.Read)
	case machine.GroupAdd:
		return pick(st.Count+f.delta < 0, machine.Write, machine.Adding)
	case machine.OnceEnter:
		return pick(st.Done, machine.Read, machine.Write)
	case machine.Stop:
		return pick(st.Armed >= 0, machine.Write, machine.Read)
	}
	return f.mode
}

// amount returns what a step adds to the count of its object.
func (pt *point) amount() int64 {
	switch {
	case pt.code == machine.GroupAdd:
		return pt.delta
	case pt.code == machine.RLock, pt.code == machine.TryRLock && pt.effect.Mode == machine.Sharing:
		return 1
	case pt.code == machine.RUnlock:
		return -1
	}
	return 0
}

// state returns the state of the object of step s.i after the decisions of s,
// without its last step. Those on that object commute with step s.i, so all
// they can do to it is to count.
func (o *optimal) state(s *sequence) machine.State {
	first := &o.p.points[s.i]
	st := first.state
	r := &o.order
	for k := int(r.last[first.effect.Object]); k > s.i; k = int(r.prev[k]) {
		pt := &o.p.points[k]
		if n := r.local[k]; n <= s.from[pt.thread] || n > s.to[pt.thread] {
			continue
		}
		st.Count += pt.amount()
		if pt.code == machine.Wait {
			st.Waiters++
		}
	}
	return st
}

// effect sets how the last step of s touches its object there, which may differ
// from what it did in the execution: a compare-and-swap that failed after
// step s.i may succeed before it. It reports false if that cannot be told
// without running it, and then assumes the effect with the most conflicts. What
// can be done to a Map is told no better than a compare-and-swap.
func (o *optimal) effect(s *sequence) bool {
	f, first := &s.last, &o.p.points[s.i]
	switch {
	case f.code == machine.CompareAndSwap, f.code == machine.Access:
	case f.code < machine.CompareAndSwap:
		return true // of a word, and the same whatever that holds
	default:
		f.mode = f.modeIn(o.state(s))
		return true
	}
	if first.effect.Mode != machine.Write {
		return true // nothing between the two has changed the word
	}
	if o.order.start(s.i)[f.thread] == f.past[f.thread] && first.enabled&(1<<f.thread) != 0 {
		f.mode = o.p.effects[first.effects+f.thread].Mode // it was about to do it then
		return true
	}
	f.mode = machine.Write
	return false
}

// unblock reverses the races of f, a step that can find that it has to wait.
//
// The steps on its object that come before it and that it does not know of by
// other ways cannot all be moved behind it: before an Unlock, the Lock that
// waited for it has to wait. So this goes back to those before which f could be
// done, and of these only the last is a race; between it and f there are, at
// most, steps before which f would have to wait. For a mutex it is the Lock
// whose Unlock has let f in, or has not: a step that waits when the execution
// ends is such an f, too. An attempt to lock that failed meanwhile is none, f
// would have to wait before it as well.
func (o *optimal) unblock(f mover) {
	r := &o.order
	i := int(r.last[f.object])
	if f.at >= 0 {
		i = int(r.prev[f.at])
	}
	acc := r.acc
	copy(acc, f.past)
	for ; i >= 0 && !o.p.expired(r.width); i = int(r.prev[i]) {
		e := &o.p.points[i]
		if r.local[i] > acc[e.thread] && o.unblockAt(i, f) {
			join(acc, r.clock(i))
		}
		if e.effect.Mode == machine.Write && r.local[i] <= acc[e.thread] {
			return // and so are all before it
		}
	}
}

// unblockAt adds the order in which f comes before step i if the two conflict
// and f can be done there, and reports whether that is so.
func (o *optimal) unblockAt(i int, f mover) bool {
	e := &o.p.points[i]
	s := o.sequence(i)
	o.order.without(i, s.to)
	st := o.state(s)
	f.mode = f.modeIn(st)
	if e.effect.Independent(machine.Effect{Object: f.object, Mode: f.mode}) {
		return false
	}
	if f.can(st) {
		if !o.open(s, &f) {
			return false
		}
		o.try(s, f)
		return true
	}
	return f.code == machine.GroupWait && e.amount() > 0 && o.emptyGroup(i, f)
}

// waiting deals with the steps that threads wait to take when the execution has
// ended, and with timers that were stopped before they fired.
func (o *optimal) waiting() {
	for t := range o.order.width {
		w := o.order.ends[t]
		if !waits(w.code) {
			continue
		}
		mode := machine.Write
		switch w.code {
		case machine.RLock:
			mode = machine.Sharing
		case machine.GroupWait:
			mode = machine.Read
		}
		o.unblock(mover{thread: t, code: w.code, object: w.object, mode: mode, past: o.order.know(t), at: -1})
	}
}

// emptyGroup adds orders in which f, the Wait of a WaitGroup, comes before
// step i, an Add, when the steps that do not depend on i leave the counter
// above zero: other Adds among them have to come after f, too. Additions
// commute, so those are in the order only because nothing tells them from those
// that must be there. Every smallest choice of them is tried.
func (o *optimal) emptyGroup(i int, f mover) bool {
	const most = 10
	r := &o.order
	base := o.sequence(i)
	r.without(i, base.to)
	var adds []int
	for k := int(r.last[f.object]); k > i; k = int(r.prev[k]) {
		pt := &o.p.points[k]
		if n := r.local[k]; n > max(base.from[pt.thread], f.past[pt.thread]) && n <= base.to[pt.thread] && pt.amount() > 0 {
			adds = append(adds, k)
		}
	}
	if len(adds) > most {
		adds = adds[len(adds)-most:]
	}
	var found []int
	for set := 1; set < 1<<len(adds); set++ {
		if includes(found, set) {
			continue
		}
		s := o.sequence(i)
		r.without(i, s.to)
		for b, k := range adds {
			if set&(1<<b) != 0 {
				o.omit(s, k)
			}
		}
		if o.state(s).Count == 0 {
			found = append(found, set)
			o.try(s, f)
		}
	}
	return len(found) > 0
}

// includes reports whether one of the sets is a subset of set.
func includes(sets []int, set int) bool {
	for _, s := range sets {
		if s&^set == 0 {
			return true
		}
	}
	return false
}

// omit takes decision k and what depends on it out of s.
func (o *optimal) omit(s *sequence, k int) {
	to := resize(o.order.cuts, len(s.to), 0)
	o.order.cuts = to
	o.order.cut(k, s.from, to)
	for t := range to {
		s.to[t] = min(s.to[t], to[t])
	}
}

// underflow adds the order in which f, which takes from the counter of a
// WaitGroup or gives a read lock back, comes before all the steps on its object
// that it does not depend on and that add to it, if it then fails. In the
// execution it commutes with these, so they are no races.
func (o *optimal) underflow(f mover) {
	r := &o.order
	points := o.p.points
	lowest, first := points[f.at].state.Count+points[f.at].amount(), -1
	for k := int(r.prev[f.at]); k >= 0; k = int(r.prev[k]) {
		if n := points[k].amount(); n > 0 && r.local[k] > f.past[points[k].thread] {
			lowest -= n
			first = k
		}
	}
	if first < 0 || lowest >= 0 {
		return
	}
	s := o.sequence(first)
	r.without(first, s.to)
	o.omit(s, f.at)
	for k := int(r.prev[f.at]); k > first; k = int(r.prev[k]) {
		if n := points[k].amount(); n > 0 && r.local[k] > f.past[points[k].thread] {
			o.omit(s, k)
		}
	}
	if o.state(s).Count+points[f.at].amount() < 0 {
		o.try(s, f)
	}
}
