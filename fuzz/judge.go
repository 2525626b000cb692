package fuzz

import (
	"errors"
	"slices"
	"time"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/model"
	"github.com/filch-sched/filch/model/target"
)

// judge runs programs on something and says what is wrong.
type judge interface {
	// inOrder performs p one operation after another; its error is nil or a
	// *Failure.
	inOrder(p Program) error
	// concurrent returns what runs the threads of p at the same time, as often as it
	// is called, each time as the options say; its error is nil or a *Failure, whose
	// program has the schedule by which it fails or, if bytes cannot say that, the
	// schedule that is given.
	concurrent(p Program) runner
}

// runner runs one program as the options say.
type runner func(schedule []byte, opts ...loom.Option) (loom.Report, error)

// steered runs by a schedule.
func (run runner) steered(schedule []byte, opts ...loom.Option) (loom.Report, error) {
	return run(schedule, slices.Concat(opts, []loom.Option{loom.Bytes(schedule)})...)
}

// filch judges filch's own packages.
type filch struct{}

// inOrder runs parkers under the tag loom in an exploration, where no time passes.
func (filch) inOrder(p Program) error {
	if !loom.Enabled || p.Scenario.Target != model.Park {
		_, err := InOrder(p)
		return err
	}
	s := p.inOrder()
	if _, err := loom.Explore(target.InOrder(s), loom.Bytes(nil), loom.Deadlock(stranded(s))); err != nil {
		p.Schedule = nil
		return &Failure{Program: p, How: inOrder, Err: err}
	}
	return nil
}

func (filch) concurrent(p Program) runner { return concurrently(p) }

// How often an input of a fuzzer is run with its threads at the same time.
const (
	rounds = 4  // by its schedule
	drawn  = 8  // by others
	lucky  = 8  // on goroutines
	seeded = 20 // on goroutines, of the few inputs that go test has without -fuzz
)

// oneByLuck is how long an input is run on goroutines that is asked for by its name.
const oneByLuck = 2 * time.Second

// once is one input of a fuzzer: p in its order, and then with its threads at the
// same time: without the tag loom a few times on goroutines, or for as long as the
// environment asks for. With it p is run by its
// schedule, each time with the first byte of it less, and by some schedules that are
// drawn. Since a program is worth more than one try: to make it, and what the fuzzer
// itself does for each input, takes as long as some runs. It is p that the draws
// depend on, so that they are the same ones whenever p is run.
func once(j judge, p Program, opts ...loom.Option) error {
	if !manned(p.Scenario.Target) {
		if err := j.inOrder(p); err != nil {
			return err
		}
	}
	run := j.concurrent(p)
	if !loom.Enabled {
		return byLuck(run, p)
	}
	for n := range min(rounds, 1+len(p.Schedule)) {
		if _, err := run.steered(p.Schedule[n:], opts...); err != nil {
			return err
		}
	}
	draw := drawsOf(p)
	for range drawn {
		if _, err := run.steered(few(draw), opts...); err != nil {
			return err
		}
	}
	return nil
}

// byLuck is what once does on goroutines: for longer if the environment says so, or if
// this is the one input that go test is asked for.
func byLuck(run runner, p Program) error {
	d, err := longer()
	if err == nil && d == 0 && oneInput() {
		d = oneByLuck
	}
	if d > 0 && !isSet("test.fuzz") { // a fuzzer gives an input no longer
		if _, f := repeated(run, p.Schedule, d, failureIn); f != nil {
			return f
		}
		return nil
	}
	often := lucky
	if !isSet("test.fuzz") {
		often = seeded
	}
	_, err = run(p.Schedule, loom.Stress(often), loom.Deadline(time.Second))
	return err
}

// thoroughly is once, and then all interleavings that there is time for, or as many runs
// on goroutines. It returns how many.
func thoroughly(j judge, p Program, limit time.Duration) (runs int, err error) {
	if err := once(j, p); err != nil {
		return 0, err
	}
	run := j.concurrent(p)
	if loom.Enabled {
		r, err := run(p.Schedule, loom.Deadline(limit))
		return r.Executions, err
	}
	runs, f := repeated(run, p.Schedule, limit, failureIn)
	if f != nil {
		return runs, f
	}
	return runs, nil
}

// failureIn is the failure that err is, nil if it is none.
func failureIn(err error) *Failure {
	var f *Failure
	if errors.As(err, &f) {
		return f
	}
	return nil
}

// Once runs p as one input of a fuzzer: in its order, and with its threads at the
// same time, under the tag loom by its schedule. The error is nil or a *[Failure].
func Once(p Program) error { return once(filch{}, p) }

// Thoroughly is Once, and then it explores p as [Concurrently] does, for limit at
// the most; without the tag loom for all of it.
func Thoroughly(p Program, limit time.Duration) error {
	_, err := thoroughly(filch{}, p, limit)
	return err
}
