package explore

import "github.com/filch-sched/filch/loom/internal/machine"

// This file is what the bounded search remembers: which beginnings of executions
// it has come to and what it did there, and the decisions that lead to steps that
// were put off.

// beginning is what equivalent beginnings of executions have in common, and
// others not: the sums of two trails.
type beginning [2]uint64

// ways are the steps from a beginning, by the ranks of their threads: numbers of
// threads differ between equivalent executions. Once the search has been there,
// each step from there is in one of the two. If there are none, it has not.
type ways struct {
	run, due uint64
	born     uint8 // threads there, or ended
}

// ended stands for the number of threads where no step follows: at the end of an
// execution, and before a choice, whose outcomes are all tried.
const ended = 255

// exit is a step of a thread to a beginning.
type exit struct {
	to         beginning
	thread     int8
	rank, born uint8 // of the thread, and how many there are, before it
}

// node is a decision, and those before it.
type node struct {
	from     int32
	object   int32
	n, value int32
	thread   int8
	code     machine.Code
}

// deferred is a step that was put off, from a beginning after the decisions of a
// node.
type deferred struct {
	exit
	at    beginning
	after int32
}

// note keeps the second trail up with the first.
func (b *bounded) note(thread int, e machine.Effect, choice int) {
	b.other.meet(b.p.m)
	b.other.step(thread, e, choice)
}

func (b *bounded) here() beginning { return beginning{b.p.trail.sum, b.other.sum} }

// meet names and ranks the threads that have been started.
func (b *bounded) meet() {
	tr := b.p.trail
	tr.meet(b.p.m)
	b.other.meet(b.p.m)
	if int(b.born) == tr.born {
		return
	}
	b.born = uint8(tr.born)
	for i := range tr.born {
		b.ranks[i] = 0
		for j := range tr.born {
			if tr.names[j] < tr.names[i] {
				b.ranks[i]++
			}
		}
	}
}

// ranked returns the ranks of a set of threads.
func (b *bounded) ranked(set uint64) (ranks uint64) {
	for t := range threads(set) {
		ranks |= 1 << b.ranks[t]
	}
	return ranks
}

// without returns those of a set of threads whose ranks are not in ranks.
func (b *bounded) without(set, ranks uint64) (rest uint64) {
	for t := range threads(set) {
		if ranks&(1<<b.ranks[t]) == 0 {
			rest |= 1 << t
		}
	}
	return rest
}

// arrive notes that the execution has come to a beginning, which has these ways.
func (b *bounded) arrive(at beginning, w ways) {
	if old, seen := b.known[at]; seen && old.born == 0 {
		b.cut--
	}
	b.known[at] = w
}

// exit returns the step of thread t from the last point.
func (b *bounded) exit(pt *point, t int) exit {
	e := b.p.effects[pt.effects+t]
	return exit{
		to:     beginning{b.p.trail.sum + b.p.trail.hash(t, e, 0), b.other.sum + b.other.hash(t, e, 0)},
		thread: int8(t), rank: b.ranks[t], born: b.born,
	}
}

// covered reports whether all that may follow the step is known to be run, or put
// off, so that it need not be taken: whoever is to find out would be given up
// right after it.
func (b *bounded) covered(e *exit) bool {
	w := b.known[e.to]
	switch bit := uint64(1) << e.rank; {
	case w.born == ended:
		return true
	case w.born != e.born: // not known, or threads have other ranks there
		return false
	case (w.run|w.due)&bit != 0: // it goes on
		return w.run&bit != 0
	}
	return w.due&^w.run == 0 // which others may now be for nothing
}

// node returns the node of the first n decisions.
func (b *bounded) node(n int) int32 {
	i := n
	for i > 0 && b.frames[i-1].node == 0 {
		i--
	}
	var at int32
	if i > 0 {
		at = b.frames[i-1].node
	}
	for ; i < n; i++ {
		pt := &b.p.points[i]
		d := node{from: at, object: pt.effect.Object, n: int32(pt.n), value: int32(pt.value), thread: int8(pt.thread), code: pt.code}
		at = int32(len(b.nodes))
		b.nodes = append(b.nodes, d)
		b.frames[i].node = at
	}
	return at
}

// preemptions returns how many preemptions the path has.
func (p *path) preemptions() (n int) {
	last := -1
	for i := range p.points[:p.depth] {
		pt := &p.points[i]
		if pt.n > 0 {
			continue
		}
		if last >= 0 && pt.thread != last && pt.enabled&(1<<last) != 0 {
			n++
		}
		last = pt.thread
	}
	return n
}
