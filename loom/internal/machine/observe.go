package machine

import (
	"encoding/binary"
	"fmt"
	"slices"
	"unsafe"
)

// This file is what a search of states needs to know of the threads and objects.
// What a thread does next is a function of its code and of what its operations
// have returned, so the machine keeps that.

// Watch has the machine keep what threads observe, and make the accesses to cells
// steps. It is a setting of the machine.
type Watch struct {
	Rounds Rounds // nil: there are none
	Joined bool   // the accesses to cells after a step are taken with it
	// Plain returns what the threads share that no operation tells them: memory
	// that locks guard. A thread observes it when it takes a lock.
	Plain func(t *Thread) string
}

// Rounds knows loops around a compare-and-swap whose failed rounds leave nothing
// behind.
type Rounds interface {
	// Where returns in which of the loops t is about to do code on an object, 0
	// if in none. It may call Head.
	Where(t *Thread, code Code, object int32) int32
	// Failed tells that the compare-and-swap of a loop has failed.
	Failed(t *Thread, object, where int32)
}

// Observation is what one operation told its thread.
type Observation struct {
	Code   Code
	Object int32  // -1: none
	Where  int32  // in which loop, as Rounds says; 0: none
	Value  uint64 // what the operation returned, if that is a number
	Any    any    // what it returned otherwise, nil if nothing
}

// witness is what the machine keeps of a thread for a search of states.
type witness struct {
	seen   []Observation // since the last boundary
	key    uint64        // of the last boundary
	whence uint64        // a number for its function and the key there
	where  int32         // of the pending operation
	bounds int32         // boundaries passed

	touched  []Touch // cells, since the last step that was none of a cell
	settling bool    // it is in settle
}

// Touch is an access to a cell.
type Touch struct {
	Object int32
	Store  bool
	Site   Site // while tracing
}

// again returns w for the next execution.
func (w witness) again() witness { return witness{seen: w.seen[:0], touched: w.touched[:0]} }

// Touched returns the accesses of t to cells since its last step that was none.
// Nothing of another thread can depend on them yet.
func (t *Thread) Touched() []Touch { return t.touched }

// Touching returns the access to a cell that t is about to make.
func (t *Thread) Touching() (touch Touch, is bool) {
	is = !t.done && (t.op.Code == CellLoad || t.op.Code == CellStore)
	if is {
		touch = Touch{t.op.obj.id, t.op.Code == CellStore, t.site}
	}
	return touch, is
}

// settle is a step of a thread that has touched cells and now does what is no
// step and orders it before others: it starts a thread, or ends. In the state
// before it the accesses are seen not to be ordered before anything. It is a step
// even if no other thread is left to race with: what a thread does is no function of
// what others are.
func (t *Thread) settle() {
	if t.seeing == nil || !t.seeing.Joined || len(t.touched) == 0 || t.over() {
		return
	}
	t.op.Code, t.op.obj, t.settling = Boundary, nil, true
	t.turn()
	t.m.last, t.settling = t, false
	t.touched = t.touched[:0]
}

// acquired completes the observation of an operation that has taken a lock, or
// has waited for something.
func (t *Thread) acquired() {
	if t.seeing != nil && t.seeing.Plain != nil {
		s := t.seeing.Plain(t)
		t.last().Any = s
	}
}

// observed appends what operation code on o has told the thread so far: that it
// is done.
func (t *Thread) observed(code Code, o *object) {
	if t.seeing == nil {
		return
	}
	id := int32(-1)
	if o != nil {
		id = o.id
		if code != Fire { // a timer is that of the thread that has made it
			o.used(t)
		}
	}
	t.seen = append(t.seen, Observation{Code: code, Object: id, Where: t.where})
	t.where = 0
	switch code {
	case CellLoad, CellStore:
		t.touched = append(t.touched, Touch{id, code == CellStore, t.site})
	case Choose, Join, Woken:
	default:
		t.touched = t.touched[:0]
	}
}

