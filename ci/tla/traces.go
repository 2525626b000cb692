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
	"github.com/filch-sched/filch/linearizability/plant"
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
	"sched-lifo-uncapped", "sched-victim-left-out", "sched-inject-last", "idle-wake-all-unlisted", "ring-steal-more",
}

const plantsAtOnce = 5

// executions is how many are drawn by each algorithm in a round. There is one round in
// a quick run, and each has its own seed.
const executions = 20

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
	fmt.Fprintf(out, "%-43s %-34s %10s %6s %8s\n", "recorded runs", "result", "steps", "runs", "CPU s")
	good, err := x.recorder(ctx, "")
	if err != nil {
		return "", err
	}
	planted, rounds := plants[:plantsAtOnce], 1
	if set == tla.Nightly {
		planted, rounds = plants, 10
	}
	for range rounds {
		if err := x.right(ctx, good); err != nil {
			return "", err
		}
	}
	if err := x.mistaken(ctx, good, planted); err != nil {
		return "", err
	}
	if len(x.failed) > 0 {
		return "", fmt.Errorf("recorded runs: %s", strings.Join(x.failed, "; "))
	}
	return fmt.Sprintf("%d recorded runs of %d steps explained, %d wrong ones rejected", x.runs, x.events, x.wrong), nil
}

// recorder builds the code, with the planted bug of that name if there is one.
func (x *tracing) recorder(ctx context.Context, mutant string) (*trace.Recorder, error) {
	dir := filepath.Join(x.tmp, "code"+mutant)
	if err := os.Mkdir(dir, 0o755); err != nil {
		return nil, err
	}
	if mutant == "" {
		return trace.NewRecorder(ctx, x.root, "", dir)
	}
	m, err := plant.Find(filepath.Join(x.root, "ci", "mutants"), mutant)
	if err != nil {
		return nil, err
	}
	root, err := filepath.Abs(x.root)
	if err != nil {
		return nil, err
	}
	overlay, err := m.Overlay(root, dir)
	if err != nil {
		return nil, err
	}
	return trace.NewRecorder(ctx, root, overlay, dir)
}

// right has runs of the code explained: one with some 100,000 steps on the machine,
// and executions that package loom draws.
func (x *tracing) right(ctx context.Context, r *trace.Recorder) error {
	seed := uint64(time.Now().UnixNano() % 1_000_000)
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
	fmt.Fprintf(x.out, "%-43s %-34s %10d %6d %8.1f\n", what, result, steps, runs, cpu.Seconds())
}

// rejection says where a run was rejected.
func (x *tracing) rejection(run trace.Trace, e tlc.Explained) string {
	s := run.Steps[e.Steps]
	return fmt.Sprintf("    line %d of %s: no action explains %v\n    %s\n", s.Line, filepath.Base(run.File), s, e.Why)
}

// wrong is a run that must be rejected.
type wrong struct {
	what string // that is wrong
	run  trace.Trace
	at   int // the step that no action explains; -1: any
}

// mistaken demands that runs which were falsified are rejected where they are, and of
// wrong code some of those that are drawn: not every one comes to where it is wrong.
func (x *tracing) mistaken(ctx context.Context, r *trace.Recorder, plants []string) error {
	all, err := falsified(ctx, r)
	if err != nil {
		return err
	}
	for _, mutant := range plants {
		planted, err := x.recorder(ctx, mutant)
		if err != nil {
			return err
		}
		runs, err := planted.Drawn(ctx, "random", mistakenWorkers, 9, 8, 1, true)
		if err != nil {
			return err
		}
		for _, run := range runs {
			all = append(all, wrong{mutant, run, -1})
		}
	}
	var runs []trace.Trace
	for _, w := range all {
		runs = append(runs, w.run)
	}
	said, cpu, err := x.tlc.Trace(ctx, brokenConfig, runs)
	if err != nil {
		return err
	}
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].what == all[0].what {
			n++
		}
		x.reject(all[:n], said[:n], cpu*time.Duration(n)/time.Duration(len(runs)))
		all, said = all[n:], said[n:]
	}
	return nil
}

const mistakenWorkers = 3

// falsified returns a run of the code, falsified in every way.
func falsified(ctx context.Context, r *trace.Recorder) ([]wrong, error) {
	good, err := r.Drawn(ctx, "random", mistakenWorkers, 24, 8, 1, false)
	if err != nil {
		return nil, err
	}
	var corrupted []trace.Corrupted
	for _, run := range good { // not every one has a place for all
		if corrupted, err = trace.Corruptions(run); err == nil {
			break
		}
	}
	var all []wrong
	for _, c := range corrupted {
		all = append(all, wrong{c.Name, c.Run, c.At})
	}
	return all, err
}

// reject judges the runs of one mistake.
func (x *tracing) reject(runs []wrong, said []tlc.Explained, cpu time.Duration) {
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
	x.row(what, result, steps, len(runs), cpu)
}
