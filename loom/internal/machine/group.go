package machine

// GroupAdd announces Add of a WaitGroup. Like the real one it panics if the
// counter gets negative.
func (t *Thread) GroupAdd(r *Ref, delta int) {
	o := t.m.object(r, WaitGroup)
	t.op.delta = int64(delta)
	t.step(GroupAdd, o)
	o.count += int64(delta)
	if delta != 0 {
		t.change(&o.changes, t.op.Code)
	}
	if t.m.Tracing {
		t.Saw("%+d = %d", delta, o.count)
	}
	if o.count < 0 {
		panic("sync: negative WaitGroup counter")
	}
	if delta < 0 {
		o.clock.join(t.clock)
		t.clock.tick(t.id)
	}
}

// GroupWait announces Wait of a WaitGroup and returns when its counter is 0.
func (t *Thread) GroupWait(r *Ref) {
	o := t.m.object(r, WaitGroup)
	t.step(GroupWait, o)
	t.see(o, whole)
	t.clock.join(o.clock)
}

// OnceEnter announces Do of a Once. It reports whether the caller must run the
// function and then call OnceDone; otherwise it returns when that is done.
func (t *Thread) OnceEnter(r *Ref) bool {
	o := t.m.object(r, Once)
	t.step(OnceEnter, o)
	if o.done {
		t.clock.join(o.clock)
		return false
	}
	o.held, o.holder = true, t
	t.trace(t.op.Code)
	return true
}

// OnceDone announces the end of the function of a Once.
func (t *Thread) OnceDone(r *Ref) {
	o := t.m.object(r, Once)
	t.step(OnceDone, o)
	o.held, o.holder, o.done = false, nil, true
	o.clock.copyFrom(t.clock)
	t.clock.tick(t.id)
}
