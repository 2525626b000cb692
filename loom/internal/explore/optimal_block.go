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
func (o *optimal) modeIn(f *mover, st machine.State) machine.Mode {
	return o.p.m.Mode(f.code, f.modeIn(st))
}

// modeIn is that of a machine whose additions commute.
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
	case pt.code == machine.RLock, pt.code == machine.TryRLock && pt.effect.Mode != machine.Peeking:
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
		f.mode = o.modeIn(f, o.state(s))
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
	if f.at >= 0 && o.order.local[f.at] <= s.to[f.thread] {
		return false // f does not depend on i, so it is in s, and its effect on the state, too
	}
	st := o.state(s)
	f.mode = o.modeIn(&f, st)
	if e.effect.Independent(machine.Effect{Object: f.object, Mode: f.mode}) {
		return false
	}
	if !f.can(st) || !o.open(s, &f) {
		return false
	}
	o.try(s, f)
	return true
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
		o.unblock(mover{thread: t, code: w.code, object: w.object, mode: o.p.m.Mode(w.code, mode), past: o.order.know(t), at: -1})
	}
}
