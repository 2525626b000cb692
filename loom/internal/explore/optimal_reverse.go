package explore

import (
	"math/bits"

	"github.com/filch-sched/filch/loom/internal/machine"
)

// mover is a step that is to be tried earlier than it came: the second of a
// race, or one that a thread still waits to take when the execution has ended.
type mover struct {
	thread int
	code   machine.Code
	object int32
	mode   machine.Mode // in the execution; of a sequence: there
	delta  int64
	past   []int32 // what it depends on but for conflicts of its own
	at     int     // the decision, -1 if it has not been taken
}

// sequence is an order of steps that could come after the first i points of the
// path: the decisions of the execution that are not in from and are in to, which
// come in the order of the execution, and then last, if it is there. As branches
// of a tree take steps of it, from grows.
type sequence struct {
	i        int
	from, to []int32
	last     mover
	moved    bool // last is there
	sure     bool // its mode is known, and not only assumed

	// The branches that were followed, and the threads of those that are not
	// decisions of the execution.
	walked []branch
	beyond uint64

	// What probes have found out about the objects of branches.
	seen []seenBranch
}

// seenBranch is the object of a branch, by its number in the execution.
type seenBranch struct{ branch, object int32 }

// reverseAll deals with all that the execution has shown.
func (r *order) reverseAll() {
	for i := range r.races {
		if r.o.p.expired(r.n) {
			return
		}
		if c := &r.races[i]; !c.settled {
			c.settled = r.o.reverse(int(c.first), r.mover(int(c.second)))
		}
	}
	for _, j := range r.odd {
		if r.o.p.expired(r.n) {
			return
		}
		if pt := &r.o.p.points[j]; pt.n > 0 {
			r.o.others(int(j), pt)
		} else {
			r.o.unblock(r.mover(int(j)))
		}
	}
	r.o.waiting()
}

// mover returns step j as one to be tried earlier.
func (r *order) mover(j int) mover {
	pt := &r.o.p.points[j]
	return mover{pt.thread, pt.code, pt.effect.Object, pt.effect.Mode, pt.delta, r.past(j), j}
}

// without sets to to the decisions that do not depend on decision i.
func (r *order) without(i int, to []int32) { r.cut(i, r.start(i), to) }

// cut sets to to the decisions in from and those that do not depend on
// decision i. None in from does.
func (r *order) cut(i int, from, to []int32) {
	e, li := r.o.p.points[i].thread, r.local[i]
	for t, n := range from {
		// The decisions of t from number n on, until the first that depends on i.
		list := r.of[t]
		low, high := int(n), len(list)
		for low < high {
			mid := int(uint(low+high) / 2)
			if r.clock(int(list[mid]))[e] >= li {
				high = mid
			} else {
				low = mid + 1
			}
		}
		to[t] = int32(low)
	}
}

// sequence prepares o.work for an order that begins after the first i points.
func (o *optimal) sequence(i int) *sequence {
	s, w := &o.work, o.order.width
	s.i, s.beyond, s.moved, s.walked, s.seen = i, 0, false, s.walked[:0], s.seen[:0]
	s.from, s.to = resize(s.from, w, 0), resize(s.to, w, 0)
	copy(s.from, o.order.start(i))
	return s
}

// reverse adds an order in which step f comes before decision i, unless it is
// known. The two race: f does not depend on i by any other way than that they
// conflict.
//
// The order consists of all decisions that do not depend on i, of the whole
// execution and not only of its part before f, and of f. A shorter one might
// leave out the very step that wakes a thread which sleeps at i: that thread
// could then go first, and the order would be taken for known although what
// the whole execution tells is not.
//
// It reports whether the race is settled. That is so if what makes the order
// known comes before f: a thread that sleeps at i and could go first as far as
// that part of s is concerned, for then its first decision depends on nothing
// that can still change; or f itself, which no later step of s can conflict with,
// since that would depend on i by way of f.
func (o *optimal) reverse(i int, f mover) bool {
	s := o.sequence(i)
	o.order.without(i, s.to)
	return o.try(s, f)
}

