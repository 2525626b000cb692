package explore

import (
	"fmt"
)

// optimal is dynamic partial order reduction with wakeup trees: one execution
// for each trace, and none that is abandoned.
//
// An execution runs freely to its end. Then its races are looked at: two steps
// of different threads that do not commute, with nothing between them that
// forces their order. For each, an order of steps in which the second comes
// before the first is added to the wakeup tree of the point before the first,
// unless all that could follow it is known: because a thread that sleeps there
// could as well go first, or because the tree has an order that is compatible.
// Of a choice, the other outcomes are added in the same way. Then the search
// goes back to the last point with something left in its tree.
//
// The added order is what matters. It has all steps of the execution that do not
// depend on the first step of the race, also those that came after the second,
// and then the second (order.go, optimal_reverse.go). So whoever sleeps is woken
// by it: that is why no execution is begun that would have to be abandoned.
//
// Abdulla, Aronis, Jonsson, Sagonas: Source Sets: A Foundation for Optimal
// Dynamic Partial Order Reduction, Journal of the ACM 64(4), 2017.
type optimal struct {
	p      *path
	names  roster // of the running execution
	forest forest
	order  order
	work   sequence
	probe  probe
}

func newOptimal(p *path) *optimal {
	o := p.memory.optimal
	if o == nil {
		o = &optimal{names: roster{kinship: &kinship{}}}
		o.order.o = o
	}
	o.p = p
	return o
}

// link is what machine.Linker reports, and before which decision.
type link struct {
	before    int
	from, to  int
	decisions int
}

func (o *optimal) begin() {
	o.names.reset()
	clear(o.order.ends)
}

func (o *optimal) stuck() { o.order.stuck() }

// inherit gives a new point what is left of the tree of the one before it.
func (o *optimal) inherit(pt *point) {
	if n := len(o.p.points) - 1; n > 0 {
		before := &o.p.points[n-1]
		pt.tree, before.then = before.then, 0
	}
}

func (o *optimal) step(pt *point) bool {
	o.inherit(pt)
	if pt.tree != 0 {
		return o.follow(pt)
	}
	awake := pt.enabled &^ pt.asleep
	if awake == 0 {
		return false
	}
	pt.thread = prefer(o.p, awake)
	return true
}

// follow takes the first branch of the tree of a point.
func (o *optimal) follow(pt *point) bool {
	o.names.meet(o.p.m)
	b := o.forest.take(&pt.tree)
	pt.then = b.below
	id := o.names.number(b.name)
	if b.choice >= 0 || id < 0 || pt.enabled&(1<<id) == 0 || o.p.m.Thread(id).Pending().Code != b.code {
		o.bug("thread %d cannot do %v", id, b.code)
		return false
	}
	pt.thread = id
	return true
}

func (o *optimal) choice(pt *point) {
	o.inherit(pt)
	if pt.tree != 0 {
		b := o.forest.take(&pt.tree)
		pt.then, pt.value = b.below, int(b.choice)
		if b.choice < 0 || int(b.choice) >= pt.n {
			o.bug("outcome %d of %d", b.choice, pt.n)
			pt.value = 0
		}
	}
	pt.try(pt.value)
}

// bug ends the search because it has contradicted itself.
func (o *optimal) bug(format string, args ...any) {
	if o.p.err == nil {
		o.p.err = fmt.Errorf("loom: the search is wrong, or the body is not deterministic: after %d decisions, %s (LOOM_ALGO=sleep does without this search)",
			o.p.depth, fmt.Sprintf(format, args...))
	}
}

// try notes that an outcome of the choice is being run.
func (pt *point) try(value int) {
	for len(pt.tried) <= value/64 {
		pt.tried = append(pt.tried, 0)
	}
	pt.tried[value/64] |= 1 << (value % 64)
}

func (pt *point) has(value int) bool {
	return value/64 < len(pt.tried) && pt.tried[value/64]&(1<<(value%64)) != 0
}

func (o *optimal) back(finished bool) bool {
	p := o.p
	if n := len(p.points); n > 0 && p.points[n-1].then != 0 && p.err == nil {
		o.bug("the execution ended in the middle of an order that was to be run")
	}
	if finished {
		o.names.meet(p.m)
		o.order.analyse()
	}
	if p.err != nil {
		return false
	}
	for n := len(p.points); n > p.guide.floor; n-- {
		pt := &p.points[n-1]
		if pt.n == 0 {
			pt.asleep |= 1 << pt.thread
		}
		o.order.kept = min(o.order.kept, n-1)
		if pt.tree != 0 {
			o.turn(pt)
			return p.err == nil
		}
		p.cut(n - 1)
	}
	return false
}

// turn replaces the decision of the last point by the next branch of its tree.
func (o *optimal) turn(pt *point) {
	b := o.forest.take(&pt.tree)
	pt.then = b.below
	if pt.n > 0 {
		if b.choice < 0 || int(b.choice) >= pt.n {
			o.bug("outcome %d of %d", b.choice, pt.n)
			return
		}
		pt.value = int(b.choice)
		pt.try(pt.value)
		return
	}
	id := o.names.number(b.name)
	if id < 0 || (pt.enabled&^pt.asleep)&(1<<id) == 0 {
		o.bug("thread %d is to take a step, but only those of the set %b can", id, pt.enabled&^pt.asleep)
		return
	}
	pt.take(o.p, id)
}
