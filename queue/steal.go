package queue

import "fmt"

// Outcome says what StealInto did. Only Stole comes with a task. The others are
// different facts, and a scheduler must not treat one as another: a ring that
// is Busy may have work for everyone.
type Outcome uint8

const (
	// Empty: the victim had no visible task.
	Empty Outcome = iota
	// Stole: one task is returned and the others are in the thief's own ring.
	Stole
	// Busy: another thief was active on the victim.
	Busy
	// NoRoom: more than half of the thief's own ring is taken.
	NoRoom
)

var outcomes = [...]string{"empty", "stole", "busy", "no room"}

// String returns the outcome in words: "empty", "stole", "busy" or "no room".
func (o Outcome) String() string {
	if int(o) < len(outcomes) {
		return outcomes[o]
	}
	return fmt.Sprintf("queue.Outcome(%d)", uint8(o))
}

// Stealer is the thief's side of a ring: what everyone but the owner holds. It
// may be copied and used from any goroutine.
type Stealer[T any] struct{ ring *Ring[T] }

// Stealer returns the thief's side of r. Unlike the other methods it may be
// called by anyone.
func (r *Ring[T]) Stealer() Stealer[T] { return Stealer[T]{r} }

// Len returns the number of tasks that a thief could see, exact at some moment
// during the call (LenHint). Lock-free.
func (s Stealer[T]) Len() int {
	for h := s.ring.head.Load(); ; {
		_, real := unpack(h)
		tail := s.ring.tail.Load() // edge publish: pairs with the stores of tail
		// The owner may have popped and pushed between the two loads, and the
		// difference be a length that never was: look again.
		again := s.ring.head.Load()
		if again == h {
			return int(tail - real)
		}
		h = again
	}
}

// Empty reports whether no task was visible at some moment during the call. It
// says so of a ring in the middle of an overflow too: the owner publishes again
// at once, and whoever relies on Empty must be woken by that publication.
// Wait-free: two loads.
func (s Stealer[T]) Empty() bool {
	_, real := unpack(s.ring.head.Load())
	return s.ring.tail.Load() == real // edge publish: pairs with the stores of tail
}

// StealInto takes the oldest half of the victim's visible tasks, rounded up.
// The caller must own dst, which must not be the victim and must have the same
// capacity: it panics otherwise. If the outcome is [Stole], n is the number of
// tasks taken; v, the last of them, is returned to be run at once and the other
// n-1 are in dst, in order. In every other outcome nothing has changed.
//
// O(n), n at most half the capacity (StealHalf). Lock-free for a single thief;
// a second one is told [Busy] for as long as the first is active.
func (s Stealer[T]) StealInto(dst *Ring[T]) (v T, n int, out Outcome) {
	src := s.ring
	if src == dst {
		panic("queue: StealInto: a ring cannot steal from itself")
	}
	if len(src.slots) != len(dst.slots) {
		panic(fmt.Sprintf("queue: StealInto: from capacity %d to capacity %d", src.Cap(), dst.Cap()))
	}
	// Wrong: counting dst from real. A ring that looks empty can have slots that
	// a thief is still copying. See ci/mutants/ring-room-from-real.txt.
	taken, _ := unpack(dst.head.Load()) // edge release: pairs with the CAS below (S7)
	if dst.next-taken > dst.cap()/2 {
		return v, 0, NoRoom
	}
	first, count, out := s.claim()
	if out != Stole {
		return v, 0, out
	}
	for i := uint32(0); i < count-1; i++ {
		dst.slots[(dst.next+i)&dst.mask].Store(src.take(first + i))
	}
	v = src.take(first + count - 1)
	src.release(first, first+count)
	if count > 1 {
		dst.next += count - 1
		dst.tail.Store(dst.next) // edge publish: pairs with the loads of tail
	}
	return v, int(count), Stole
}

// claim takes the first count tasks from index first on out of the owner's
// reach. They are the caller's until it releases them.
func (s Stealer[T]) claim() (first, count uint32, out Outcome) {
	r := s.ring
	for {
		h := r.head.Load()
		steal, real := unpack(h)
		if steal != real {
			return 0, 0, Busy
		}
		// Head before tail: a tail that is older than head would make the length
		// wrap. See ci/mutants/ring-tail-before-head.txt.
		tail := r.tail.Load() // edge publish: pairs with the stores of tail
		visible := tail - real
		count = visible - visible/2
		if count == 0 {
			return 0, 0, Empty
		}
		if count > r.cap()/2 {
			continue // head is older than tail: the CAS would fail
		}
		if r.head.CompareAndSwap(h, pack(steal, real+count)) { // edge claim: pairs with the other CASes of head
			return real, count, Stole
		}
	}
}

// release ends the caller's claim, which began at index steal, by moving steal
// up to wherever the owner's pops have brought real; at first that is taken to
// be where the claim left it.
//
// Wrong: releasing before the slots are copied. The owner then fills them under
// the copy. See ci/mutants/ring-release-first.txt.
func (r *Ring[T]) release(steal, real uint32) {
	for !r.head.CompareAndSwap(pack(steal, real), pack(real, real)) { // edge release: pairs with the owner's loads of head (P1)
		_, real = unpack(r.head.Load())
	}
}
