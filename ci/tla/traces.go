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

// tracing checks that recorded runs are behaviours of the specifications, and that
// falsified ones and those of wrong code are not.
type tracing struct {
	tlc    tlc.TLC
	root   string
	tmp    string
	out    io.Writer
	choice choice
	built  map[string]*trace.Recorder // by what is planted
	runs   int
	events int
	wrong  int // runs that were rejected, as they must be
	failed []string
	seen   map[string]bool // names of steps that were explained, after their module's
}

// traces does what tracing says, and returns figures.
func traces(ctx context.Context, t tlc.TLC, c config, out io.Writer) (figures string, err error) {
	tmp, err := os.MkdirTemp("", "filch-traces-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(tmp)
	x := &tracing{tlc: t, root: filepath.Dir(c.dir), tmp: tmp, out: out, choice: c.choice,
		built: map[string]*trace.Recorder{}, seen: map[string]bool{}}
	fmt.Fprintf(out, "%-43s %-34s %10s %6s %8s\n", "recorded runs", "result", "steps", "runs", "CPU s")
	good, err := x.recorder(ctx, "")
	if err != nil {
		return "", err
	}
	if err := x.all(ctx, good, c.set == tla.Nightly); err != nil {
		return "", err
	}
	if len(x.failed) > 0 {
		return "", fmt.Errorf("recorded runs: %s", strings.Join(x.failed, "; "))
	}
	figures = fmt.Sprintf("%d recorded runs of %d steps explained, %d wrong ones rejected", x.runs, x.events, x.wrong)
	return figures, nil
}

// all has all runs looked at that are chosen.
func (x *tracing) all(ctx context.Context, good *trace.Recorder, nightly bool) error {
	if len(x.choice.files) > 0 {
		return x.again(ctx, good)
	}
	rounds := 1
	if nightly && x.choice.all() {
		rounds = 10
	}
	for round := range rounds {
		for _, s := range subjects {
			if err := x.right(ctx, good, s, x.choice.seed+uint64(round)); err != nil {
				return err
			}
		}
	}
	if !x.choice.all() {
		if x.runs == 0 {
			return fmt.Errorf("there is no run of %v", x.choice)
		}
		fmt.Fprintf(x.out, "only runs of %v: whether wrong ones are rejected is not looked at\n", x.choice)
		return nil
	}
	for _, s := range subjects {
		planted := s.plants
		if !nightly {
			planted = s.plants[:s.atOnce]
		}
		if err := x.mistaken(ctx, good, s, planted); err != nil {
			return err
		}
		for _, name := range s.Names {
			if !x.seen[s.Spec+name] {
				x.failed = append(x.failed, fmt.Sprintf("no run of %s has a step %s", s.Name, name))
			}
		}
	}
	return nil
}

// recorder returns the code, with the planted bug of that name if there is one, which
// more than one subject may have.
func (x *tracing) recorder(ctx context.Context, mutant string) (*trace.Recorder, error) {
	r, err := x.built[mutant], error(nil)
	if r == nil {
		r, err = x.build(ctx, mutant)
		x.built[mutant] = r
	}
	return r, err
}

func (x *tracing) build(ctx context.Context, mutant string) (*trace.Recorder, error) {
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

// group is runs of one program, made in one way.
type group struct {
	how  string // machine, or an algorithm; empty of runs that a file has
	of   trace.Program
	runs []trace.Trace
}

// right has runs of the code explained: on the machine, and executions that package loom
// draws. Those that can are in one run of TLC.
func (x *tracing) right(ctx context.Context, r *trace.Recorder, s subject, seed uint64) error {
	var groups []group
	for _, p := range s.machine {
		p.Of, p.Seed = s.Subject, seed
		if x.choice.has(s.Name, machine, p.Workers) {
			run, err := r.Machine(ctx, p)
			if err != nil {
				return err
			}
			groups = append(groups, group{machine, p, []trace.Trace{run}})
		}
	}
	seeds := []uint64{seed}
	if s.sure != 0 && x.choice.all() {
		seeds = append(seeds, s.sure)
	}
	for _, seed := range seeds {
		drawn, err := x.draw(ctx, r, s, seed)
		if err != nil {
			return err
		}
		groups = append(groups, drawn...)
	}
	for len(groups) > 0 {
		n := 1
		for n < len(groups) && s.together(groups[0], groups[n]) {
			n++
		}
		if err := x.explain(ctx, r, s, groups[:n]); err != nil {
			return err
		}
		groups = groups[n:]
	}
	return nil
}

// draw returns the executions that package loom draws with a seed.
func (x *tracing) draw(ctx context.Context, r *trace.Recorder, s subject, seed uint64) (groups []group, err error) {
	for _, p := range s.drawn {
		p.Of, p.Seed = s.Subject, seed
		for _, algorithm := range algorithms {
			if !x.choice.has(s.Name, algorithm, p.Workers) {
				continue
			}
			drawn, err := r.Drawn(ctx, algorithm, p, executions, false)
			if err != nil {
				return nil, fmt.Errorf("%w\nagain: %s", err, x.choice.command(group{algorithm, p, nil}, 0))
			}
			groups = append(groups, group{algorithm, p, drawn})
		}
	}
	return groups, nil
}

// together reports whether two groups go into one run of TLC.
func (s subject) together(a, b group) bool {
	return s.Subject != trace.Sched || a.how != machine && b.how != machine && a.of.Workers == b.of.Workers
}

// explain demands that every run is a behaviour of the specification.
func (x *tracing) explain(ctx context.Context, r *trace.Recorder, s subject, groups []group) error {
	var runs []trace.Trace
	steps := 0
	for i, g := range groups {
		groups[i].runs = x.choice.executionsOf(g.runs)
		for _, run := range groups[i].runs {
			runs, steps = append(runs, run), steps+len(run.Steps)
		}
	}
	said, cpu, err := x.tlc.Trace(ctx, s.config(), runs)
	if err != nil {
		return fmt.Errorf("%w\nagain: %s", err, x.choice.command(groups[0], 0))
	}
	for _, g := range groups {
		if err := x.judge(r, s, g, said[:len(g.runs)], cpu.Seconds()/float64(steps)); err != nil {
			return err
		}
		said = said[len(g.runs):]
	}
	return nil
}

// inFull is of how many rejected runs of a group more is printed than the command.
const inFull = 3

// judge prints the row of a group, and below it what is wrong.
func (x *tracing) judge(r *trace.Recorder, s subject, g group, said []tlc.Explained, each float64) error {
	result, steps, why, bad := "explained", 0, "", 0
	for i, e := range said {
		run := g.runs[i]
		steps += len(run.Steps)
		for _, step := range run.Steps[:e.Steps] {
			x.seen[s.Spec+step.Name] = true
		}
		if e.Why == "" {
			continue
		}
		again, err := x.replay(r, g, &run, i)
		if err != nil {
			return err
		}
		if result = "FAILED"; bad < inFull {
			why += rejection(run, e)
		}
		why += "    again: " + again + "\n"
		bad++
	}
	if bad > 0 {
		x.failed = append(x.failed, g.String())
	}
	x.runs += len(said)
	x.events += steps
	x.row(g.String(), result, steps, len(said), time.Duration(each*float64(steps)*float64(time.Second)))
	fmt.Fprint(x.out, why)
	return nil
}

func (x *tracing) row(what, result string, steps, runs int, cpu time.Duration) {
	fmt.Fprintf(x.out, "%-43s %-34s %10d %6d %8.1f\n", what, result, steps, runs, cpu.Seconds())
}
