package explore

import (
	"math"
	"math/rand/v2"

	"github.com/filch-sched/filch/loom/internal/machine"
)

// Guess is about how many traces a program has, roughly. If it were repeated, Low
// and High would enclose the number 9 of 10 times, and of small programs 19 of 20
// times; but if most of the number lies in rare traces, these are easily missed,
// and then all three are too low.
type Guess struct{ Traces, Low, High float64 }

// Estimator estimates how many traces a program has while a search runs them.
//
// It draws nodes of the tree that a search with sleep sets visits, in which the
// end of every trace is exactly one leaf: a leaf counts for the inverse of how
// often it is drawn, and the sum of all in a round is, without bias, the number
// of leaves (Knuth, Estimating the Efficiency of Backtrack Programs, 1975). Most
// leaves end no trace, since all threads sleep there, and are deep. So a round
// goes down with many particles at a time, and every few steps those that are
// worth little give way to copies of those that are worth much, as in a
// particle filter (Chen, Heterogeneous Sampling, 1992, is a kin); what they are
// worth is foreseen from earlier executions.
//
// Traces that the search has run since the estimator listens are known, not
// estimated: of the leaves only those count that it has not run. So the estimate
// gets better as the search goes on and ends at the true number.
type Estimator struct {
	w       *walker
	body    func()
	opts    Options
	longest int // decisions of a random execution
	rounds  []round
	leaves  map[uint64][]leaf // by fingerprint, those that the search has not run
	drawn   int               // leaves
	seen    int               // traces that it has run
	known   census            // their fingerprints
	Runs    int               // executions of the estimator itself
}

// round is one estimate of how many traces the search has not run.
type round struct{ size, left float64 }

// leaf is the end of a trace that a round has drawn.
type leaf struct {
	round  int
	weight float64
}

// Found is a violation that a run of an estimator has met.
type Found struct {
	Failure  machine.Failure
	Schedule Schedule
}

// How a round is made.
const (
	lessons = 100 // random executions, to learn from, before the first
	levels  = 50  // times that particles are exchanged in an execution of common length
)

// NewEstimator returns an estimator for body. Close must be called in the end.
func NewEstimator(body func(), opts Options, seed uint64) *Estimator {
	e := &Estimator{
		w:    &walker{rand: rand.New(rand.NewPCG(seed, 0))},
		body: body, opts: opts, leaves: map[uint64][]leaf{},
	}
	e.known.limit(1 << 20)
	e.w.m = machine.New(e.w)
	e.w.m.MaxSteps, e.w.m.GoOn = opts.MaxSteps, opts.KeepGoing
	return e
}

// Close ends the estimator.
func (e *Estimator) Close() { e.w.m.Close() }

// Saw says that the search has run a trace.
func (e *Estimator) Saw(fingerprint uint64) {
	e.seen++
	e.known.add(fingerprint, e.seen)
	for _, l := range e.leaves[fingerprint] {
		e.rounds[l.round].left -= l.weight
	}
	delete(e.leaves, fingerprint)
}

// Round draws another estimate, with a number of particles. It takes some dozens
// of executions for each of them. If one of them fails the test, that is
// returned.
func (e *Estimator) Round(particles int) *Found {
	if e.opts.Failed != nil && e.opts.Failed() {
		e.opts.Failed = nil // before this round: that is known
	}
	for e.longest == 0 || e.Runs < lessons {
		e.w.roam(e.body)
		if f := e.ran(); f != nil {
			return f
		}
		e.longest = max(e.longest, len(e.w.path), 1)
		e.w.learn()
	}
	pop := make([]particle, particles)
	for i := range pop {
		pop[i].weight = 1 / float64(particles)
	}
	n, left := len(e.rounds), 0.0
	stride := max(1, e.longest/levels)
	var deeper []particle
	for depth := stride; len(pop) > 0; depth += stride {
		deeper = deeper[:0]
		for i := range pop {
			e.w.run(e.body, pop[i], depth)
			if f := e.ran(); f != nil {
				return f
			}
			if e.w.paused {
				deeper = append(deeper, e.w.particle())
			} else if e.w.ended() {
				left += e.leaf(n)
				e.w.learn()
			}
		}
		pop = e.w.exchange(pop, deeper, particles)
	}
	e.rounds = append(e.rounds, round{float64(particles), left})
	return nil
}

// ran accounts for an execution.
func (e *Estimator) ran() *Found {
	e.Runs++
	if e.opts.Failed == nil || !e.opts.Failed() {
		return nil
	}
	return &Found{machine.Failure{Kind: machine.ExitFailure, Thread: -1, Message: failedMeanwhile}, scheduleOf(e.w.path)}
}

// leaf books a leaf of round n and returns what it counts for.
func (e *Estimator) leaf(n int) float64 {
	w := e.w
	e.drawn++
	fingerprint := w.trail.fingerprint(!w.m.Done)
	weight, fresh := e.known.weigh(fingerprint)
	if !fresh {
		return 0
	}
	weight *= w.weight
	e.leaves[fingerprint] = append(e.leaves[fingerprint], leaf{n, weight})
	return weight
}

// The spread of a few rounds says too little of what they all have missed, and most
// if they happen to agree. So an interval is made wider than it would be for normal
// logarithms, and never narrower than some factor to both sides.
const (
	caution  = 1.5
	leastOff = 1.5
)

// Estimate returns the estimate, and false if there is none yet, or if no round has
// come to the end of a trace. traces is how many the search has run, including
// those before the estimator listened.
func (e *Estimator) Estimate(traces int) (Guess, bool) {
	if len(e.rounds) == 0 || e.drawn == 0 {
		return Guess{}, false
	}
	var size, mean, spread float64
	for _, r := range e.rounds {
		size += r.size
		mean += r.size * max(r.left, 0)
	}
	mean /= size
	for _, r := range e.rounds {
		d := r.size / size * (r.left - mean)
		spread += d * d
	}
	n := float64(len(e.rounds))
	few := caution * (1.96 + 3.66/max(n-1, 0.5)) // about Student's
	factor := max(leastOff, math.Exp(few*math.Sqrt(spread*n/max(n-1, 0.5))/max(mean, 1e-9)))
	least := float64(traces)
	total := func(left float64) float64 { return max(float64(e.seen)+left, least) }
	return Guess{total(mean), total(mean / factor), total(mean * factor)}, true
}
