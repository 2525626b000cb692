package model

import "slices"

// thiefStep is the law of what one thread does to another's ring.
func (sp queueSpec) thiefStep(q *queueState, e Event) []State {
	o := e.Op
	victim := q.rings[o.On]
	switch {
	case e.Phase == Effect && !q.idle(o.Thread):
		return nil
	case o.Kind == Peek:
		return when(sp.length(o, victim), q)
	case o.Kind == Vacant:
		return when((o.N == 1) == (len(victim.tasks) == 0) || sp.waives(LenHint), q)
	case o.Thread < 0 || o.Thread >= sp.rings || o.Thread == o.On:
		return nil
	case o.Outcome == Stole:
		return sp.stole(q, e)
	}
	return when(sp.refusalHonest(q, o), q)
}

// refusalHonest reports whether a steal may answer as it did now. A thief that
// finds another active is told busy, never empty.
func (sp queueSpec) refusalHonest(q *queueState, o *Operation) bool {
	victim, dst := q.rings[o.On], q.rings[o.Thread]
	if sp.waives(BusyIsHonest) {
		return o.Outcome == Busy || o.Outcome == Empty || o.Outcome == NoRoom
	}
	switch o.Outcome {
	case Busy:
		return victim.held > 0
	case Empty:
		return len(victim.tasks) == 0 && victim.held == 0
	case NoRoom:
		return sp.crowded(dst)
	}
	return false
}

// crowded reports whether more than half of a thief's own ring is taken, slots
// that are still being copied out of it included.
func (sp queueSpec) crowded(dst ringState) bool {
	return dst.held+len(dst.tasks) > sp.capacity/2
}

// stole is the law of the four moments of a successful steal.
func (sp queueSpec) stole(q *queueState, e Event) []State {
	o := e.Op
	if e.Phase == Look {
		return sp.look(q, o)
	}
	h, ok := q.holding(o.Thread, e.Phase)
	if !ok {
		return nil
	}
	c := q.clone()
	switch e.Phase {
	case Seize:
		return sp.seize(c, o, h)
	case Release:
		c.rings[o.On].held = 0
		c.moved(o.On)
		if h.tasks = h.tasks[:o.N-1]; len(h.tasks) == 0 {
			c.drop(o.Thread)
			return one(c)
		}
		h.next = Publish
		c.hold(h)
	case Publish:
		c.drop(o.Thread)
		dst := &c.rings[o.Thread]
		if dst.held+len(dst.tasks)+len(h.tasks) > sp.capacity && !sp.waives(CapacityFromSteal) {
			return nil
		}
		dst.tasks = concat(dst.tasks, h.tasks)
	}
	return one(c)
}

// look is the moment at which the thief sees how much there is. The claim is
// made only if the head has not moved since; until then the owner may push, so
// that the claim can be less than half of what is visible by then.
func (sp queueSpec) look(q *queueState, o *Operation) []State {
	victim := q.rings[o.On]
	n := len(victim.tasks)
	switch {
	case !q.idle(o.Thread) || len(o.Tasks) != 1 || o.N < 1 || o.N > n:
		return nil
	case o.N != n-n/2 && !sp.waives(StealHalf):
		return nil
	case victim.held > 0 && !sp.waives(SingleThief):
		return nil
	case sp.crowded(q.rings[o.Thread]) && !sp.waives(CapacityFromSteal):
		return nil
	}
	c := q.clone()
	c.hold(hand{thread: o.Thread, next: Seize, ring: o.On, n: o.N})
	return one(c)
}

// seize is the claim: the oldest n tasks leave the owner's reach, and the last
// of them is the one that the thief will return.
func (sp queueSpec) seize(c *queueState, o *Operation, h hand) []State {
	victim := &c.rings[o.On]
	h.next, h.tasks = Release, victim.tasks[:h.n]
	rest := victim.tasks[h.n:]
	if h.tasks[h.n-1] != o.Tasks[0] {
		if !sp.waives(FIFO) {
			return nil
		}
		others, ok := without(victim.tasks, o.Tasks[0])
		if !ok {
			return nil
		}
		h.tasks, rest = concat(others[:h.n-1], o.Tasks), slices.Clone(others[h.n-1:])
	}
	victim.tasks = rest
	victim.held += h.n
	c.moved(o.On)
	c.hold(h)
	return one(c)
}
