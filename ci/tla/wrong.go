package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/filch-sched/filch/ci/tla/tlc"
	"github.com/filch-sched/filch/tla/trace"
)

// wrong is a run that must be rejected.
type wrong struct {
	what string // that is wrong
	run  trace.Trace
	at   int // the step that no action explains; -1: any
}

// mistaken demands that runs which were falsified are rejected where they are, and of
// wrong code some of those that are drawn: not every one comes to where it is wrong.
func (x *tracing) mistaken(ctx context.Context, r *trace.Recorder, s subject, plants []string) error {
	all, err := s.falsify(ctx, r)
	if err != nil {
		return err
	}
	for _, mutant := range plants {
		planted, err := x.recorder(ctx, mutant)
		if err != nil {
			return err
		}
		p := s.planted
		p.Of, p.Seed = s.Subject, 1
		runs, err := planted.Drawn(ctx, "random", p, s.draws, true)
		if err != nil {
			return err
		}
		for _, run := range runs {
			all = append(all, wrong{s.Name + ": " + mutant, run, -1})
		}
	}
	var runs []trace.Trace
	steps := 0
	for _, w := range all {
		runs, steps = append(runs, w.run), steps+len(w.run.Steps)
	}
	said, cpu, err := x.tlc.Trace(ctx, s.broken(), runs)
	if err != nil {
		return err
	}
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].what == all[0].what {
			n++
		}
		x.reject(all[:n], said[:n], cpu.Seconds()/float64(steps))
		all, said = all[n:], said[n:]
	}
	return nil
}

// attempts bounds how many runs are recorded until one has a place for every way in
// which it can be falsified.
const attempts = 20

// falsify returns a run of the code, falsified in every way. Of what comes after a
// mistake TLC needs little.
func (s subject) falsify(ctx context.Context, r *trace.Recorder) (all []wrong, err error) {
	var corrupted []trace.Corrupted
	for seed := range uint64(attempts) {
		p := s.falsified
		p.Of, p.Seed = s.Subject, seed+1
		var run trace.Trace
		if s.real {
			run, err = r.Machine(ctx, p)
		} else {
			var drawn []trace.Trace
			if drawn, err = r.Drawn(ctx, "random", p, 1, false); err == nil {
				run = drawn[0]
			}
		}
		if err != nil {
			return nil, err
		}
		if corrupted, err = trace.Corruptions(run); err == nil {
			break
		}
	}
	const after = 50
	for _, c := range corrupted {
		if at := c.At + after; at < len(c.Run.Steps) {
			c.Run.Steps = append(c.Run.Steps[:at:at], trace.Step{Line: c.Run.Steps[at].Line, Name: trace.End, Thread: "-"})
		}
		all = append(all, wrong{s.Name + ": " + c.Name, c.Run, c.At})
	}
	return all, err
}

// reject judges the runs of one mistake.
func (x *tracing) reject(runs []wrong, said []tlc.Explained, each float64) {
	what, steps, rejected, result := runs[0].what, 0, 0, "FAILED, explained to the end"
	for i, e := range said {
		run := runs[i].run
		steps += len(run.Steps)
		if e.Why == "" {
			continue
		}
		s := run.Steps[e.Steps]
		switch rejected++; {
		case runs[i].at >= 0 && runs[i].at != e.Steps:
			result = fmt.Sprintf("FAILED, at line %d, not %d", s.Line, run.Steps[runs[i].at].Line)
		case rejected == 1:
			result = fmt.Sprintf("rejected at line %d, %s", s.Line, s.Name)
		}
	}
	if strings.HasPrefix(result, "FAILED") {
		x.failed = append(x.failed, what)
	}
	x.wrong += rejected
	x.row(what, result, steps, len(runs), time.Duration(each*float64(steps)*float64(time.Second)))
}
