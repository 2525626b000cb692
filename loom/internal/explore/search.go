package explore

import (
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/filch-sched/filch/loom/internal/machine"
)

// Options are the settings of a search.
type Options struct {
	Algorithm string // one of Algorithms, "" for the first
	KeepGoing bool
	Deadline  time.Time // zero: none
	MaxSteps  int
	Most      int         // executions; 0: no limit
	Failed    func() bool // whether the program has failed by other means; may be nil

	// Stuck is called, on another goroutine, when one execution takes longer
	// than Patience, with the stacks of all goroutines: a thread waits for
	// something that is no step. If nil, the program ends with a panic, since a
	// blocked goroutine cannot be ended.
	Stuck    func(stacks string)
	Patience time.Duration // 0: one minute

	// For tests of the search itself.
	NoSleep      bool // "sleep" runs every interleaving, not every trace
	Fingerprints bool // count the different traces
}

// Algorithms are the searches that there are.
var Algorithms = []string{"optimal", "sleep"}

// Result is what a search has seen.
type Result struct {
	Executions, Traces, Blocked, Deadlocks, Races, Failures int
	Steps, MaxDepth, Threads                                int
	Probes                                                  int // beginnings run only to see what a step would do there

	Exhausted bool
	First     *machine.Failure // the first violation
	Schedule  Schedule         // that leads to it
	Err       error            // why the program cannot be explored

	Fingerprints map[uint64]int // runs by trace, if asked for
}

// strategy is what one search does differently from another.
type strategy interface {
	// step chooses the thread of a new point, of those that are enabled and do
	// not sleep. It reports false if no execution needs to go on from there.
	step(p *point) bool
	// choice chooses the outcome of a new point.
	choice(p *point)
	// back changes the last point of the path that is to be changed and forgets
	// those after it. It reports false if there is none.
	back() bool
}

// search is what all searches of all executions have in common.
type search struct {
	path
	by  strategy
	res Result
}

// Search explores body.
func Search(body func(), opts Options) Result {
	s := &search{}
	s.opts = opts
	switch opts.Algorithm {
	case "", "optimal":
		o := &optimal{s: s}
		s.by, s.link, s.probe = o, o.link, o.prober
	case "sleep":
		s.by = &sleepSets{&s.path}
	default:
		return Result{Err: fmt.Errorf("loom: %q is not an algorithm: there are %q", opts.Algorithm, Algorithms)}
	}
	s.strategy = s.by
	s.m = machine.New(&s.path)
	s.m.MaxSteps, s.m.GoOn = opts.MaxSteps, opts.KeepGoing
	defer s.m.Close()
	if opts.Fingerprints {
		s.res.Fingerprints = make(map[uint64]int)
	}
	var runs atomic.Uint64
	defer watch(&runs, opts)()
	for {
		runs.Add(1)
		s.run(body)
		if !s.account() {
			return s.res
		}
		if !s.by.back() {
			s.res.Exhausted = s.err == nil
			s.res.Err = s.err
			return s.res
		}
		if s.late() {
			return s.res
		}
	}
}
