package explore

import (
	"slices"

	"github.com/filch-sched/filch/loom/internal/machine"
)

// order is the order in which the decisions of an execution have to come: those
// of a thread one after the other, those whose effects conflict as they did, and
// what machine.Linker reports. It is made anew for each execution, but for what
// the decisions that it shares with the one before depend on.
//
// A set of decisions that has, with each, all that this depends on contains of
// each thread the first few. So it is written as a row of numbers, one for each
// thread. The clock of a decision is the set of those that it depends on, itself
// included.
type order struct {
	o     *optimal
	n     int // decisions
	width int // threads
	kept  int // decisions that are the same as when the order was last made

	local  []int32 // by decision: its number among those of its thread, from 1
	prev   []int32 // by decision: the one before it on the same object, -1: none
	skip   []int32 // by decision: the last one before it on the same object that has another mode, -1: none
	clocks []int32 // by decision, a row: its clock
	pasts  []int32 // by decision, a row: the clock without what comes from its conflicts
	starts []int32 // by decision, a row: all that came before it in the execution
	last   []int32 // by object: the last decision on it, -1: none
	of     [][]int32
	knows  []int32 // by thread, a row: what its next decision depends on
	have   []int32 // a row: all decisions so far

	races []race
	odd   []int32 // decisions that reverseAll looks at besides races
	acc   []int32
	ends  []end
}

// end is what a thread waits to do when the execution has ended.
type end struct {
	code   machine.Code // None if it waits for nothing
	object int32
}

// race is a pair of decisions whose order is to be reversed. It is settled if
// that order is known whatever comes after the second.
type race struct {
	first, second int32
	settled       bool
}

func (r *order) clock(i int) []int32 { return r.clocks[i*r.width : (i+1)*r.width] }
func (r *order) past(i int) []int32  { return r.pasts[i*r.width : (i+1)*r.width] }
func (r *order) start(i int) []int32 { return r.starts[i*r.width : (i+1)*r.width] }
func (r *order) know(t int) []int32  { return r.knows[t*r.width : (t+1)*r.width] }

// join makes a the union of both.
func join(a, b []int32) {
	b = b[:len(a)]
	for i, v := range b {
		if v > a[i] {
			a[i] = v
		}
	}
}

// resize returns s with n elements, of which only the first kept have values
// that matter.
func resize(s []int32, n, kept int) []int32 {
	if cap(s) < n {
		return append(make([]int32, 0, 2*n), s[:kept]...)[:n]
	}
	return s[:n]
}

// reset prepares r for an execution that has ended.
func (r *order) reset() {
	p := r.o.p
	if w := p.m.Threads(); w != r.width {
		r.width, r.kept = w, 0
	}
	r.n = len(p.points)
	n, rows, kept := r.n, r.n*r.width, r.kept*r.width
	r.local, r.prev, r.skip = resize(r.local, n, r.kept), resize(r.prev, n, r.kept), resize(r.skip, n, r.kept)
	r.clocks, r.pasts, r.starts = resize(r.clocks, rows, kept), resize(r.pasts, rows, kept), resize(r.starts, rows, kept)
	r.knows, r.have, r.acc = resize(r.knows, r.width*r.width, 0), resize(r.have, r.width, 0), resize(r.acc, r.width, 0)
	clear(r.knows)
	clear(r.have)
	r.last = resize(r.last, p.m.Objects(), 0)
	for i := range r.last {
		r.last[i] = -1
	}
	for len(r.of) < r.width {
		r.of = append(r.of, nil)
	}
	for t := range r.width {
		r.of[t] = r.of[t][:0]
	}
	for len(r.races) > 0 && int(r.races[len(r.races)-1].second) >= r.kept {
		r.races = r.races[:len(r.races)-1]
	}
	for len(r.odd) > 0 && int(r.odd[len(r.odd)-1]) >= r.kept {
		r.odd = r.odd[:len(r.odd)-1]
	}
	for len(r.ends) < r.width {
		r.ends = append(r.ends, end{})
	}
}

// stuck notes what the threads wait for that wait when the execution ends.
func (r *order) stuck() {
	m := r.o.p.m
	for t := range m.Threads() {
		if th := m.Thread(t); !th.Ended() && th.Pending().Object() >= 0 {
			r.waitsFor(t, th.Pending())
		}
	}
}

func (r *order) waitsFor(t int, op *machine.Op) {
	for len(r.ends) <= t {
		r.ends = append(r.ends, end{})
	}
	r.ends[t] = end{op.Code, op.Object()}
}

