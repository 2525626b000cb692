package fuzz

import (
	"time"

	"github.com/filch-sched/filch/loom"
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

func (filch) inOrder(p Program) error {
	_, err := InOrder(p)
	return err
}

func (filch) concurrent(p Program, opts ...loom.Option) (loom.Report, error) {
	return concurrently(p, opts...)
}

// rounds is how often an input of a fuzzer is run on goroutines.
const rounds = 4

// once is one input of a fuzzer: p in its order, and then by its schedule or,
// without the tag loom, a few times on goroutines.
func once(j judge, p Program) error {
	if !manned(p.Scenario.Target) {
		if err := j.inOrder(p); err != nil {
			return err
		}
	}
	opts := []loom.Option{loom.Stress(rounds), loom.Deadline(time.Second)}
	if loom.Enabled {
		opts = []loom.Option{loom.Bytes(p.Schedule)}
	}
	_, err := j.concurrent(p, opts...)
	return err
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
