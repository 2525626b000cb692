package explore

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/filch-sched/filch/loom/internal/machine"
)

// SampleOptions are the settings of a sampled run.
type SampleOptions struct {
	Options                             // KeepGoing, Deadline, MaxSteps and Failed
	Algorithm  string                   // one of Samplers
	Seed       uint64                   // run i depends on Seed, i, and the runs before it only
	Runs       int                      // how many; 0: until Deadline
	Depth      int                      // of "pct"; 0: DefaultDepth
	Seen       int                      // about how many traces to remember; 0: a few million
	EveryTrace func(fingerprint uint64) // for tests: called after each run that comes to its end

	// Recorded is called after each run, with its number and its trace. nil: there
	// is no trace, which is faster.
	Recorded func(run int, trace []machine.Event) error
}

// DefaultDepth is the depth of pct, one more than the number of times that a
// run takes the turn away from a thread which would go on.
const DefaultDepth = 3

// Sampled is what a sampled run has seen. Its Traces are the different ones.
type Sampled struct {
	Result
	New int // traces that no run before the last tenth of them has seen
}

// sampler decides in one execution after the other.
type sampler interface {
	// begin is called before each execution.
	begin(r *rand.Rand)
	// pick returns one of the enabled threads.
	pick(m *machine.Machine, enabled uint64) int
	// end is called after an execution that came to its end.
	end()
}

// Samplers are the algorithms that Sample knows.
var Samplers = []string{"random", "pct", "urw"}

func newSampler(opts SampleOptions, tr *trail) (sampler, error) {
	switch opts.Algorithm {
	case "random":
		return &uniform{}, nil
	case "pct":
		depth := opts.Depth
		if depth == 0 {
			depth = DefaultDepth
		}
		return &pct{depth: depth}, nil
	case "urw":
		return &walk{trail: tr, families: map[uint64]*family{}}, nil
	}
	return nil, fmt.Errorf("loom: %q is not a sampler: there are %q", opts.Algorithm, Samplers)
}

// sampling is the controller of a sampled run.
type sampling struct {
	opts    SampleOptions
	m       *machine.Machine
	by      sampler
	rand    *rand.Rand
	trail   trail
	did     Schedule
	effects []machine.Effect
	seen    census
	res     Sampled
}

// Sample runs executions of body that an algorithm draws. It never exhausts
// them. Options that concern the search of all executions are ignored, and so is
// what the watcher returns.
func Sample(body func(), opts SampleOptions) Sampled {
	s := &sampling{opts: opts}
	var err error
	if s.by, err = newSampler(opts, &s.trail); err != nil {
		return Sampled{Result: Result{Err: err}}
	}
	s.seen.limit(opts.Seen)
	s.m = machine.New(s)
	s.m.MaxSteps, s.m.GoOn, s.m.Tracing = opts.MaxSteps, opts.KeepGoing, opts.Recorded != nil
	defer s.m.Close()
	for more := true; more && !s.late(); {
		s.rand = rand.New(rand.NewPCG(opts.Seed, uint64(s.res.Executions)))
		s.trail.reset()
		s.did.reset()
		s.by.begin(s.rand)
		s.m.Run(body)
		more = s.account()
		if opts.Watch != nil {
			opts.Watch.Ran(&s.res.Result, false, 0)
		}
	}
	s.res.Traces = s.seen.all()
	s.res.New = s.seen.since(s.res.Executions - s.res.Executions/10)
	return s.res
}

func (s *sampling) late() bool {
	if s.opts.Runs > 0 && s.res.Executions >= s.opts.Runs {
		return true
	}
	return !s.opts.Deadline.IsZero() && s.res.Executions > 0 && time.Now().After(s.opts.Deadline)
}

// account books the execution that has just ended and reports whether to go on.
func (s *sampling) account() bool {
	m, r := s.m, &s.res
	r.Executions++
	r.Steps += m.Steps
	r.MaxDepth = max(r.MaxDepth, m.Steps)
	r.Threads = max(r.Threads, m.Threads())
	if m.Err == nil && s.opts.Recorded != nil {
		m.Err = s.opts.Recorded(r.Executions, m.Trace)
	}
	if m.Err != nil {
		r.Err = m.Err
		return false
	}
	f := failure(m, &s.opts.Options)
	if m.Done && m.Failure == nil || m.Failure != nil && m.Failure.Kind == machine.DeadlockFailure {
		print := s.trail.fingerprint(!m.Done)
		s.seen.add(print, r.Executions)
		if s.opts.EveryTrace != nil {
			s.opts.EveryTrace(print)
		}
		s.by.end()
	}
	if f == nil {
		return true
	}
	if m.Raced {
		r.Races++
	}
	switch f.Kind {
	case machine.DeadlockFailure:
		r.Deadlocks++
	case machine.RaceFailure: // counted
	default:
		r.Failures++
	}
	if r.First == nil {
		did := s.did.clone()
		r.First, r.Schedule = f, &did
	}
	return s.opts.KeepGoing
}

const failedMeanwhile = "the test failed during this execution"

// failure returns what the execution of m that has just ended violated, or nil.
func failure(m *machine.Machine, opts *Options) *machine.Failure {
	switch {
	case opts.Failed != nil && opts.Failed():
		opts.Failed = nil // it stays failed, which says nothing about later ones
		return &machine.Failure{Kind: machine.ExitFailure, Thread: -1, Message: failedMeanwhile}
	case m.Failure == nil && m.Raced: // and the execution went on
		return &machine.Failure{Kind: machine.RaceFailure}
	}
	return m.Failure
}

// Next is part of machine.Controller.
func (s *sampling) Next(m *machine.Machine) *machine.Thread {
	s.trail.meet(m)
	enabled, effects := m.Enabled(s.effects[:0])
	s.effects = effects
	if enabled == 0 {
		m.Deadlock()
		return nil
	}
	id := s.by.pick(m, enabled)
	s.trail.step(id, effects[id], 0)
	s.did.step(id)
	return m.Thread(id)
}

// Choose is part of machine.Controller.
func (s *sampling) Choose(t *machine.Thread, n int) int {
	s.trail.meet(s.m)
	v := s.rand.IntN(n)
	s.trail.step(t.ID(), machine.Effect{Object: -1}, v+1)
	s.did.choose(t.ID(), v)
	return v
}
