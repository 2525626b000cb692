package closed

import (
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

// book is what a driver of rings knows of the tagged tasks.
type book struct {
	pushed  [tags]bool // the push has begun
	taken   [tags]int8 // how often a pop, a steal or an overflow has returned it
	spilled bool       // an overflow has returned second
}

// next returns the tagged task that is to be pushed next, tags if all have been.
func (b *book) next() int {
	next := first
	for next < tags && b.pushed[next] {
		next++
	}
	return next
}

func (b *book) take(v int) {
	switch {
	case v == none:
		loom.Failf("NoDuplicateTask", "an empty slot was taken: its task has been taken before, or is not there yet")
	case v >= first:
		b.taken[v]++
		b.spilled = b.spilled && v != first
	}
}

// spill is the place that a ring overflows to while its owner pushes v.
type spill struct {
	book *book
	ring *ring
	v    int
	tail uint32 // of the ring before
}

func (b *book) spill(r *ring, v int) spill { return spill{b, r, v, uint32(r.Tail())} }

// Push takes a task that met a thief. The ring asks for it in the step in which it
// has looked for one.
func (s spill) Push(v int) bool {
	switch {
	case v != s.v:
		loom.Failf("OverflowKeepsOldest", "an overflow brought a task alone, and not the one that was pushed")
	case s.ring.Steal() == s.ring.real():
		loom.Failf("OverflowKeepsOldest", "a push has sent its task away alone, and no thief was active")
	}
	s.book.leave(v)
	return true
}

// PushBatch takes half a ring and what was pushed. The ring has taken all its tasks at
// once, and has then given the other half back, at the indices from its tail on.
func (s spill) PushBatch(vs []int) bool {
	half := s.ring.Cap() / 2
	switch {
	case len(vs) != half+1:
		loom.Failf("OverflowKeepsOldest", "an overflow of %d tasks, the capacity is %d", len(vs), 2*half)
	case uint32(s.ring.Tail())-s.tail != uint32(half):
		loom.Failf("OverflowKeepsOldest", "an overflow has given back %d tasks, the capacity is %d", uint32(s.ring.Tail())-s.tail, 2*half)
	case vs[half] != s.v:
		loom.Failf("OverflowKeepsOldest", "the task that was pushed is not the last of an overflow")
	}
	if s.ring.find(none) >= 0 {
		loom.Failf("OverflowKeepsOldest", "an overflow has given back an empty slot")
	}
	one, two := index(vs, first), index(vs, second)
	if one >= 0 && (s.ring.find(second) >= 0 || two >= 0 && two < one) {
		loom.Failf("OverflowKeepsOldest", "an overflow has sent away task %d before task %d, which was pushed later", first, second)
	}
	for _, v := range vs {
		s.book.leave(v)
	}
	return true
}

func (b *book) leave(v int) {
	b.take(v)
	b.spilled = b.spilled || v == second && b.taken[first] == 0
}

func index(vs []int, v int) int {
	for i := range vs {
		if vs[i] == v {
			return i
		}
	}
	return -1
}

// ledger is what the driver of a ring knows.
type ledger struct {
	book
	// Whether the owner is in an operation, and whether it has been in one since
	// the only thief has begun its own.
	owning, disturbed bool
	alone             bool // there is one thief
	answered          bool // busy completes an operation
}

// operate is one operation of the owner.
func (l *ledger) operate(r *ring) {
	choices, next := 3, l.next()
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
		r.Push(anonymous, l.spill(r, anonymous))
	case 2:
		l.pushed[next] = true
		r.Push(next, l.spill(r, next))
	}
	l.owning = false
	loom.Completed()
}

// steal is one operation of a thief. Between operations its ring is empty; while it
// empties it, what is left to do is what is in it, and its boundaries have key.
func (l *ledger) steal(r, own *ring, key uint64) {
	l.disturbed = l.alone && l.owning
	v, n, out := r.Stealer().StealInto(own.Ring)
	r.answers(own, out, l.alone)
	l.halves(r, n, out)
	if out == queue.Busy {
		if l.answered {
			loom.Completed()
		}
		return
	}
	if out == queue.Stole {
		if v == first && own.find(second) >= 0 {
			loom.Failf("FIFO", "a steal brought task %d after task %d, which was pushed later", first, second)
		}
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

// answers looks at what a steal from r has answered, in the step in which it has
// looked for the last time: the code answers nothing that was true earlier only, so
// what is asked for is more than the claim. For the only thief halves does better.
// While another thief is active the two halves of head differ.
func (r *ring) answers(own *ring, out queue.Outcome, alone bool) {
	switch {
	case out == queue.Busy && r.Steal() == r.real():
		loom.Failf("BusyIsHonest", "busy, and no thief is active")
	case out == queue.Empty && r.visible() > 0 && !alone:
		loom.Failf("BusyIsHonest", "empty, and the ring has %d tasks that all can see", r.visible())
	case out == queue.NoRoom && int(uint32(own.Tail())-own.Steal()) <= own.Cap()/2:
		loom.Failf("BusyIsHonest", "no room, and the thief's ring has %d of %d slots taken", uint32(own.Tail())-own.Steal(), own.Cap())
	}
}

// halves looks at how many tasks a steal took, if any. Of the only thief, during whose
// operation the owner has been at rest, it knows what the ring had in it: what is
// left and what it took.
func (l *ledger) halves(r *ring, n int, out queue.Outcome) {
	disturbed := l.disturbed
	l.disturbed = false
	switch {
	case n > r.Cap()/2:
		loom.Failf("StealHalf", "a steal took %d tasks, the capacity is %d", n, r.Cap())
	case !l.alone || disturbed:
	case out == queue.Empty && r.visible() > 0:
		loom.Failf("BusyIsHonest", "empty, and %d tasks were visible all the time", r.visible())
	case out == queue.Stole && n != (r.visible()+n+1)/2:
		loom.Failf("StealHalf", "a steal took %d of %d tasks", n, r.visible()+n)
	}
}
