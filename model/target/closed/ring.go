package closed

import (
	"fmt"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/queue"
)

// relative is a ring whose states are told apart by indices relative to the steal
// index, and what is in it, for the driver to look at.
type relative struct {
	Head, Tail, Next func() uint64
}

// Relative is one of numbers, which can be looked at, too.
type Relative struct {
	*queue.Ring[int]
	relative
	Slots []func() uint64 // by index modulo the capacity
}

// NewRelative makes one whose indices begin at start.
func NewRelative(d *loom.Driver, capacity int, start uint32) Relative {
	q, err := queue.NewRing[int](capacity, queue.StartAt(start))
	if err != nil {
		panic(err)
	}
	r := Relative{Ring: q, relative: newRelativeOf(d, q, capacity)}
	for i := range capacity {
		r.Slots = append(r.Slots, loom.Peek(q, fmt.Sprintf("slots.%d", i)))
	}
	return r
}

// newRelativeOf has a ring of whatever tasks told apart so.
//
// The code uses indices in differences, in comparisons for equality and modulo the
// capacity, so it is the same for all if every index and the slots move on by the
// same number: that one is subtracted which makes steal 0, and the slots are
// written from steal's on. An index that has been observed falls behind without
// end. From three capacities on it makes no difference how far behind it is: the
// compare-and-swap that expects it fails, and whether the other conditions on it
// hold does not change, as they compare with the capacity at most.
func newRelativeOf(d *loom.Driver, q any, capacity int) relative {
	r := relative{loom.Peek(q, "head"), loom.Peek(q, "tail"), loom.Peek(q, "next")}
	index := func(i uint64) uint64 {
		return uint64(uint32(max(int32(uint32(i)-r.Steal()), int32(-3*capacity))))
	}
	d.View(q, "head", func(v uint64) uint64 { return index(v>>32)<<32 | index(v) })
	d.View(q, "tail", index)
	d.View(q, "next", index)
	d.Rotate(q, "slots", func() int { return int(r.Steal()) & (capacity - 1) })
	// The owner's buffer is empty between calls and made when it is needed.
	d.Ignore(q, "batch")
	// Each change of head moves an index on, so it repeats after 2^32 pops at the
	// earliest: WrapSafe says what that asks for.
	d.Fresh(q, "head")
	return r
}

// Steal returns the index from which the others count.
func (r *relative) Steal() uint32 { return uint32(r.Head() >> 32) }

func (r *relative) real() uint32 { return uint32(r.Head()) }

func (r *relative) visible() int { return int(uint32(r.Tail()) - r.real()) }

// ring is a ring under check.
type ring struct{ Relative }

func newRing(d *loom.Driver, capacity int, start uint32) ring {
	return ring{NewRelative(d, capacity, start)}
}

// find returns at which of its visible indices the ring has a task, counted from
// the oldest, -1 if it has not. A ring whose tail is behind has more visible indices
// than slots.
func (r *ring) find(v int) int {
	for n := range min(r.visible(), len(r.Slots)) {
		if r.Slots[(int(r.real())+n)&(len(r.Slots)-1)]() == uint64(v) {
			return n
		}
	}
	return -1
}

// Ring is the most general client of a ring: its owner pushes and pops, and each
// thief steals into a ring of its own, which it then empties. A thief that is told
// busy has completed nothing.
func Ring(capacity, thieves int, start uint32) func() {
	return rings{capacity: capacity, thieves: thieves, start: start}.body
}

// AnsweredRing is Ring with busy an answer like others, so that it completes an
// operation of each thief, and each of them is claimed to progress.
func AnsweredRing(capacity, thieves int) func() {
	return rings{capacity: capacity, thieves: thieves, answered: true}.body
}

// ImpatientRing is Ring with each of several thieves claimed to complete operations
// whatever the others do, which does not hold: while one sleeps between claim and
// release another one is told busy.
func ImpatientRing(capacity, thieves int) func() {
	return rings{capacity: capacity, thieves: thieves, impatient: true}.body
}

// BoundedRing is Ring with a number of operations for each thread, so that its
// graph closes with loom.Exact, too, and what newRing says of indices can be
// compared with it.
func BoundedRing(capacity, thieves, operations int, start uint32) func() {
	return rings{capacity: capacity, thieves: thieves, start: start, operations: operations}.body
}

// StaleRing is a ring with one steal, and so many operations of its owner that what the
// thief has observed can fall as far behind as makes no difference any more.
func StaleRing(capacity, operations int) func() {
	return rings{capacity: capacity, thieves: 1, operations: operations, once: true}.body
}

// rings is a driver of a ring.
type rings struct {
	capacity, thieves int
	start             uint32
	operations        int  // of each thread; 0: for ever
	once              bool // each thief does one
	answered          bool // busy completes an operation
	impatient         bool // all thieves are claimed to progress, though busy completes nothing
}

func (by rings) body() {
	d, l := loom.Drive(), &ledger{alone: by.thieves == 1, answered: by.answered}
	r := newRing(d, by.capacity, by.start)
	d.Root("ring", r.Ring)
	d.Root("ledger", l)
	owner := loom.Go(func() { by.repeat(func(uint64) { l.operate(&r) }) })
	stealing := by
	if by.once {
		stealing.operations = 1
	}
	var all []*loom.Thread
	for range by.thieves {
		own := newRing(d, by.capacity, by.start)
		t := loom.Go(func() { stealing.repeat(func(key uint64) { l.steal(&r, &own, key|1) }) })
		d.Own(t, "own", own.Ring)
		all = append(all, t)
	}
	d.Symmetric(all...)
	d.Progress("LockFree", by.progressing(owner, all)...)
	r.claims(d, l, owner, all)
}

// repeat does operations, with a boundary before each. Boundaries within one have a
// key that is unlike those of others.
func (by rings) repeat(operation func(key uint64)) {
	for left := by.operations; by.operations == 0 || left > 0; left-- {
		key := uint64(max(left, 0)) << 8
		loom.Boundary(key)
		operation(key)
	}
}

// progressing returns the threads that complete operations whatever the others do.
// A thief that is told busy has completed nothing, and is told so for as long as
// another one sleeps between claim and release: so of several none is among them,
// unless to be told so is taken for an answer.
func (by rings) progressing(owner *loom.Thread, thieves []*loom.Thread) []*loom.Thread {
	if by.thieves == 1 || by.answered || by.impatient {
		return append([]*loom.Thread{owner}, thieves...)
	}
	return []*loom.Thread{owner}
}

// RingOptions are the loops of a ring whose failed rounds leave nothing behind.
//
// Pop, pushFull and claim begin each round by a load of head and compute all else
// anew from it and from what the round loads; r.next, which they read, does not
// change in between, as only the owner's completed rounds move it. release
// remembers from a failed round the real half of the word that it loads, and loads
// it after the compare-and-swap, so that is in the next round.
func RingOptions() []loom.Option {
	return []loom.Option{
		loom.RetryAt("Ring.Pop", "CompareAndSwap"), loom.RetryAt("Ring.pushFull", "CompareAndSwap"),
		loom.RetryAt("Stealer.claim", "CompareAndSwap"), loom.RetryAt("Ring.release", "CompareAndSwap"),
		loom.Race("NoSlotRace"),
	}
}
