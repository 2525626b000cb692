package fuzz

import (
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
	// concurrent runs the threads of p at the same time, as the options say; its
	// error is nil or a *Failure.
	concurrent(p Program, opts ...loom.Option) (loom.Report, error)
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

func (filch) concurrent(p Program, opts ...loom.Option) (loom.Report, error) {
	return concurrently(p, opts...)
}

// rounds is how often an input of a fuzzer is run with its threads at the same time.
const rounds = 4

// once is one input of a fuzzer: p in its order, and then a few times by its
// schedule, each time with the first byte of it less, or without the tag loom on
// goroutines. What the fuzzer itself does for each input takes longer than a run.
func once(j judge, p Program) error {
	if !manned(p.Scenario.Target) {
		if err := j.inOrder(p); err != nil {
			return err
		}
	}
	if !loom.Enabled {
		_, err := j.concurrent(p, loom.Stress(rounds), loom.Deadline(time.Second))
		return err
	}
	for n := range min(rounds, 1+len(p.Schedule)) {
		c := p
		c.Schedule = p.Schedule[n:]
		if _, err := j.concurrent(c, loom.Bytes(c.Schedule)); err != nil {
			return err
		}
	}
	return nil
}

// thoroughly is once, and then all interleavings that there is time for.
func thoroughly(j judge, p Program, limit time.Duration) error {
	if err := once(j, p); err != nil {
		return err
	}
	_, err := j.concurrent(p, loom.Stress(10*loom.DefaultRounds), loom.Deadline(limit))
	return err
}

// Once runs p as one input of a fuzzer: in its order, and with its threads at the
// same time, under the tag loom by its schedule. The error is nil or a *[Failure].
func Once(p Program) error { return once(filch{}, p) }

// Thoroughly is Once, and then it explores p as [Concurrently] does, for limit at
// the most.
func Thoroughly(p Program, limit time.Duration) error { return thoroughly(filch{}, p, limit) }
