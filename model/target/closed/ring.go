package closed

import (
	"fmt"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/queue"
)

// The tasks of a ring's driver.
const (
	none      = iota // an empty slot
	anonymous        // any task
	first            // the two tagged ones: first is pushed before second
	second
	tags
)

// ledger is what the driver knows of the tagged tasks.
type ledger struct {
	pushed   [tags]bool // the push has begun
	taken    [tags]int8 // how often a pop, a steal or an overflow has returned it
	overflow [tags]bool // it was an overflow

	// Whether the owner is in an operation, and whether it has been in one since
	// the only thief has begun its own.
	owning, disturbed bool
	alone             bool // there is one thief
}

func (l *ledger) take(v int) {
	if v >= first {
		l.taken[v]++
	}
}

// Push and PushBatch make a ledger the place that overflows go to.
func (l *ledger) Push(v int) bool { return l.PushBatch([]int{v}) }

func (l *ledger) PushBatch(vs []int) bool {
	for _, v := range vs {
		l.take(v)
		l.overflow[v] = v >= first
	}
	return true
}

// ring is a ring under check.
type ring struct {
	*queue.Ring[int]
	head, tail, next func() uint64
	slots            []func() uint64
}

// newRing makes a ring whose states are told apart by indices relative to the
// steal index.
//
// The code uses indices in differences, in comparisons for equality and modulo the
// capacity, so it is the same for all if every index and the slots move on by the
// same number: that one is subtracted which makes steal 0, and the slots are
// written from steal's on. An index that has been observed falls behind without
// end. From three capacities on it makes no difference how far behind it is: the
// compare-and-swap that expects it fails, and whether the other conditions on it
// hold does not change, as they compare with the capacity at most.
func newRing(d *loom.Driver, capacity int, start uint32) ring {
	q, err := queue.NewRing[int](capacity, queue.StartAt(start))
	if err != nil {
		panic(err)
	}
	r := ring{Ring: q, head: loom.Peek(q, "head"), tail: loom.Peek(q, "tail"), next: loom.Peek(q, "next")}
	for i := range capacity {
		r.slots = append(r.slots, loom.Peek(q, fmt.Sprintf("slots.%d", i)))
	}
	index := func(i uint64) uint64 {
		return uint64(uint32(max(int32(uint32(i)-r.steal()), int32(-3*capacity))))
	}
	d.View(q, "head", func(v uint64) uint64 { return index(v>>32)<<32 | index(v) })
	d.View(q, "tail", index)
	d.View(q, "next", index)
	d.Rotate(q, "slots", func() int { return int(r.steal()) & (capacity - 1) })
	// The owner's buffer is empty between calls and made when it is needed.
	d.Ignore(q, "batch")
	// Each change of head moves an index on, so it repeats after 2^32 pops at the
	// earliest: WrapSafe says what that asks for.
	d.Fresh(q, "head")
	return r
}

func (r *ring) steal() uint32 { return uint32(r.head() >> 32) }
func (r *ring) real() uint32  { return uint32(r.head()) }

func (r *ring) visible() int { return int(uint32(r.tail()) - r.real()) }

// find returns at which of its visible indices the ring has a task, counted from
// the oldest, -1 if it has not.
func (r *ring) find(v int) int {
	for i := r.real(); i != uint32(r.tail()); i++ {
		if r.slots[int(i)&(len(r.slots)-1)]() == uint64(v) {
			return int(i - r.real())
		}
	}
	return -1
}

// Ring is the most general client of a ring: its owner pushes and pops, and each
// thief steals into a ring of its own, which it then empties.
func Ring(capacity, thieves int, start uint32) func() {
	return func() {
		d, l := loom.Drive(), &ledger{alone: thieves == 1}
		r := newRing(d, capacity, start)
		d.Root("ring", r.Ring)
		d.Root("ledger", l)
		owner := loom.Go(func() { own(r, l) })
		var all []*loom.Thread
		own := make([]ring, thieves)
		for i := range thieves {
			own[i] = newRing(d, capacity, start)
			all = append(all, loom.Go(func() { thieve(r, own[i], l) }))
			d.Own(all[i], "own", own[i].Ring)
		}
		d.Symmetric(all...)
		d.Progress("LockFree", progressing(owner, all)...)
		r.claims(d, l, owner, all, own)
	}
}

// progressing returns the threads that complete operations whatever the others do.
// A thief that is told busy has completed nothing, and is told so for as long as
// another one sleeps between claim and release: so a second thief is left out.
func progressing(owner *loom.Thread, thieves []*loom.Thread) []*loom.Thread {
	if len(thieves) == 1 {
		return []*loom.Thread{owner, thieves[0]}
	}
	return []*loom.Thread{owner}
}

