package sched

import (
	"math/bits"

	"github.com/filch-sched/filch/idle"
	"github.com/filch-sched/filch/queue"
)

// passes is how often a searching worker tries every victim. LIFO slots are
// taken on the last pass only: their owner is most often about to run them.
const passes = 2

// search looks for work at the other workers, if there are not enough doing so
// already, and once more in inject.
func (w *worker) search() *task {
	s := w.s
	if !w.searching {
		if !s.idle.TrySearch() {
			return nil
		}
		w.searching = true
	}
	for pass := 1; pass <= passes; pass++ {
		if t := w.steal(pass == passes); t != nil {
			return t
		}
	}
	t, ok := s.inject.Pop()
	if !ok {
		t, _ = s.late.Pop()
		return t
	}
	w.counts.Injected++
	return t
}

// steal tries every other worker exactly once, the first uniformly at random
// (VictimsCovered).
func (w *worker) steal(slots bool) *task {
	others := len(w.s.workers) - 1
	if others == 0 {
		return nil
	}
	tour := newTour(&w.random, w.s.strides, others)
	for range others {
		v := w.s.workers[other(tour.next(), w.id)]
		t, n, out := v.stealer.StealInto(w.ring)
		if out == queue.Stole {
			w.counts.Steals++
			w.counts.Stolen += uint64(n)
			return t
		}
		if out == queue.Busy {
			w.counts.Busy++
		}
		if slots {
			if t := v.takeLIFO(); t != nil {
				w.counts.Steals++
				w.counts.Stolen++
				return t
			}
		}
	}
	return nil
}

// tour visits each of n places once: from a random one on, by a random stride
// that has no divisor in common with n.
type tour struct{ at, stride, n int }

func newTour(r *random, strides []int, n int) tour {
	return tour{at: r.below(n), stride: strides[r.below(len(strides))], n: n}
}

func (t *tour) next() int {
	at := t.at
	if t.at += t.stride; t.at >= t.n {
		t.at -= t.n
	}
	return at
}

// other numbers the workers but self from 0.
func other(i, self int) int {
	if i < self {
		return i
	}
	return i + 1
}

// pending looks at every source of work that is shared, one after the other:
// inject, late and all rings. LIFO slots are private (see WorkConserving).
func (s *Scheduler) pending() bool {
	if s.queued() {
		return true
	}
	for _, w := range s.workers {
		if !w.stealer.Empty() {
			return true
		}
	}
	return false
}

// queued reports whether there is a task in inject or late.
func (s *Scheduler) queued() bool { return s.inject.Len() > 0 || s.late.Len() > 0 }

// sleep parks the worker, whose own places are empty, until it is woken.
func (w *worker) sleep() {
	s := w.s
	w.rest()
	s.idle.Park(w.id, w.searching, w.pending)
	// Close sets closed, and the end over, and then wakes all that are listed.
	// This worker is listed: either it is woken or these loads see the flag.
	if s.over.Load() { // edge over
		s.idle.WakeWorker(w.id, idle.Shutdown)
	} else if s.closed.Load() && s.drained() { // edge close
		s.end()
	}
	for {
		w.parker.Park()
		up, counted := s.idle.Resume(w.id)
		if up {
			w.searching = counted
			w.wake()
			return
		}
	}
}

// random is xorshift64+ on two 32-bit words (Vigna, "Further scramblings of
// Marsaglia's xorshift generators", 2014, in the small form that Tokio uses).
type random struct{ one, two uint32 }

// newRandom seeds worker id by a step of SplitMix64 (Steele, Lea and Flood,
// "Fast Splittable Pseudorandom Number Generators", 2014): without it seeds that
// differ by little give the same first numbers.
func newRandom(seed uint64, id int) random {
	x := seed + uint64(id+1)*0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	x ^= x >> 31
	r := random{uint32(x >> 32), uint32(x)}
	if r.one|r.two == 0 {
		r.two = 1 // all zero would stay so
	}
	return r
}

// below returns a number from 0 to n-1. Multiplying and keeping the high half
// is uniform to within n/2^32 and needs no division (Lemire, "Fast Random
// Integer Generation in an Interval", 2019).
func (r *random) below(n int) int {
	one, two := r.one, r.two
	one ^= one << 17
	one ^= one >> 7
	one ^= two ^ two>>16
	r.one, r.two = two, one
	hi, _ := bits.Mul32(one+two, uint32(n))
	return int(hi)
}

// coprimes returns the steps that visit all of 0 to n-1 in a cycle.
func coprimes(n int) []int {
	var steps []int
	for i := 1; i <= n && len(steps) < 64; i++ {
		if gcd(i, n) == 1 {
			steps = append(steps, i)
		}
	}
	return steps
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
