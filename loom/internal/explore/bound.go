package explore

import (
	"fmt"
	"math/bits"
)

// bounded is the search of all executions with a bounded number of preemptions:
// steps that are not of the thread that took the step before, although that
// could have gone on.
//
// Reduction and a bound do not mix well: of the executions of one trace, the one
// that a search with sleep sets or wakeup trees runs may be over the bound when
// another is not, and an order that it does not try since it has been tried
// elsewhere may there have been cut off. So this is a search of all schedules.
// What makes it fast is that it goes on only once from equivalent beginnings.
// Two orders of the same steps that differ only in the order of steps that
// commute lead to one state; if the same thread took the last step, what can
// follow costs the same as well; and if the one that comes later has not spent
// fewer preemptions, then all that the bound allows it to go on with, it allows
// the other. So nothing is lost: a trace is met if any of its executions keeps
// to the bound. The same trace may be met by executions that end with another
// thread; it is counted once.
//
// Iterative context bounding: Musuvathi and Qadeer, PLDI 2007. Why a bound makes
// partial order reduction unsound: Coons, Musuvathi, McKinley, Bounded Partial-
// Order Reduction, OOPSLA 2013.
type bounded struct {
	p    *path
	most int
	seen map[uint64]int32 // by beginning and last thread: the fewest preemptions
	ends map[uint64]bool  // traces
}

// most is how many beginnings, and how many traces, are remembered: some hundred
// megabytes each.
const mostRemembered = 1 << 23

func newBounded(p *path) *bounded {
	return &bounded{p: p, most: p.opts.Bound, seen: map[uint64]int32{}, ends: map[uint64]bool{}}
}

func (b *bounded) begin() {}
func (b *bounded) stuck() {}

func (b *bounded) step(pt *point) bool {
	p := b.p
	pt.spent = b.spent(len(p.points) - 1)
	pt.asleep = 0 // those that have been tried
	going, last := uint64(0), -1
	if t := p.m.Last(); t != nil {
		last = t.ID()
		going = pt.enabled & (1 << last)
	}
	// What follows depends on the thread that took the last step only in what it
	// costs.
	key := p.trail.sum
	if going != 0 {
		key += mix(p.trail.names[last])
	}
	if least, ok := b.seen[key]; ok && least <= pt.spent {
		return false
	}
	if len(b.seen) < mostRemembered {
		b.seen[key] = pt.spent
	}
	pt.thread = prefer(p, pt.enabled)
	pt.free = going == 0
	return true
}

// spent returns the preemptions of the first n decisions of the path.
func (b *bounded) spent(n int) int32 {
	for n--; n >= 0; n-- {
		if pt := &b.p.points[n]; pt.n == 0 {
			if pt.costs() {
				return pt.spent + 1
			}
			return pt.spent
		}
	}
	return 0
}

// costs reports whether the decision is a preemption: the first thread tried at
// a point where one is going on is that one.
func (pt *point) costs() bool { return !pt.free && pt.asleep != 0 }

func (b *bounded) choice(*point) {}

func (b *bounded) back(bool) bool {
	p := b.p
	for n := len(p.points); n > 0; n-- {
		pt := &p.points[n-1]
		switch {
		case pt.n > 0:
			if pt.value++; pt.value < pt.n {
				return true
			}
		default:
			pt.asleep |= 1 << pt.thread
			rest := pt.enabled &^ pt.asleep
			if rest != 0 && (pt.free || int(pt.spent) < b.most) {
				pt.take(p, bits.TrailingZeros64(rest))
				return true
			}
		}
		p.cut(n - 1)
	}
	return false
}

// again reports whether an execution with this fingerprint has been counted,
// and notes that it has now.
func (b *bounded) again(fingerprint uint64) bool {
	if b.ends[fingerprint] {
		return true
	}
	if len(b.ends) == mostRemembered {
		b.p.err = fmt.Errorf("loom: more than %d traces with at most %d preemptions: more than the search can tell apart", mostRemembered, b.most)
	}
	b.ends[fingerprint] = true
	return false
}