// Observe completes the observation of the operation that t has just done: it
// returned v. It does nothing unless there is a Watch.
func (t *Thread) Observe(v uint64) {
	if t.seeing != nil {
		t.last().Value = v
	}
}

// ObserveBool is Observe for a bool.
func (t *Thread) ObserveBool(v bool) {
	if t.seeing != nil && v {
		t.last().Value = 1
	}
}

// ObserveAny is Observe for what may be no number.
func (t *Thread) ObserveAny(v any) {
	if t.seeing == nil {
		return
	}
	switch v := v.(type) { // the type is a matter of the code, so the value says all
	case int:
		t.last().Value = uint64(v)
	case uintptr:
		t.last().Value = uint64(v)
	default:
		t.last().Any = v
	}
}

func (t *Thread) last() *Observation { return &t.seen[len(t.seen)-1] }

// Observing reports whether ObserveAny has an effect.
func (t *Thread) Observing() bool { return t.seeing != nil }

// Observer returns the calling thread if it is observing, else nil.
func Observer() *Thread {
	if co := running.co.Load(); co != nil && co.m.Watch == nil {
		return nil
	}
	t := Current()
	if t == nil || t.seeing == nil {
		return nil
	}
	return t
}

// Observations returns what the thread has observed since its last boundary. The
// slice is the thread's own.
func (t *Thread) Observations() []Observation { return t.seen }

// Forget drops the observations from the one at i on.
func (t *Thread) Forget(i int) { t.seen = t.seen[:i] }

// BoundaryKey returns the key of the thread's last boundary, 0 before the first.
func (t *Thread) BoundaryKey() uint64 { return t.key }

// Bound announces that the local state of the thread is key and nothing else:
// what it has observed so far does not matter any more. It does nothing unless
// there is a Watch.
func (t *Thread) Bound(key uint64) {
	m := t.m
	if t.over() {
		t.unwind()
	}
	if t.seeing == nil {
		return
	}
	t.seen, t.key = t.seen[:0], key
	t.bounds++
	t.whence = scramble(uint64(**(**uintptr)(unsafe.Pointer(&t.f)))^scramble(key+1)) | 1
	t.op.Code, t.op.obj = Boundary, nil
	if m.Tracing {
		t.site = t.here()
	}
	t.turn()
	m.last = t
	t.op.Code = None
}

// inRound asks in which loop the operation is that t is about to do.
func (t *Thread) inRound(code Code, o *object) {
	if t.seeing != nil && t.seeing.Rounds != nil && !t.over() {
		t.where = t.seeing.Rounds.Where(t, code, o.id)
	}
}

// unwatched refuses Yield in a search of states: what a thread waits for there is a
// function of more than it has observed.
func (t *Thread) unwatched() {
	if t.seeing != nil {
		t.Refuse("loom: Yield in a Graph, which needs none: a loop that waits begins with a Boundary")
	}
}

// lost tells of a compare-and-swap on o that has failed.
func (t *Thread) lost(o *object) {
	if t.seeing == nil {
		return
	}
	if where := t.last().Where; where != 0 {
		t.seeing.Rounds.Failed(t, o.id, where)
	}
}

// Standing appends what the machine knows of the thread that its observations do
// not say: whether it has ended, what it waits for, whether it has been signalled.
func (t *Thread) Standing(b []byte) []byte {
	if t.from > 0 {
		b = append(b, byte(t.from), byte(t.nth)) // the number is a matter of who spawned when
	}
	if t.done {
		return append(b, 1)
	}
	var flags byte
	for i, f := range [...]bool{t.signalled, t.asleep, t.co == nil, t.settling} {
		if f {
			flags |= 2 << i
		}
	}
	return append(b, flags, byte(t.op.Code))
}

// Doomed reports whether the thread is about to do a compare-and-swap that would
// fail now.
func (t *Thread) Doomed() bool { return !t.done && t.op.Code == CompareAndSwap && !t.op.swaps() }

