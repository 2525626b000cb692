package explore

import (
	"fmt"

	"github.com/filch-sched/filch/loom/internal/machine"
)

// Shard is a share of the traces of a body: number I of N, from 1. The shares of
// one N are disjoint and all traces together. N is 0 if there is but one.
type Shard struct{ I, N int }

// A share is a set of prefixes: beginnings of executions, with a number of forks
// that is the same for all. They are the nodes at one depth of the tree that the
// search with sleep sets would walk through, each with the threads that sleep
// there. Of the executions of a trace exactly one has no step that sleeps; it
// begins with one of the prefixes, and so the trace belongs to one share.
//
// Below a prefix the optimal search begins as if nobody slept, but of a changed
// program: a thread that sleeps at the prefix must not take its next step before
// another has taken one that conflicts with it. The traces of the changed program
// are those of the share. It is like any other with steps that have to wait: that
// a step conflicts with those that it waits for is what the search asks of them,
// and whether a step can be moved before another is looked at as for the steps
// that wait for a lock (optimal_block.go). If only such threads could go on, the
// trace that the execution is the beginning of belongs to another share.
//
// Wrong: to let it begin with the threads that sleep at the prefix asleep. Whoever
// sleeps does so because another branch takes the step first, and that all that
// could follow is run there, or by reversals that are found there and inserted
// here: they never are, that branch being another's. On readers(8), of 256 traces
// 131 are left.

// prefixes are what a share is divided into: at least so many for each, if there
// are.
const (
	prefixesPerShard = 32
	deepestPrefix    = 48 // counted in decisions between several threads or outcomes
)

// divide returns the prefixes of a share.
func divide(body func(), opts Options) ([]guide, error) {
	s := opts.Shard
	if s.I < 1 || s.I > s.N {
		return nil, fmt.Errorf("loom: shard %d/%d is not one of 1/%[2]d to %[2]d/%[2]d", s.I, s.N)
	}
	var all []guide
	for depth := 1; len(all) < prefixesPerShard*s.N && depth <= deepestPrefix; depth++ {
		var err error
		if all, err = prefixes(body, opts, depth); err != nil {
			return nil, err
		}
	}
	var mine []guide
	for i, g := range all {
		if i%s.N == s.I-1 {
			mine = append(mine, g)
		}
	}
	return mine, nil
}

// fringe is the search with sleep sets down to a depth.
type fringe struct {
	sleepSets
	depth int
	found []guide
}

func (f *fringe) step(pt *point) bool {
	if f.p.forks(len(f.p.points)-1) < f.depth {
		return f.sleepSets.step(pt)
	}
	if pt.enabled&^pt.asleep != 0 {
		f.found = append(f.found, f.p.prefix(len(f.p.points)-1, pt.asleep))
	}
	return false
}

// forks returns how many of the first n decisions were between several threads or
// outcomes.
func (p *path) forks(n int) (forks int) {
	for i := range p.points[:n] {
		if pt := &p.points[i]; pt.n > 1 || pt.enabled&(pt.enabled-1) != 0 {
			forks++
		}
	}
	return forks
}

// prefixes returns the beginnings of all executions, with the given number of
// forks or, of those that end before, whole.
func prefixes(body func(), opts Options, depth int) ([]guide, error) {
	p := &path{opts: Options{MaxSteps: opts.MaxSteps, KeepGoing: true, Failed: opts.Failed}, body: body}
	f := &fringe{sleepSets: sleepSets{p}, depth: depth}
	p.by = f
	p.m = machine.New(p)
	p.m.MaxSteps, p.m.GoOn = opts.MaxSteps, true
	defer p.m.Close()
	for more := true; more; more = f.back(true) {
		p.run()
		if p.err == nil {
			p.err = p.m.Err
		}
		if p.err != nil {
			return nil, p.err
		}
		if !p.blocked { // the execution has ended
			f.found = append(f.found, p.prefix(p.depth, 0))
		}
	}
	return f.found, nil
}

// prefix returns the first n decisions as a guide.
func (p *path) prefix(n int, asleep uint64) guide {
	g := guide{floor: n, asleep: asleep}
	for i := range p.points[:n] {
		pt := &p.points[i]
		g.points = append(g.points, guided{thread: pt.thread, n: pt.n, value: pt.value})
	}
	return g
}

// gate returns the threads that must not take their step after the first n points.
func (p *path) gate(n int) uint64 {
	if _, ok := p.by.(*optimal); n == 0 || !ok {
		return 0
	}
	if n == p.guide.floor {
		return p.guide.asleep
	}
	pt := &p.points[n-1]
	if pt.n > 0 || pt.gate == 0 {
		return pt.gate
	}
	var gate uint64
	for z := range threads(pt.gate) {
		if p.effects[pt.effects+z].Independent(pt.effect) {
			gate |= 1 << z
		}
	}
	return gate
}

// elsewhere reports whether the execution that has just ended is of a trace of
// another share.
func (p *path) elsewhere() bool {
	return p.guide.floor > 0 && p.depth > p.guide.floor && p.gate(p.depth) != 0
}

// behindGate reports whether decision j, number n of its thread, is the first step of a thread that had to
// wait for a conflict.
func (r *order) behindGate(j int, n int32) bool {
	floor := r.o.p.guide.floor
	if floor == 0 || j < floor {
		return false
	}
	pt := &r.o.p.points[j]
	return r.o.p.guide.asleep>>pt.thread&1 != 0 && pt.n == 0 && n == r.start(floor)[pt.thread]+1
}

// open reports whether the last step of s may be taken where s ends.
func (o *optimal) open(s *sequence, f *mover) bool {
	pt := &o.p.points[s.i]
	if pt.gate>>f.thread&1 == 0 || s.has(f.thread) {
		return true
	}
	e := o.p.effects[pt.effects+f.thread]
	return o.clashes(s, e.Object, e.Mode)
}
