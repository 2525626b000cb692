package machine

// Lock announces the lock of a Mutex, or the write lock of an RWMutex, and
// returns when it is taken. As in package sync, a writer that waits keeps new
// readers out.
func (t *Thread) Lock(r *Ref, k Kind) {
	o := t.m.object(r, k)
	t.inRound(Lock, o)
	t.step(Lock, o)
	o.held, o.holder = true, t
	t.locks(o, locking, 1)
	if o.count > 0 {
		o.pending = true
		t.step(Acquire, o)
		o.pending = false
	}
	t.locked(o)
}

func (t *Thread) locked(o *object) {
	t.acquired()
	t.clock.join(o.clock)
	t.clock.join(o.rclock)
}

// TryLock is Lock without waiting. It reports whether it has the lock; if not,
// nothing has been synchronized.
func (t *Thread) TryLock(r *Ref, k Kind) bool {
	o := t.m.object(r, k)
	t.step(TryLock, o)
	ok := !o.held && o.count == 0
	if ok {
		o.held, o.holder = true, t
		t.locks(o, locking, 1)
		t.locked(o)
	} else {
		t.fails(o, whole)
	}
	if !ok {
		t.Observe(1)
	}
	if t.m.Tracing {
		t.Saw("= %v", ok)
	}
	return ok
}

// unlocked is what package sync says of a lock that is not held.
var unlocked = map[Kind]string{
	Mutex:   "sync: unlock of unlocked mutex",
	RWMutex: "sync: Unlock of unlocked RWMutex",
}

// Unlock announces the end of a lock or write lock. Any thread may unlock.
func (t *Thread) Unlock(r *Ref, k Kind) {
	o := t.m.object(r, k)
	t.step(Unlock, o)
	if !o.held || o.pending {
		t.fatal(unlocked[k])
	}
	o.held, o.holder = false, nil
	t.locks(o, locking, -1)
	o.clock.join(t.clock)
	t.clock.tick(t.id)
}

// RLock announces a read lock.
func (t *Thread) RLock(r *Ref) {
	o := t.m.object(r, RWMutex)
	t.step(RLock, o)
	o.count++
	t.locks(o, sharing, 1)
	t.acquired()
	t.clock.join(o.clock)
}

// TryRLock is RLock without waiting.
func (t *Thread) TryRLock(r *Ref) bool {
	o := t.m.object(r, RWMutex)
	t.step(TryRLock, o)
	ok := !o.held
	if ok {
		o.count++
		t.locks(o, sharing, 1)
		t.acquired()
		t.clock.join(o.clock)
	} else {
		t.fails(o, writer)
	}
	if !ok {
		t.Observe(1)
	}
	if t.m.Tracing {
		t.Saw("= %v", ok)
	}
	return ok
}

// RUnlock announces the end of a read lock.
func (t *Thread) RUnlock(r *Ref) {
	o := t.m.object(r, RWMutex)
	t.step(RUnlock, o)
	if o.count == 0 {
		t.fatal("sync: RUnlock of unlocked RWMutex")
	}
	o.count--
	t.locks(o, sharing, -1)
	o.rclock.join(t.clock)
	t.clock.tick(t.id)
}

// Held reports whether the lock that r stands for is held.
func (m *Machine) Held(r *Ref) bool {
	id := m.Object(r)
	return id >= 0 && (m.objects[id].held || m.objects[id].count > 0)
}