// own is the owner.
func own(r ring, l *ledger) {
	for {
		loom.Boundary(0)
		l.operate(&r)
	}
}

// operate is one operation of the owner.
func (l *ledger) operate(r *ring) {
	choices := 3
	next := first
	for next < tags && l.pushed[next] {
		next++
	}
	if next == tags {
		choices = 2
	}
	l.owning, l.disturbed = true, l.alone
	switch loom.Choose(choices) {
	case 0:
		if v, ok := r.Pop(); ok {
			l.take(v)
		}
	case 1:
		r.Push(anonymous, l)
	case 2:
		l.pushed[next] = true
		r.Push(next, l)
	}
	l.owning = false
	loom.Completed()
}

// thieve is a thief.
func thieve(r, own ring, l *ledger) {
	for {
		loom.Boundary(0)
		l.steal(&r, &own, 1)
	}
}

// steal is one operation of a thief. Between operations its ring is empty; while it
// empties it, what is left to do is what is in it, and its boundaries have key.
func (l *ledger) steal(r, own *ring, key uint64) {
	l.disturbed = l.alone && l.owning
	v, n, out := r.Stealer().StealInto(own.Ring)
	l.judge(r, n, out)
	if out == queue.Busy {
		return
	}
	if out == queue.Stole {
		l.take(v)
	}
	for range n - 1 {
		loom.Boundary(key)
		v, ok := own.Pop()
		if !ok {
			loom.Failf("NoLostTask", "a steal of %d tasks left fewer than %d in the thief's ring", n, n-1)
		}
		l.take(v)
	}
	loom.Completed()
}

// judge looks at what a steal of a thief with an empty ring has answered. Of the
// only thief, during whose operation the owner has been at rest, it knows what the
// ring had in it: what is left and what it took.
func (l *ledger) judge(r *ring, n int, out queue.Outcome) {
	disturbed := l.disturbed
	l.disturbed = false
	switch {
	case out == queue.NoRoom:
		loom.Failf("BusyIsHonest", "no room, and the thief's ring is empty")
	case n > r.Cap()/2:
		loom.Failf("StealHalf", "a steal took %d tasks, the capacity is %d", n, r.Cap())
	case !l.alone:
	case out == queue.Busy:
		loom.Failf("BusyIsHonest", "busy, and there is no other thief")
	case disturbed:
	case out == queue.Empty && r.visible() > 0:
		loom.Failf("BusyIsHonest", "empty, and %d tasks were visible all the time", r.visible())
	case out == queue.Stole && n != (r.visible()+n+1)/2:
		loom.Failf("StealHalf", "a steal took %d of %d tasks", n, r.visible()+n)
	}
}

// claims says what must hold in every state.
func (r *ring) claims(d *loom.Driver, l *ledger, owner *loom.Thread, thieves []*loom.Thread, rings []ring) {
	d.Always("NoDuplicateTask", func() string {
		for v := first; v < tags; v++ {
			if l.taken[v] > 1 {
				return fmt.Sprintf("task %d has been returned %d times", v, l.taken[v])
			}
		}
		return ""
	})
	d.Always("CapacityFromSteal", func() string {
		if n := uint32(r.tail()) - r.steal(); n > uint32(r.Cap()) {
			return fmt.Sprintf("%d slots between steal and tail, the capacity is %d", n, r.Cap())
		}
		return ""
	})
	quiet := func() bool {
		for _, t := range thieves {
			if !resting(d, t) {
				return false
			}
		}
		return resting(d, owner)
	}
	d.Always("NoRetention", func() string {
		if !quiet() {
			return ""
		}
		for i := uint32(r.tail()); i != r.steal()+uint32(r.Cap()); i++ {
			if v := r.slots[int(i)&(r.Cap()-1)](); v != none {
				return fmt.Sprintf("a slot that is free has task %d", v)
			}
		}
		return ""
	})
	d.Always("NoLostTask", func() string {
		if !quiet() {
			return ""
		}
		for v := first; v < tags; v++ {
			if l.pushed[v] && l.taken[v] == 0 && r.find(v) < 0 {
				return fmt.Sprintf("task %d is nowhere, and nobody is at work", v)
			}
		}
		return ""
	})
	d.Always("FIFO", func() string {
		at := r.find(first)
		if !resting(d, owner) || at < 0 || !l.pushed[second] || l.overflow[second] {
			return ""
		}
		if next := r.find(second); next < at {
			return fmt.Sprintf("task %d was pushed first and has not left, and task %d has or stands before it", first, second)
		}
		return ""
	})
}

// resting reports whether a thread is between two operations.
func resting(d *loom.Driver, t *loom.Thread) bool {
	key, at := d.At(t)
	return at && key&255 == 0
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
