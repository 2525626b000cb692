package machine

import (
	"sync/atomic"
	"unsafe"
)

// LoadWord announces a load.
func (t *Thread) LoadWord(r *Ref, k Kind) {
	o := t.m.object(r, k)
	t.inRound(Load, o)
	t.step(Load, o)
	t.clock.join(o.clock)
	t.see(o, whole)
}

// StoreWord announces a store. Wrote must follow.
func (t *Thread) StoreWord(r *Ref, k Kind) {
	o := t.m.object(r, k)
	t.step(Store, o)
	o.clock.copyFrom(t.clock)
	t.clock.tick(t.id)
}

// ModifyWord announces a read-modify-write: Swap, Add, And or Or. Wrote must
// follow.
func (t *Thread) ModifyWord(code Code, r *Ref, k Kind) {
	o := t.m.object(r, k)
	t.inRound(code, o)
	t.step(code, o)
	t.modify(o)
}

// modify takes what the word knows and gives what the thread then knows.
func (t *Thread) modify(o *object) {
	t.clock.join(o.clock)
	o.clock.copyFrom(t.clock)
	t.clock.tick(t.id)
}

// CompareWord announces a compare-and-swap of the word of size bytes, 4 or 8,
// at addr, and reports whether it is going to succeed. If so, Wrote must follow.
func (t *Thread) CompareWord(r *Ref, k Kind, addr unsafe.Pointer, size uintptr, old uint64) bool {
	t.op.addr, t.op.size, t.op.old = addr, uint8(size), old
	return t.compare(t.m.object(r, k))
}

// CompareValue is CompareWord for a Value.
func (t *Thread) CompareValue(r *Ref, v *atomic.Value, old any) bool {
	t.op.size, t.op.val, t.op.any = 0, v, old
	return t.compare(t.m.object(r, Value))
}

func (t *Thread) compare(o *object) bool {
	t.inRound(CompareAndSwap, o)
	t.step(CompareAndSwap, o)
	ok := t.op.swaps()
	t.ObserveBool(ok)
	if ok {
		t.modify(o)
		return true
	}
	t.lost(o)
	t.clock.join(o.clock)
	t.see(o, whole)
	return false
}

// MapStep announces an operation on a Map. changes reports whether it would
// change the map, in the state in which it is called. Wrote must follow. What it
// synchronizes is up to Acquire and Release.
func (t *Thread) MapStep(r *Ref, changes func() bool) {
	t.op.probe = changes
	t.step(Access, t.m.object(r, Map))
}

// Read says what t has read, or made of it. Numbers that may be addresses, which are
// others in each execution, do not count.
func (t *Thread) Read(v uint64) {
	if v < 1<<(4*unsafe.Sizeof(uintptr(0))) {
		t.values = (t.values + v + 1) * 0x9e3779b97f4a7c15
	}
}

// Values returns a hash of what t has read so far.
func (t *Thread) Values() uint64 { return t.values }

// Acquire lets t learn what a clock has.
func (t *Thread) Acquire(c Clock) { t.clock.join(c) }

// Release lets a clock have what t knows, and no more.
func (t *Thread) Release(c *Clock) {
	c.copyFrom(t.clock)
	t.clock.tick(t.id)
}

// Stamp announces Call or Return and returns its stamp. Stamps order nothing
// for the purpose of races.
func (t *Thread) Stamp(code Code) int64 {
	o := t.m.object(&t.m.stamps, Stamps)
	t.step(code, o)
	t.trace(t.op.Code)
	o.count++
	if t.m.Tracing {
		t.Saw("= %d", o.count)
	}
	return o.count
}