// try adds the order of s, which lacks f, followed by f. It reports whether it
// is known for a reason that comes before f.
func (o *optimal) try(s *sequence, f mover) (settled bool) {
	if s.i < o.p.guide.floor {
		return false // another share's
	}
	if !o.open(s, &f) {
		return false
	}
	s.last, s.moved = f, true
	s.sure = o.effect(s)
	if known, settled := o.known(s); known {
		return settled && s.last.mode == f.mode
	}
	if o.p.err == nil {
		o.insert(s)
	}
	return false
}

// known reports whether a thread that sleeps before s could go first in it, or
// commutes with all of it: then whatever can follow s has been run in an order
// in which that thread goes first.
//
// It is settled if that is so whatever comes after the last step of s, as long as
// that touches its object as in the execution.
func (o *optimal) known(s *sequence) (yes, settled bool) {
	pt := &o.p.points[s.i]
	for rest := pt.asleep; rest != 0; rest &= rest - 1 {
		z := bits.TrailingZeros64(rest)
		switch {
		case s.has(z):
			if k := s.next(o, z); o.first(s, k) {
				return true, k < s.last.at
			}
		case s.moved && s.last.thread == z:
			if o.lastFirst(s) {
				return true, true
			}
		case !o.meets(s, o.p.effects[pt.effects+z]):
			return true, false
		}
	}
	return false, false
}

// has reports whether s has decisions of thread t, the last step apart.
func (s *sequence) has(t int) bool { return s.from[t] < s.to[t] }

// next returns the first decision of thread t in s.
func (s *sequence) next(o *optimal, t int) int { return int(o.order.of[t][s.from[t]]) }

// first reports whether decision k of s depends on no other of s.
func (o *optimal) first(s *sequence, k int) bool {
	return within(o.order.clock(k), s.from, o.p.points[k].thread)
}

// within reports whether the row a is in b, but for the decisions of thread t.
func within(a, b []int32, t int) bool {
	b = b[:len(a)]
	for i, v := range a {
		if v > b[i] && i != t {
			return false
		}
	}
	return true
}

// lastFirst reports whether the last step of s depends on no other of s. All
// earlier decisions of its thread have been taken out.
func (o *optimal) lastFirst(s *sequence) bool {
	l := &s.last
	if !within(l.past, s.from, -1) {
		return false
	}
	if !s.sure && o.clashes(s, l.object, l.mode) && !o.clashes(s, l.object, machine.Read) {
		o.ask(s)
	}
	return !o.clashes(s, l.object, l.mode)
}

// meets reports whether an effect conflicts with a step of s.
func (o *optimal) meets(s *sequence, e machine.Effect) bool {
	if o.clashes(s, e.Object, e.Mode) {
		return true
	}
	l := &s.last
	if s.moved && !s.sure && e.Object == l.object && e.Independent(machine.Effect{Object: l.object, Mode: machine.Read}) {
		o.ask(s)
	}
	return s.moved && !e.Independent(machine.Effect{Object: l.object, Mode: l.mode})
}

// clashes reports whether there is a decision in s, its last step apart, that
// conflicts with a step on object in mode.
func (o *optimal) clashes(s *sequence, object int32, mode machine.Mode) bool {
	r, e := &o.order, machine.Effect{Object: object, Mode: mode}
	for k := int(r.last[object]); k >= s.i; {
		pt := &o.p.points[k]
		if e.Independent(pt.effect) {
			k = int(r.skip[k]) // so are those of its mode before it
			continue
		}
		if n := r.local[k]; n > s.from[pt.thread] && n <= s.to[pt.thread] {
			return true
		}
		k = int(r.prev[k])
	}
	return false
}

// others adds the outcomes of choice j that have not been run. The outcome
// depends on nothing that comes later, so it is put first.
func (o *optimal) others(j int, pt *point) {
	if j < o.p.guide.floor {
		return
	}
	var in outcomes
	for v := range pt.n {
		if pt.has(v) {
			continue
		}
		if in.at == nil {
			in = o.outcomes(pt)
		}
		if o.p.expired(o.order.width) {
			return
		}
		s := o.sequence(j)
		o.order.without(j, s.to)
		if known, _ := o.known(s); !known && o.insertOutcome(s, pt, v, &in) {
			pt.try(v)
		}
	}
}
