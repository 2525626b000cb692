package machine

import "fmt"

// group is what is known of the uses of a WaitGroup that must be ordered: an Add
// that begins a round, and a Wait. Package sync demands that, panics if it happens
// to notice, and has the race detector treat the two like a load and a store.
type group struct {
	adds, waits       Clock    // by thread, the clock of its last such Add, Wait
	lastAdd, lastWait []access // these, only while tracing
}

// reset returns g without what it knows, a new one if it is nil.
func (g *group) reset() *group {
	if g == nil {
		return &group{}
	}
	*g = group{adds: g.adds[:0], waits: g.waits[:0], lastAdd: g.lastAdd[:0], lastWait: g.lastWait[:0]}
	return g
}

// GroupAdd announces Add of a WaitGroup. Like the real one it panics if the
// counter gets negative.
func (t *Thread) GroupAdd(r *Ref, delta int) {
	o := t.m.object(r, WaitGroup)
	t.op.delta = int64(delta)
	t.step(GroupAdd, o)
	if o.count == 0 && delta > 0 {
		t.unordered(o, o.group.waits, o.group.lastWait, "Add", "Wait")
		t.mark(&o.group.adds, &o.group.lastAdd)
	}
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
	t.unordered(o, o.group.adds, o.group.lastAdd, "Wait", "Add")
	t.mark(&o.group.waits, &o.group.lastWait)
	t.acquired()
	t.see(o, whole)
	t.clock.join(o.clock)
}

// mark notes that t does now what the clock keeps of each thread.
func (t *Thread) mark(last *Clock, uses *[]access) {
	last.set(t.id, t.clock.at(t.id))
	if t.m.Tracing {
		t.accessed(false).set(uses, t.id)
	}
}

// unordered reports a race if nothing is between what t does now and the last of
// another thread's.
func (t *Thread) unordered(o *object, last Clock, uses []access, what, other string) {
	for i, at := range last {
		if i == t.id || t.clock.at(i) >= at {
			continue
		}
		f := Failure{Kind: RaceFailure, Thread: t.id, Other: i, Cell: -1}
		if t.m.Tracing {
			t.sides(&f, uses[i])
		}
		f.Message = fmt.Sprintf("sync: WaitGroup misuse: %s by %s at %v and %s by %s at %v of waitgroup#%d, whose counter may be 0 then, are not ordered",
			other, Name(i), f.OtherSite, what, Name(t.id), f.Site, o.id)
		t.raced(f)
	}
}

// OnceEnter announces Do of a Once. It reports whether the caller must run the
// function and then call OnceDone; otherwise it returns when that is done.
func (t *Thread) OnceEnter(r *Ref) bool {
	o := t.m.object(r, Once)
	t.step(OnceEnter, o)
	if o.done {
		t.acquired()
		t.clock.join(o.clock)
		return false
	}
	o.held, o.holder = true, t
	t.trace(t.op.Code)
	return true
}

// OnceWas says that the Once has been done outside the exploration.
func (t *Thread) OnceWas(r *Ref) { t.m.object(r, Once).done = true }

// OnceDone announces the end of the function of a Once.
func (t *Thread) OnceDone(r *Ref) {
	o := t.m.object(r, Once)
	t.step(OnceDone, o)
	o.held, o.holder, o.done = false, nil, true
	o.clock.copyFrom(t.clock)
	t.clock.tick(t.id)
}