// stopped notes the timers that were stopped before they fired.
func (r *order) stopped() {
	for t := range r.width {
		if op := r.o.p.m.Thread(t).Pending(); op.Code == machine.Fire && len(r.of[t]) == 0 {
			r.waitsFor(t, op)
		}
	}
}

// analyse works out the order of the execution that has just ended and adds to
// the trees what it shows to be missing.
func (r *order) analyse() {
	r.reset()
	points, links := r.o.p.points, r.o.p.links
	last := r.lastRun()
	for j := range points {
		for len(links) > 0 && links[0].before <= j {
			r.follow(&links[0])
			links = links[1:]
		}
		if j >= last && slices.Equal(r.know(points[j].thread), r.have) {
			r.n, links = j, nil
			break
		}
		if j < r.kept {
			r.repeat(j, &points[j])
		} else {
			r.decide(j, &points[j])
		}
	}
	for i := range links {
		r.follow(&links[i])
	}
	r.kept = r.n
	r.stopped()
	r.reverseAll()
}

// lastRun returns where the last steps begin that are all of one thread, if it is
// the last one: all threads have ended, and none of them is a timer.
//
// Once that thread knows all that came before, each of these steps depends on all
// decisions before it. So none of them races with anything, none is part of an
// order that leaves out a decision with all that depends on it, and analyse is
// done without them. The body is in that place most often when it looks at what
// its threads have left. A choice is something to deal with all the same, and so
// is a timer that could have fired between the steps; and in a share a step may
// have waited for what it does not conflict with any more.
func (r *order) lastRun() int {
	p := r.o.p
	n := len(p.points)
	if !p.m.Done || p.guide.floor > 0 {
		return n
	}
	for t := range r.width {
		if p.m.Thread(t).Pending().Code == machine.Fire {
			return n
		}
	}
	j := n
	for j > 0 && p.points[j-1].n == 0 && p.points[j-1].thread == p.points[n-1].thread {
		j--
	}
	return j
}

// follow makes one thread know what another one does.
func (r *order) follow(l *link) {
	if l.decisions < 0 {
		join(r.know(l.to), r.know(l.from))
	} else {
		join(r.know(l.to), r.clock(l.decisions-1))
	}
}

// decide gives decision j its place.
func (r *order) decide(j int, pt *point) {
	t := pt.thread
	know := r.know(t)
	copy(r.start(j), r.have)
	copy(r.past(j), know)
	r.prev[j], r.skip[j] = -1, -1
	if pt.n == 0 {
		r.conflicts(j, pt, know)
		i := r.last[pt.effect.Object]
		r.prev[j], r.skip[j] = i, i
		if i >= 0 && r.o.p.points[i].effect.Mode == pt.effect.Mode {
			r.skip[j] = r.skip[i]
		}
	}
	if pt.n > 0 || waits(pt.code) || r.behindGate(j, r.have[pt.thread]+1) {
		r.odd = append(r.odd, int32(j))
	}
	r.local[j] = r.have[t] + 1
	know[t] = r.local[j]
	copy(r.clock(j), know)
	r.count(j, pt)
}

// repeat gives decision j the place that it had.
func (r *order) repeat(j int, pt *point) {
	copy(r.know(pt.thread), r.clock(j))
	r.count(j, pt)
}

// count makes decision j the last so far.
func (r *order) count(j int, pt *point) {
	r.have[pt.thread]++
	r.of[pt.thread] = append(r.of[pt.thread], int32(j))
	if pt.n == 0 {
		r.last[pt.effect.Object] = int32(j)
	}
}

// conflicts makes know include the steps that conflict with step j and come
// before it. Those that are not known by other ways, and of these only the last,
// race with it: no third step forces their order.
func (r *order) conflicts(j int, pt *point, know []int32) {
	points := r.o.p.points
	blocks := waits(pt.code) || r.behindGate(j, r.have[pt.thread]+1)
	for i := r.last[pt.effect.Object]; i >= 0; i = r.prev[i] {
		e := &points[i]
		if e.effect.Mode == pt.effect.Mode && e.effect.Mode != machine.Write {
			i = r.skip[i] // many that commute, such as loads, may follow each other
			if i < 0 {
				break
			}
			e = &points[i]
		}
		if r.local[i] > know[e.thread] && !e.effect.Independent(pt.effect) {
			if !blocks {
				r.races = append(r.races, race{first: i, second: int32(j)})
			}
			join(know, r.clock(int(i)))
		}
		if e.effect.Mode == machine.Write {
			break // it comes after all before it
		}
	}
}
