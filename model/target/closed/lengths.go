package closed

import (
	"math/bits"

	"github.com/filch-sched/filch/loom"
)

// lengths is what the driver of a ring that is asked for its length knows.
type lengths struct {
	ring
	seen uint32 // the lengths that the ring has had since the question began, as bits
}

// Lengths is a ring whose owner pushes while there is room, and pops; somebody else asks
// how long it is, and whether it is empty. The owner does so many operations: a question
// goes round for as long as its answer changes, and remembers what it has seen.
func Lengths(capacity, operations int) func() {
	return func() {
		d := loom.Drive()
		l := &lengths{ring: newRing(d, capacity, 0)}
		d.Root("ring", l.Ring)
		d.Root("seen", &l.seen)
		loom.Go(func() { l.own(operations) })
		loom.Go(l.ask)
	}
}

// own is the owner.
func (l *lengths) own(operations int) {
	for left := operations; left > 0; left-- {
		loom.Boundary(uint64(left))
		if l.visible() == l.Cap() || loom.Choose(2) == 0 {
			l.Pop()
		} else {
			l.Push(anonymous, nil)
		}
		l.note()
	}
}

// note notes the length, with the step that has changed it.
func (l *lengths) note() { l.seen |= 1 << l.visible() }

// ask is whoever asks. What is answered must have been true during the question.
func (l *lengths) ask() {
	for {
		loom.Boundary(0)
		l.seen = 0
		l.note()
		if loom.Choose(2) == 0 {
			if n := l.Stealer().Len(); l.seen>>n&1 == 0 {
				loom.Failf("LenHint", "the length is said to be %d, which it has not been", n)
			}
			continue
		}
		switch empty := l.Stealer().Empty(); {
		case empty && l.seen&1 == 0:
			loom.Failf("LenHint", "the ring is said to be empty, and had %d tasks or more all the time", bits.TrailingZeros32(l.seen))
		case !empty && l.seen == 1:
			loom.Failf("LenHint", "the ring is said to have tasks, and was empty all the time")
		}
	}
}
