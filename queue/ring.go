package queue

import (
	"fmt"

	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/cell"
)

// MinCapacity and MaxCapacity bound the capacity of a ring, in tasks.
const (
	MinCapacity = 2
	MaxCapacity = 1 << 16
)

// lineSize keeps two hot words off one cache line, and off a pair of lines that
// a prefetcher treats as one.
const lineSize = padding

// Overflow takes what a full ring cannot hold. [*Inject] is one.
//
// Push and PushBatch report whether they took the tasks; the caller keeps what
// they refuse. The slice given to PushBatch is the ring's own, valid during the
// call only.
type Overflow[T any] interface {
	Push(v T) bool
	PushBatch(vs []T) bool
}

// Ring is a bounded FIFO queue with one owner, and thieves that take the oldest
// half. Only the owner may call its methods. The package documentation gives
// the order of steps.
type Ring[T any] struct {
	// slots and mask never change after NewRing. A slot is plain memory: index
	// i belongs to the owner outside [steal, tail), to whoever takes it by a
	// CAS of head inside [real, tail), to the one active thief in [steal, real).
	slots []cell.Cell[T]
	mask  uint32
	_     [lineSize]byte

	// head packs (steal, real). The owner moves real, and steal with it when no
	// thief is active; a thief moves real to claim and steal to release.
	head atomic.Uint64
	_    [lineSize - 8]byte

	// tail is the next index the owner fills. Only the owner writes it; thieves
	// read it. Storing tail hands the slots below it to everyone.
	tail atomic.Uint32
	// next is the owner's copy of tail: a thief never reads it.
	next uint32
	// batch is the owner's buffer for an overflow; empty between calls.
	batch []T
	_     [lineSize - 32]byte
}

// Option changes how NewRing builds a ring.
type Option func(config) config

type config struct{ start uint32 }

// StartAt sets the first index. Indices wrap at 2^32 and nothing depends on
// where they start, which is why tests start just below the wrap.
func StartAt(index uint32) Option { return func(c config) config { c.start = index; return c } }

// NewRing returns an empty ring. The capacity is a power of two from
// [MinCapacity] to [MaxCapacity]; anything else is an error.
func NewRing[T any](capacity int, opts ...Option) (*Ring[T], error) {
	if capacity < MinCapacity || capacity > MaxCapacity || capacity&(capacity-1) != 0 {
		return nil, fmt.Errorf("queue: capacity %d is not a power of two from %d to %d",
			capacity, MinCapacity, MaxCapacity)
	}
	var c config
	for _, o := range opts {
		c = o(c)
	}
	r := &Ring[T]{slots: make([]cell.Cell[T], capacity), mask: uint32(capacity - 1), next: c.start}
	r.head.Store(pack(c.start, c.start))
	r.tail.Store(c.start)
	return r, nil
}

// pack puts the two indices of head into one word, steal above real.
func pack(steal, real uint32) uint64 { return uint64(steal)<<32 | uint64(real) }

func unpack(head uint64) (steal, real uint32) { return uint32(head >> 32), uint32(head) }

func (r *Ring[T]) cap() uint32 { return uint32(len(r.slots)) }

// Cap returns the capacity, in tasks.
func (r *Ring[T]) Cap() int { return len(r.slots) }

// Len returns how many tasks are visible: what Pop and thieves may take. It is
// exact at some moment during the call, and another thread may change it at the
// next. Slots that a thief is still copying do not count. O(1).
func (r *Ring[T]) Len() int {
	_, real := unpack(r.head.Load())
	return int(r.next - real)
}

// Free returns how many tasks a PushBatch may bring: the capacity less the
// visible tasks and less the slots that a thief is still copying. Thieves only
// raise it. O(1).
func (r *Ring[T]) Free() int {
	steal, _ := unpack(r.head.Load()) // edge release: pairs with StealInto's CAS (S7)
	return int(r.cap() - (r.next - steal))
}

// Push appends v. If the ring is full and no thief is active, the newest half
// and v go to over as one batch, in order, and the oldest half stays
// (OverflowKeepsOldest); if a thief is active and about to make room, only v
// goes. What over refuses is returned, and belongs to the caller again; the
// result is nil in every other case.
//
// O(1), but for an overflow, which moves capacity/2 + 1 tasks and is paid for
// by the capacity/2 pushes before the next. Lock-free whatever the thieves do.
func (r *Ring[T]) Push(v T, over Overflow[T]) (refused []T) {
	h := r.head.Load() // edge release: pairs with StealInto's CAS (S7)
	t := r.next
	if steal, _ := unpack(h); t-steal < r.cap() {
		r.append(t, v)
		return nil
	}
	return r.pushFull(h, t, v, over)
}

