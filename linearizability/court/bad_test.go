package court_test

import (
	"sync"
	"sync/atomic"
)

// twice is a queue whose takers look and take in two steps, each atomic: two of
// them can take the same value.
type twice struct {
	mu     sync.Mutex
	values []int
	head   atomic.Int64
}

func (q *twice) put(v int) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.values = append(q.values, v)
	return true
}

func (q *twice) take() (int, bool) {
	at := q.head.Load()
	q.mu.Lock()
	if at >= int64(len(q.values)) {
		q.mu.Unlock()
		return 0, false
	}
	v := q.values[at]
	q.mu.Unlock()
	q.head.Store(at + 1) // should be a compare-and-swap
	return v, true
}

// early is a bounded queue for one putter that publishes a slot before it has
// filled it: a taker that comes between gets what was there before.
type early struct {
	slots      [8]atomic.Int64
	head, tail atomic.Int64
}

func (q *early) put(v int) bool {
	tail := q.tail.Load()
	if tail-q.head.Load() == int64(len(q.slots)) {
		return false
	}
	q.tail.Store(tail + 1) // should come last
	q.slots[tail%int64(len(q.slots))].Store(int64(v))
	return true
}

func (q *early) take() (int, bool) {
	for {
		head := q.head.Load()
		if head == q.tail.Load() {
			return 0, false
		}
		v := q.slots[head%int64(len(q.slots))].Load()
		if q.head.CompareAndSwap(head, head+1) {
			return int(v), true
		}
	}
}

// shards is two queues with locks, used in turn: nothing is lost or doubled, but
// the shards do not keep step.
type shards struct {
	puts, takes atomic.Int64
	parts       [2]struct {
		mu     sync.Mutex
		values []int
	}
}

func (q *shards) put(v int) bool {
	p := &q.parts[q.puts.Add(1)%2]
	p.mu.Lock()
	defer p.mu.Unlock()
	p.values = append(p.values, v)
	return true
}

func (q *shards) take() (int, bool) {
	turn := q.takes.Add(1)
	for i := range int64(2) {
		p := &q.parts[(turn+i)%2]
		p.mu.Lock()
		if len(p.values) > 0 {
			v := p.values[0]
			p.values = p.values[1:]
			p.mu.Unlock()
			return v, true
		}
		p.mu.Unlock()
	}
	return 0, false
}