// Object returns the number of the object that r stands for in the running
// execution, -1 if it has not been touched.
func (m *Machine) Object(r *Ref) int32 {
	if r.run.Load() != m.run {
		return -1
	}
	return r.id
}

// Locks appends the state of an object apart from the memory it is part of: who
// holds it, who waits. Words and cells have none, and a lock that is free has the
// state of one that was never used. id may be -1, for an object that was not.
func (m *Machine) Locks(b []byte, id int32, class func(thread int) int) []byte {
	if id < 0 {
		return append(b, 0)
	}
	o := m.objects[id]
	switch o.kind {
	case Mutex, RWMutex, Once, Cond, WaitGroup, Timer:
	default:
		return append(b, 0)
	}
	var flags byte
	for i, f := range [...]bool{o.held, o.done, o.holder != nil, o.armed != nil, o.pending} {
		if f {
			flags |= 1 << i
		}
	}
	if flags == 0 && o.count == 0 && len(o.waiters) == 0 {
		return append(b, 0)
	}
	name := func(t *Thread) byte {
		if c := class(t.id); c != 0 {
			return byte(MaxThreads + c)
		}
		return byte(t.id)
	}
	b = append(b, flags|1<<7)
	if o.holder != nil {
		b = append(b, name(o.holder))
	}
	if o.armed != nil {
		b = append(b, name(o.armed))
	}
	b = binary.AppendVarint(b, o.count)
	b = append(b, byte(len(o.waiters)))
	at := len(b)
	for _, w := range o.waiters {
		b = append(b, name(w))
	}
	slices.Sort(b[at:]) // a signal finds any of them
	return b
}

// Role returns what t is to an object: who holds it, waits for it, fires it. 0 is
// nothing of that.
func (t *Thread) Role(id int32) (role uint8) {
	o := t.m.objects[id]
	for i, is := range [...]bool{o.holder == t, o.armed == t, slices.Contains(o.waiters, t)} {
		if is {
			role |= 1 << i
		}
	}
	return role
}

// Wandered reports whether an object has been used by several threads, or by one
// before and after a boundary.
func (m *Machine) Wandered(id int32) bool { return m.objects[id].wandered }

// ObjectName returns what reports call an object.
func (m *Machine) ObjectName(id int32) string { return fmt.Sprintf("%v#%d", m.objects[id].kind, id) }

// Where returns in which loop the pending operation is, as Rounds says; 0: none.
func (t *Thread) Where() int32 { return t.where }

// users is who uses an object, for a search of states.
type users struct {
	user     int32 // 1 + the thread
	bounds   int32 // how many boundaries it had passed
	wandered bool
}

// used notes that t uses it now.
func (u *users) used(t *Thread) {
	if u.user != 0 && (u.user != int32(t.id)+1 || u.bounds != t.bounds) {
		u.wandered = true
	}
	u.user, u.bounds = int32(t.id)+1, t.bounds
}

// Controller returns what decides for the machine of t.
func (t *Thread) Controller() Controller { return t.m.ctl }

// Beside runs f as if no thread of the model did: operations of the shim are the
// real ones, and no use of the execution's objects is held against anybody.
func (m *Machine) Beside(f func()) {
	co := m.hand(nil)
	defer m.hand(co)
	f()
}

// Violated records what the state in which the machine is violates. The
// controller calls it, and then returns nil from Next.
func (m *Machine) Violated(f Failure) { m.fail(f) }

// cellStep makes an access to a cell a step. The controller sees a race as two
// steps that are pending at the same time.
func (t *Thread) cellStep(r *Ref, store bool) {
	code := CellLoad
	if store {
		code = CellStore
	}
	t.step(code, t.m.object(r, Cells))
}

// Inside reports whether a function belongs to the shim or the machine.
func Inside(function string) bool { return inside(function) }
