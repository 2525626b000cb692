package explore

import "errors"

// This file is how a search begins again in another way.

// restart begins again with sleep sets alone. A thread has waited in Yield for
// any of several changes, and which of them came first is nobody's business:
// there is no order any more that says what each step depends on, and that is
// what the optimal search is made of. Sleep sets need only to know which steps
// commute.
func (p *path) restart() {
	p.by = &sleepSets{p}
	p.cut(0)
	p.guide, p.share = guide{}, 0
	p.res = Result{Algorithm: "sleep", Ordered: p.m.Ordered}
	if p.opts.Fingerprints {
		p.res.Fingerprints = make(map[uint64]int)
	}
}

// restartOrdered begins again with additions to counters that do not commute.
func (p *path) restartOrdered() {
	algorithm := p.res.Algorithm
	switch p.by.(type) {
	case *optimal:
		p.memory.optimal = nil
		p.by = newOptimal(p)
	case *bounded:
		p.by = newBounded(p)
	}
	p.m.Ordered = true
	p.cut(0)
	p.guide = guide{}
	p.res = Result{Algorithm: algorithm, Ordered: true}
	if p.opts.Fingerprints {
		p.res.Fingerprints = make(map[uint64]int)
	}
}

// draws is how many executions are drawn before additions are taken in order.
const draws = 500

// drawn reports whether one of some executions drawn at random violates something,
// which ends the search if the first violation does. Where additions are disputed
// an execution in so many does, and with many additions in order it can take long
// to come to it. That none of those drawn does says nothing.
func (p *path) drawn() bool {
	if p.opts.KeepGoing || p.opts.Bounded {
		return false
	}
	opts := Options{Deadline: p.opts.Deadline, MaxSteps: p.opts.MaxSteps, Failed: p.opts.Failed}
	s := Sample(p.body, SampleOptions{Options: opts, Algorithm: "random", Runs: draws})
	if s.First == nil {
		return false
	}
	s.Result.Algorithm, s.Result.Ordered, s.Traces = p.res.Algorithm, true, 0
	p.res = s.Result
	return true
}

// errDisputed is why some programs have no shares: these are made before it is
// known that the program is such a one.
var errDisputed = errors.New("loom: in some order of its steps the body takes a WaitGroup or the readers of an RWMutex below zero, or adds to a WaitGroup at zero that is waited for: such a body can be explored only as a whole, not in shares")
