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

// restartPlain begins again without two things that save time.
//
// Nothing is remembered for Yield until some thread calls it. Few programs do, and
// to note what each step looks at and changes takes some twentieth of the time.
// Most that do so do in their first execution.
//
// Steps of a thread that is alone are no decisions. If they are not the same each
// time, the body is not deterministic. To find out which differ they are made
// decisions.
//
// A share, and what a checkpoint has the rest of, is never begun again, so there
// all is done from the beginning.
func (p *path) restartPlain() {
	p.m.NoYield, p.m.Yielded, p.m.Solo, p.err = false, false, false, nil
	p.again(p.m.Ordered)
}

// errUnlike is what is known of a body that was not deterministic before the
// search began again, and after that was.
var errUnlike = errors.New("loom: the body is not deterministic: after the same decisions a thread that was alone has taken other steps, or read other values, than before; " + dependOn)

// restartOrdered begins again with additions to counters that do not commute.
func (p *path) restartOrdered() { p.again(true) }

// again begins again with the same algorithm.
func (p *path) again(ordered bool) {
	algorithm := p.res.Algorithm
	switch p.by.(type) {
	case *optimal:
		p.memory.optimal = nil
		p.by = newOptimal(p)
	case *bounded:
		p.by = newBounded(p)
	}
	p.m.Ordered = ordered
	p.cut(0)
	p.guide = guide{}
	p.res = Result{Algorithm: algorithm, Ordered: ordered}
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