// append writes v at index t, which has room, and publishes it.
//
// Wrong: storing tail before the slot. A thief then takes an unwritten slot.
// See ci/mutants/ring-publish-first.txt.
func (r *Ring[T]) append(t uint32, v T) {
	r.slots[t&r.mask].Store(v)
	r.next = t + 1
	r.tail.Store(t + 1) // edge publish: pairs with StealInto's tail.Load (S2)
}

// pushFull is Push from the moment a load of head, h, found no room.
func (r *Ring[T]) pushFull(h uint64, t uint32, v T, over Overflow[T]) (refused []T) {
	for ; ; h = r.head.Load() {
		// Wrong: counting capacity from real. The owner then overwrites a slot
		// that a thief is copying. See ci/mutants/ring-capacity-from-real.txt.
		steal, real := unpack(h)
		if t-steal < r.cap() {
			r.append(t, v)
			return nil
		}
		if steal != real {
			// A thief is between claim and release and will free its slots:
			// moving half a ring out would be waste.
			if over.Push(v) {
				return nil
			}
			return []T{v}
		}
		// Here real == steal == t - capacity. Taking every task at once leaves
		// the ring looking empty until overflow has stored the new tail.
		if r.head.CompareAndSwap(h, pack(t, t)) { // edge claim: pairs with the other CASes of head
			return r.overflow(t, v, over)
		}
	}
}

// overflow splits a full ring whose tasks have just all been taken: head is
// (t, t), so index t and the oldest task share a slot, and the oldest half
// becomes visible again at the indices from t on.
//
// Wrong: storing the tail first. A thief with the old head then sees more tasks
// than there are. See ci/mutants/ring-overflow-tail-first.txt.
func (r *Ring[T]) overflow(t uint32, v T, over Overflow[T]) (refused []T) {
	half := r.cap() / 2
	r.next = t + half
	r.tail.Store(t + half) // edge publish: pairs with StealInto's tail.Load (S2)

	// The newest half is beyond tail now, which makes it the owner's.
	if r.batch == nil {
		r.batch = make([]T, 0, half+1)
	}
	batch := r.batch
	for i := half; i < 2*half; i++ {
		batch = append(batch, r.take(t+i))
	}
	batch = append(batch, v)
	if over.PushBatch(batch) {
		clear(batch)
		return nil
	}
	r.batch = nil // the buffer goes to the caller with the tasks
	return batch
}

// take empties the slot of index i, which is the caller's, and returns what was
// in it. A slot forgets its task so that the task can be collected
// (NoRetention).
func (r *Ring[T]) take(i uint32) T {
	var zero T
	c := &r.slots[i&r.mask]
	v := c.Load()
	c.Store(zero)
	return v
}

// PushBatch appends all of vs and publishes them at once. The caller makes sure
// that they fit, by Free: it panics if they do not. O(len(vs)).
func (r *Ring[T]) PushBatch(vs []T) {
	if len(vs) > r.Free() {
		panic(fmt.Sprintf("queue: PushBatch of %d tasks into a ring with room for %d", len(vs), r.Free()))
	}
	if len(vs) == 0 {
		return
	}
	t := r.next
	for i, v := range vs {
		r.slots[(t+uint32(i))&r.mask].Store(v)
	}
	r.next = t + uint32(len(vs))
	r.tail.Store(r.next) // edge publish: pairs with StealInto's tail.Load (S2)
}

// Pop removes the oldest task. It reports false if the ring is empty. O(1), and
// lock-free: a round fails only because a thief claimed or released.
func (r *Ring[T]) Pop() (v T, ok bool) {
	for {
		h := r.head.Load()
		steal, real := unpack(h)
		if real == r.next {
			return v, false
		}
		// While a thief is active steal stays: the slots up to real are its own.
		to := pack(real+1, real+1)
		if steal != real {
			to = pack(steal, real+1)
		}
		if r.head.CompareAndSwap(h, to) { // edge claim: pairs with the other CASes of head
			return r.take(real), true
		}
	}
}
