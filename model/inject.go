package model

import "slices"

// injectStep is the law of the inject queue. Each operation has one moment.
func (sp queueSpec) injectStep(q *queueState, e Event) []State {
	o := e.Op
	if e.Phase != Effect || !q.idle(o.Thread) {
		return nil
	}
	switch o.Kind {
	case InjectPush, InjectBatch:
		return sp.injectPush(q, o)
	case InjectPop, InjectPopN:
		return sp.injectPop(q, o)
	case InjectClose:
		c := q.clone()
		c.closed = true
		return when((o.N == 1) == !q.closed || sp.waives(ClosedReturnsTasks), c)
	case InjectLen:
		return when(o.N == len(q.global) || sp.waives(LenHint), q)
	}
	return nil
}

// injectPush: all of the tasks are in, together, or the queue is closed.
func (sp queueSpec) injectPush(q *queueState, o *Operation) []State {
	room := sp.bound == 0 || len(q.global)+len(o.Args) <= sp.bound
	switch {
	case o.Outcome == NoRoom:
		return when(!room || sp.waives(BusyIsHonest), q)
	case o.Outcome == Kept && !room && !sp.waives(CapacityFromSteal):
		return nil
	}
	refused := o.Outcome == Closed
	if refused != q.closed && !sp.waives(ClosedReturnsTasks) || !refused && o.Outcome != Kept {
		return nil
	}
	if refused {
		return one(q)
	}
	c := q.clone()
	c.global = concat(c.global, o.Args)
	return one(c)
}

// injectPop: the oldest tasks, as many as there are and were asked for.
func (sp queueSpec) injectPop(q *queueState, o *Operation) []State {
	if o.Outcome == Empty {
		return when(len(q.global) == 0 || sp.waives(BusyIsHonest), q)
	}
	want := 1
	if o.Kind == InjectPopN {
		want = o.Max
	}
	n := min(want, len(q.global))
	if o.Outcome != Took || len(o.Tasks) != n || n == 0 {
		return nil
	}
	rest := q.global[n:]
	if !slices.Equal(q.global[:n], o.Tasks) {
		if !sp.waives(InjectFIFO) {
			return nil
		}
		rest = q.global
		for _, t := range o.Tasks {
			var ok bool
			if rest, ok = without(rest, t); !ok {
				return nil
			}
		}
	}
	c := q.clone()
	c.global = rest
	return one(c)
}
