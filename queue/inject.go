package queue

import (
	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/sync"
)

// Inject is an unbounded FIFO queue for any number of goroutines. The zero
// Inject is empty and open. It must not be copied after first use.
//
// After Close it takes no more: a push returns false and the caller keeps its
// tasks (ClosedReturnsTasks). What was pushed before can still be popped.
type Inject[T any] struct {
	// n is the number of tasks. It is written under mu and read by anyone:
	// every operation takes effect when it stores n.
	n atomic.Int64
	_ [lineSize - 8]byte

	mu sync.Mutex
	// The rest is guarded by mu. Blocks run from first, where tasks leave, to
	// last, where they enter; spare is one emptied block kept for reuse.
	closed      bool
	count       int // what n says
	first, last *block[T]
	spare       *block[T]
	_           [lineSize]byte
}

// block is a run of tasks: v[lo:hi] are in the queue.
type block[T any] struct {
	next   *block[T]
	lo, hi int
	v      [blockLen]T
}

// Len returns how many tasks are queued, exact at some moment during the call
// (LenHint). One load.
func (q *Inject[T]) Len() int {
	return int(q.n.Load()) // edge length: pairs with the stores of n
}

// Push appends v. It reports false, and has done nothing, if the queue is
// closed. O(1), under a lock.
func (q *Inject[T]) Push(v T) bool {
	q.mu.Lock()
	if q.closed {
		q.mu.Unlock()
		return false
	}
	q.link(v)
	q.count++
	q.n.Store(int64(q.count)) // edge length: pairs with the loads of n
	q.mu.Unlock()
	return true
}

// PushBatch appends all of vs, in order and with nothing between them. It
// reports false, and has done nothing, if the queue is closed. O(len(vs)),
// under a lock.
func (q *Inject[T]) PushBatch(vs []T) bool {
	q.mu.Lock()
	// Wrong: reading closed before the lock. A task then enters a queue that
	// has been drained. See ci/mutants/inject-closed-outside-lock.txt.
	if q.closed {
		q.mu.Unlock()
		return false
	}
	for _, v := range vs {
		q.link(v)
	}
	q.count += len(vs)
	q.n.Store(int64(q.count)) // edge length: pairs with the loads of n
	q.mu.Unlock()
	return true
}

// Pop removes the oldest task. It reports false if there is none. O(1); an
// empty queue costs one load and no lock.
func (q *Inject[T]) Pop() (v T, ok bool) {
	var one [1]T
	n := q.PopN(one[:])
	return one[0], n == 1
}

// PopN moves the oldest tasks, as many as there are and fit, into dst, and
// returns how many. It panics if dst is empty: that would be to ask for
// nothing and take it for an empty queue. O(len(dst)); an empty queue costs one
// load and no lock.
func (q *Inject[T]) PopN(dst []T) int {
	if len(dst) == 0 {
		panic("queue: PopN into an empty slice")
	}
	if q.n.Load() == 0 { // edge length: pairs with the stores of n
		return 0
	}
	q.mu.Lock()
	n := min(len(dst), q.count)
	for i := range dst[:n] {
		dst[i] = q.unlink()
	}
	q.count -= n
	q.n.Store(int64(q.count)) // edge length: pairs with the loads of n
	q.mu.Unlock()
	return n
}

// Close ends admission. It reports whether this call was the first.
func (q *Inject[T]) Close() (first bool) {
	q.mu.Lock()
	first = !q.closed
	q.closed = true
	q.mu.Unlock()
	return first
}

// link appends v. The caller holds mu.
func (q *Inject[T]) link(v T) {
	b := q.last
	if b == nil || b.hi == blockLen {
		b = q.spare
		q.spare = nil
		if b == nil {
			b = new(block[T])
		}
		if q.last == nil {
			q.first = b
		} else {
			q.last.next = b
		}
		q.last = b
	}
	b.v[b.hi] = v
	b.hi++
}

// unlink removes the oldest task, of at least one, and clears its place
// (NoRetention). The caller holds mu.
func (q *Inject[T]) unlink() T {
	var zero T
	b := q.first
	v := b.v[b.lo]
	b.v[b.lo] = zero
	b.lo++
	if b.lo == b.hi {
		q.first = b.next
		if q.first == nil {
			q.last = nil
		}
		b.next, b.lo, b.hi = nil, 0, 0
		q.spare = b
	}
	return v
}
