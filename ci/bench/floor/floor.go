// Package floor does what the hot paths of filch cannot do without and nothing
// else: the atomic operations that their claims need, and the plain work on the
// words beside them. It is what they are measured against, written out by hand
// without checks, calls or type parameters.
package floor

import (
	"sync"
	"sync/atomic"
)

const pad = 128

// Ring pushes and pops n words: for each one compare-and-swap of head, one store
// of tail, and a slot that is written, read and cleared.
func Ring(n int) (sum uint64) {
	r := new(struct {
		slots [256]uint64
		_     [pad]byte
		head  atomic.Uint64
		_     [pad]byte
		tail  atomic.Uint32
		next  uint32
		_     [pad]byte
	})
	for i := range n {
		r.slots[r.next&255] = uint64(i)
		r.next++
		r.tail.Store(r.next)

		h := r.head.Load()
		if r.head.CompareAndSwap(h, h+1) {
			sum += r.slots[h&255]
			r.slots[h&255] = 0
		}
	}
	return sum
}

// Inject pushes and pops n words under a mutex, storing the length each time.
func Inject(n int) (sum uint64) {
	q := new(struct {
		n   atomic.Int64
		_   [pad]byte
		mu  sync.Mutex
		v   [128]uint64
		at  int
		len int64
		_   [pad]byte
	})
	for i := range n {
		q.mu.Lock()
		q.v[q.at&127] = uint64(i)
		q.len++
		q.n.Store(q.len)
		q.mu.Unlock()

		if q.n.Load() > 0 {
			q.mu.Lock()
			sum += q.v[q.at&127]
			q.at++
			q.len--
			q.n.Store(q.len)
			q.mu.Unlock()
		}
	}
	return sum
}

// Load loads a word n times.
func Load(n int) (sum uint64) {
	w := new(atomic.Uint32)
	for range n {
		sum += uint64(w.Load())
	}
	return sum
}

// Swap swaps a word n times.
func Swap(n int) (sum uint64) {
	w := new(atomic.Uint32)
	for range n {
		sum += uint64(w.Swap(2))
	}
	return sum
}
