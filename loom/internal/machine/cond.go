package machine

// CondEnter announces the entry among the waiters of a condition variable. From
// here on a signal can find the thread, which next unlocks and then calls
// CondSleep: the two steps of sync.Cond.Wait.
func (t *Thread) CondEnter(r *Ref) {
	o := t.m.object(r, Cond)
	t.step(Wait, o)
	t.change(&o.changes, t.op.Code)
	t.signalled, t.asleep, t.on = false, false, o
	// By name: which of them a signal wakes is a choice of the controller, and the
	// meaning of that choice depends neither on the order of entries nor on the
	// order in which the threads were started.
	i := len(o.waiters)
	for i > 0 && t.before(o.waiters[i-1]) {
		i--
	}
	o.waiters = append(o.waiters, nil)
	copy(o.waiters[i+1:], o.waiters[i:])
	o.waiters[i] = t
}

// AllowSpurious has the Waits of this execution that begin from now on try both
// what Spurious reports.
func (t *Thread) AllowSpurious() { t.m.spurious = true }

// Spurious reports whether the Wait that t begins is to return without a signal.
// While such a Wait waits, no signal finds the thread, so it does no more than to
// give the lock back and to take it again. Every Wait is tried both ways, but in
// one execution no more than one of each thread returns so: a loop around Wait
// would go round for ever.
func (t *Thread) Spurious() bool {
	if !t.m.spurious || t.disturbed {
		return false
	}
	t.disturbed = t.decide(Unsignalled, 2) == 1
	return t.disturbed
}

// CondSleep returns when a signal has found the thread.
func (t *Thread) CondSleep() {
	if t.over() {
		t.unwind()
	}
	if !t.signalled {
		t.asleep = true
		t.sleep(Woken)
	}
	t.on = nil
	t.clock.join(t.wake)
	t.observed(Woken, nil)
	t.m.link(t.waker, t, t.wokenBy)
	if t.m.Tracing {
		e := t.m.event(t, Woken, nil, Read)
		e.Other, e.Site = t.waker.id, t.site
	}
}

// Signal announces a signal. It wakes one waiter, any one, and without a waiter
// it is nothing: it is not remembered.
func (t *Thread) Signal(r *Ref) {
	o := t.m.object(r, Cond)
	t.step(Signal, o)
	n := len(o.waiters)
	if n == 0 {
		t.see(o, whole)
		if t.m.Tracing {
			t.Saw("wakes nobody")
		}
		return
	}
	i := 0
	if n > 1 {
		i = t.choose(n)
	}
	w := o.waiters[i]
	o.waiters = append(o.waiters[:i], o.waiters[i+1:]...)
	if t.m.Tracing {
		t.Saw("wakes %s", Name(w.id))
	}
	t.awaken(w)
	t.change(&o.changes, t.op.Code)
	t.clock.tick(t.id)
}

// Broadcast announces a broadcast, which wakes all waiters there are.
func (t *Thread) Broadcast(r *Ref) {
	o := t.m.object(r, Cond)
	t.step(Broadcast, o)
	if t.m.Tracing {
		t.Saw("wakes %d", len(o.waiters))
	}
	if len(o.waiters) == 0 {
		t.see(o, whole)
		return
	}
	for _, w := range o.waiters {
		t.awaken(w)
	}
	o.waiters = o.waiters[:0]
	t.change(&o.changes, t.op.Code)
	t.clock.tick(t.id)
}

func (t *Thread) awaken(w *Thread) {
	w.signalled, w.waker, w.wokenBy = true, t, t.m.decisions
	w.wake.copyFrom(t.clock)
	if w.asleep {
		w.asleep = false
		t.m.ready = append(t.m.ready, w)
	}
}
