package graph

import "sync"

// levels are the states whose edges are to be followed: those that are as far from the
// first as each other, and those found that are one step farther. Workers take from the
// former and meet at their end.
type levels struct {
	mu        sync.Mutex
	met       sync.Cond
	now, next []int32 // stride numbers for each state, in the order of the states' numbers
	base      int32   // the number of the first state of now
	taken     int     // of now
	workers   int
	resting   int // of these, at the end of the level
	turns     int // levels that are done
	over      bool
}

// batch is how many states a worker takes at once.
const batch = 16

func (l *levels) begin(workers int) {
	l.met.L, l.workers = &l.mu, workers
}

// take returns some states of the level, by their places, none if all is done. The
// last worker that comes to the end of a level begins the next.
func (l *levels) take(stride int) (from, to int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for !l.over {
		n := len(l.now) / stride
		if l.taken < n {
			from, to = l.taken, min(l.taken+batch, n)
			l.taken = to
			return from, to
		}
		if l.resting++; l.resting == l.workers {
			l.base += int32(n)
			l.now, l.next = l.next, l.now[:0]
			l.taken, l.resting = 0, 0
			l.turns++
			l.over = len(l.now) == 0
			l.met.Broadcast()
			continue
		}
		for turn := l.turns; turn == l.turns && !l.over; {
			l.met.Wait()
		}
	}
	return 0, 0
}

// done reports whether there is nothing left to do.
func (l *levels) done() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.over
}

// end has all workers come to their end.
func (l *levels) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.over = true
	l.met.Broadcast()
}

// size returns how many bytes the levels take.
func (l *levels) size() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return 4 * (cap(l.now) + cap(l.next))
}
