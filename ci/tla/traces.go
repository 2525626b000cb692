package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/filch-sched/filch/ci/tla/tlc"
	"github.com/filch-sched/filch/tla"
	"github.com/filch-sched/filch/tla/trace"
)

// The configurations of module SchedTrace: for runs of the code, which also checks the
// claims, and for runs that must be rejected.
const (
	traceConfig  = "traces/SchedTrace.cfg"
	brokenConfig = "traces/SchedTraceBroken.cfg"
)

// plants are bugs in ci/mutants whose runs must be rejected. The first few are
// planted in every run, all in nightly ones.
var plants = []string{
	"sched-silent-refill", "sched-notify-first", "idle-no-chain", "idle-no-look", "park-token-stays",
	"sched-victim-left-out", "sched-inject-last", "sched-lifo-uncapped", "idle-last-searcher-only", "idle-wake-all-unlisted",
}

const plantsAtOnce = 5

// tracing checks that recorded runs are behaviours of Sched, and that falsified ones
// and those of wrong code are not.
type tracing struct {
	tlc    tlc.TLC
	root   string
	tmp    string
	out    io.Writer
	runs   int
	events int
	wrong  int // runs that were rejected, as they must be
	failed []string
	seen   map[string]bool // names of steps that were explained
}

// traces does what tracing says, and returns figures.
func traces(ctx context.Context, t tlc.TLC, root, set string, out io.Writer) (figures string, err error) {
	tmp, err := os.MkdirTemp("", "filch-traces-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(tmp)
	x := &tracing{tlc: t, root: root, tmp: tmp, out: out, seen: map[string]bool{}}
	fmt.Fprintf(out, "%-34s %-34s %10s %6s %8s\n", "recorded runs", "result", "steps", "runs", "CPU s")
	good, err := x.recorder(ctx, "")
	if err != nil {
		return "", err
	}
	if err := x.right(ctx, good, set); err != nil {
		return "", err
	}
	if err := x.falsified(ctx, good); err != nil {
		return "", err
	}
	planted := plants[:plantsAtOnce]
	if set == tla.Nightly {
		planted = plants
	}
	for _, name := range planted {
		if err := x.planted(ctx, name); err != nil {
			return "", err
		}
	}
	if len(x.failed) > 0 {
		return "", fmt.Errorf("recorded runs: %s", strings.Join(x.failed, "; "))
	}
	return fmt.Sprintf("%d recorded runs of %d steps explained, %d wrong ones rejected", x.runs, x.events, x.wrong), nil
}

func (x *tracing) recorder(ctx context.Context, mutant string) (*trace.Recorder, error) {
	dir := filepath.Join(x.tmp, "code"+mutant)
	if err := os.Mkdir(dir, 0o755); err != nil {
		return nil, err
	}
	return trace.NewRecorder(ctx, x.root, mutant, dir)
}

// right has runs of the code explained: one with some 100,000 steps on the machine,
// and executions that package loom draws.
func (x *tracing) right(ctx context.Context, r *trace.Recorder, set string) error {
	seed := uint64(time.Now().UnixNano() % 1_000_000)
	executions := 20
	if set == tla.Nightly {
		executions = 1000
	}
	long, err := r.Machine(ctx, 4, 2_700, seed)
	if err != nil {
		return err
	}
	if err := x.explain(ctx, fmt.Sprintf("machine, 4 workers, seed %d", seed), []trace.Trace{long}); err != nil {
		return err
	}
	for _, workers := range []int{2, 3} {
		var all []trace.Trace
		for _, algorithm := range []string{"random", "pct"} {
			drawn, err := r.Drawn(ctx, algorithm, workers, 4+workers, executions, seed, false)
			if err != nil {
				return err
			}
			all = append(all, drawn...)
		}
		if err := x.explain(ctx, fmt.Sprintf("drawn, %d workers, seed %d", workers, seed), all); err != nil {
			return err
		}
	}
	for _, name := range trace.Names {
		if !x.seen[name] {
			x.failed = append(x.failed, "no run has a step "+name)
		}
	}
	return nil
}

// explain demands that every run is a behaviour of Sched.
func (x *tracing) explain(ctx context.Context, what string, runs []trace.Trace) error {
	all, cpu, err := x.tlc.Trace(ctx, traceConfig, runs)
	if err != nil {
		return err
	}
	result, steps, why := "explained", 0, ""
	for i, e := range all {
		steps += len(runs[i].Steps)
		if e.Why != "" {
			result, why = "FAILED", why+x.rejection(runs[i], e)
			x.failed = append(x.failed, what)
		}
		for _, s := range runs[i].Steps[:e.Steps] {
			x.seen[s.Name] = true
		}
	}
	x.runs += len(runs)
	x.events += steps
	x.row(what, result, steps, len(runs), cpu)
	fmt.Fprint(x.out, why)
	return nil
}

func (x *tracing) row(what, result string, steps, runs int, cpu time.Duration) {
	fmt.Fprintf(x.out, "%-34s %-34s %10d %6d %8.1f\n", what, result, steps, runs, cpu.Seconds())
}

// rejection says where a run was rejected.
func (x *tracing) rejection(run trace.Trace, e tlc.Explained) string {
	s := run.Steps[e.Steps]
	return fmt.Sprintf("    line %d of %s: no action explains %v\n    %s\n", s.Line, filepath.Base(run.File), s, e.Why)
}

// falsified demands that runs which were falsified are rejected where they are.
func (x *tracing) falsified(ctx context.Context, r *trace.Recorder) error {
	good, err := r.Drawn(ctx, "random", 3, 24, 8, 1, false)
	if err != nil {
		return err
	}
	var wrong []trace.Corrupted
	for _, run := range good { // not every one has a place for all
		if wrong, err = trace.Corruptions(run); err == nil {
			break
		}
	}
	if err != nil {
		return err
	}
	var runs []trace.Trace
	for _, c := range wrong {
		runs = append(runs, c.Run)
	}
	all, cpu, err := x.tlc.Trace(ctx, brokenConfig, runs)
	if err != nil {
		return err
	}
	for i, c := range wrong {
		want, got := c.Run.Steps[c.At].Line, "no line"
		if all[i].Why != "" {
			got = fmt.Sprintf("line %d", c.Run.Steps[all[i].Steps].Line)
		}
		result := "rejected at " + got
		if all[i].Why == "" || all[i].Steps != c.At {
			result = fmt.Sprintf("FAILED, want line %d, got %s", want, got)
			x.failed = append(x.failed, c.Name)
		}
		x.row(c.Name, result, len(c.Run.Steps), 1, cpu/time.Duration(len(wrong)))
	}
	x.wrong += len(wrong)
	return nil
}

// planted demands that runs of wrong code are rejected: at least one of those that are
// drawn, since not every one comes to where the code is wrong.
func (x *tracing) planted(ctx context.Context, mutant string) error {
	r, err := x.recorder(ctx, mutant)
	if err != nil {
		return err
	}
	runs, err := r.Drawn(ctx, "random", 3, 9, 8, 1, true)
	if err != nil {
		return err
	}
	all, cpu, err := x.tlc.Trace(ctx, brokenConfig, runs)
	if err != nil {
		return err
	}
	rejected, steps, why := 0, 0, ""
	for i, e := range all {
		steps += len(runs[i].Steps)
		if e.Why == "" {
			continue
		}
		if rejected++; rejected == 1 {
			s := runs[i].Steps[e.Steps]
			why = fmt.Sprintf("    run %d, line %d: no action explains %v\n", i+1, s.Line, s)
		}
	}
	result := fmt.Sprintf("%d rejected", rejected)
	if rejected == 0 {
		result = "FAILED, none rejected"
		x.failed = append(x.failed, mutant)
	}
	x.wrong += rejected
	x.row("planted: "+mutant, result, steps, len(runs), cpu)
	fmt.Fprint(x.out, why)
	return nil
}
