package model

import "slices"

// ownerStep is the law of the operations of a ring's owner.
func (sp queueSpec) ownerStep(q *queueState, e Event) []State {
	o := e.Op
	r := q.rings[o.Thread]
	if e.Phase == Effect && !q.idle(o.Thread) {
		return nil
	}
	switch o.Kind {
	case Push:
		return sp.push(q, e)
	case Batch:
		free := sp.capacity - r.held - len(r.tasks)
		if o.Outcome == NoRoom {
			return when(free < len(o.Args) || sp.waives(BusyIsHonest), q)
		}
		if o.Outcome != Kept || free < len(o.Args) && !sp.waives(CapacityFromSteal) {
			return nil
		}
		return one(q.appended(o.Thread, o.Args))
	case Pop:
		return sp.pop(q, o)
	case Len:
		return when(sp.length(o, r), q)
	case Free:
		return when(o.N == sp.capacity-r.held-len(r.tasks) || sp.waives(CapacityFromSteal), q)
	}
	return nil
}

// length is the law of the answers to Len and Peek. One that is more than the
// capacity is not only out of date.
func (sp queueSpec) length(o *Operation, r ringState) bool {
	if o.N > sp.capacity {
		return sp.waives(CapacityFromSteal)
	}
	return o.N == len(r.tasks) || sp.waives(LenHint)
}

// appended is q with tasks made visible at the new end of a ring.
func (q *queueState) appended(ring int, ts []Task) *queueState {
	c := q.clone()
	c.rings[ring].tasks = concat(c.rings[ring].tasks, ts)
	return c
}

// push is the law of the three ways in which a Push ends. Room counts from
// steal: the slots that a thief still holds are not free.
func (sp queueSpec) push(q *queueState, e Event) []State {
	o := e.Op
	r := q.rings[o.Thread]
	full := r.held+len(r.tasks) >= sp.capacity
	switch e.Phase {
	case Effect:
		if o.Outcome != Kept || full && !sp.waives(CapacityFromSteal) {
			return nil
		}
		return one(q.appended(o.Thread, o.Args))
	case See:
		honest := full && r.held > 0 || sp.waives(BusyIsHonest)
		if !q.idle(o.Thread) || !honest || !slices.Equal(o.Tasks, o.Args) {
			return nil
		}
		c := q.clone()
		c.hold(hand{thread: o.Thread, next: HandOver, tasks: o.Tasks})
		return one(c)
	case TakeAll:
		if !q.idle(o.Thread) || (!full || r.held > 0) && !sp.waives(CapacityFromSteal) {
			return nil
		}
		c := q.clone()
		c.rings[o.Thread].tasks = nil
		c.moved(o.Thread)
		c.hold(hand{thread: o.Thread, next: GiveBack, tasks: r.tasks})
		return one(c)
	case GiveBack:
		return sp.giveBack(q, o)
	case HandOver:
		h, ok := q.holding(o.Thread, HandOver)
		if !ok || o.Refused != q.closed && !sp.waives(ClosedReturnsTasks) {
			return nil
		}
		c := q.clone()
		c.drop(o.Thread)
		if !o.Refused {
			c.global = concat(c.global, h.tasks)
		}
		return one(c)
	}
	return nil
}

// giveBack is the second moment of an overflow. The oldest half stays, the
// newest half goes with the pushed task, in order.
func (sp queueSpec) giveBack(q *queueState, o *Operation) []State {
	h, ok := q.holding(o.Thread, GiveBack)
	if !ok {
		return nil
	}
	stay, batch := h.tasks[:len(h.tasks)/2], concat(h.tasks[len(h.tasks)/2:], o.Args)
	if sp.waives(OverflowKeepsOldest) {
		batch, stay = o.Tasks, concat(h.tasks, o.Args)
		for _, t := range batch {
			if stay, ok = without(stay, t); !ok {
				return nil
			}
		}
	}
	if !slices.Equal(o.Tasks, batch) {
		return nil
	}
	c := q.clone()
	c.rings[o.Thread].tasks = concat(c.rings[o.Thread].tasks, stay)
	c.hold(hand{thread: o.Thread, next: HandOver, tasks: batch})
	return one(c)
}

// pop is the law of Pop: the oldest visible task, or empty if there is none.
func (sp queueSpec) pop(q *queueState, o *Operation) []State {
	r := q.rings[o.Thread]
	if o.Outcome == Empty {
		return when(len(r.tasks) == 0 || sp.waives(BusyIsHonest), q)
	}
	if o.Outcome != Took || len(o.Tasks) != 1 || len(r.tasks) == 0 {
		return nil
	}
	rest := r.tasks[1:]
	if r.tasks[0] != o.Tasks[0] {
		var ok bool
		if rest, ok = without(r.tasks, o.Tasks[0]); !ok || !sp.waives(FIFO) {
			return nil
		}
	}
	c := q.clone()
	c.moved(o.Thread)
	c.rings[o.Thread].tasks = rest
	if r.held > 0 {
		c.rings[o.Thread].held++ // the slot comes before the ones the thief will release with its own
	}
	return one(c)
}
