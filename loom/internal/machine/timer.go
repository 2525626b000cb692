package machine

// After makes the timer of r: a thread that runs f after a step, Fire, that can
// come at any moment unless the timer is stopped before. Time itself does not
// exist: a timer that is not stopped does fire in the end.
func (t *Thread) After(r *Ref, f func()) {
	if t.over() {
		t.unwind()
	}
	t.settle()
	t.trace(Fire)
	t.arm(t.m.object(r, Timer), f)
}

func (t *Thread) arm(o *object, f func()) {
	w := t.m.thread(t, f)
	w.op.Code, w.op.obj = Fire, o
	if t.m.Tracing {
		w.site = t.here()
	}
	o.armed = w
}

// fire is the first thing the thread of a timer does.
func (t *Thread) fire() {
	t.taken()
	t.op.obj.armed = nil
	t.change(&t.op.obj.changes, Fire)
}

// StopTimer announces Stop of the timer of r and reports whether it keeps the
// timer from firing.
func (t *Thread) StopTimer(r *Ref) bool {
	o := t.m.object(r, Timer)
	t.step(Stop, o)
	w := o.armed
	if w != nil {
		w.done, o.armed = true, nil
		t.m.live--
		t.change(&o.changes, t.op.Code)
	} else {
		t.see(o, whole)
	}
	t.ObserveBool(w != nil)
	if t.m.Tracing {
		t.Saw("= %v", w != nil)
	}
	return w != nil
}

// ResetTimer announces Reset of the timer of r: it will fire again. It reports
// whether it had not fired yet.
func (t *Thread) ResetTimer(r *Ref, f func()) bool {
	o := t.m.object(r, Timer)
	t.step(Reset, o)
	t.change(&o.changes, t.op.Code)
	w := o.armed
	t.ObserveBool(w != nil)
	if t.m.Tracing {
		t.Saw("= %v", w != nil)
	}
	if w == nil {
		t.arm(o, f)
	} else {
		w.clock.join(t.clock)
		t.clock.tick(t.id)
		t.born++ // what it starts next has the same name as if this had started a thread
	}
	return w != nil
}
