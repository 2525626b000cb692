package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/filch-sched/filch/ci/tla/tlc"
	"github.com/filch-sched/filch/tla/trace"
)

// machine is how runs are made whose order is the machine's: no seed gives one again.
const machine = "machine"

// choice is which recorded runs are looked at: those of a kind, as rings-pct, with a
// number of workers, and of the executions that are drawn one; or those of files. What
// is not chosen is empty.
type choice struct {
	seed               uint64
	seeded             bool
	kind               string
	workers, execution int
	files              []string
	dir                string // of the specifications, as the command line has it
}

// define adds the flags.
func (c *choice) define(flags *flag.FlagSet) {
	flags.Func("seed", "what recorded runs draw from", func(s string) (err error) {
		c.seed, err = strconv.ParseUint(s, 10, 64)
		c.seeded = true
		return err
	})
	flags.StringVar(&c.kind, "kind", "", "recorded runs of this kind")
	flags.IntVar(&c.workers, "workers", 0, "recorded runs with so many workers")
	flags.IntVar(&c.execution, "execution", 0, "of the executions drawn, this one")
}

// check returns what is wrong with a choice, and draws a seed if none was given.
func (c *choice) check(traces bool) error {
	kinds := map[string]bool{"": true}
	var names []string
	for _, s := range subjects {
		for _, how := range append([]string{machine}, algorithms...) {
			kinds[s.Name+"-"+how] = true
			names = append(names, s.Name+"-"+how)
		}
	}
	switch {
	case !traces && (c.seeded || !c.all()):
		return errors.New("-seed, -kind, -workers and -execution are of recorded runs: they need -traces")
	case len(c.files) > 0 && (c.seeded || c.kind != "" || c.workers != 0 || c.execution != 0):
		return errors.New("the record of a FILE has its own kind, workers and order")
	case !kinds[c.kind]:
		return fmt.Errorf("-kind is %q, not one of %s", c.kind, strings.Join(names, ", "))
	case c.workers < 0:
		return fmt.Errorf("-workers is %d", c.workers)
	case c.execution < 0 || c.execution > executions:
		return fmt.Errorf("-execution is %d, not from 1 to %d", c.execution, executions)
	case c.execution > 0 && !c.seeded:
		return errors.New("-execution needs -seed: each seed has other executions")
	}
	if !c.seeded {
		c.seed = uint64(time.Now().UnixNano() % 1_000_000)
	}
	return nil
}

// all reports whether nothing was left out.
func (c choice) all() bool {
	return c.kind == "" && c.workers == 0 && c.execution == 0 && len(c.files) == 0
}

// String is the choice as it was given.
func (c choice) String() string {
	var all []string
	if c.kind != "" {
		all = append(all, "-kind "+c.kind)
	}
	if c.workers != 0 {
		all = append(all, fmt.Sprintf("-workers %d", c.workers))
	}
	if c.execution != 0 {
		all = append(all, fmt.Sprintf("-execution %d", c.execution))
	}
	return strings.Join(all, " ")
}

// has reports whether runs of a program, made in one way, are among those chosen.
func (c choice) has(subject, how string, workers int) bool {
	return (c.kind == "" || c.kind == subject+"-"+how) && (c.workers == 0 || c.workers == workers) &&
		(c.execution == 0 || how != machine)
}

// executionsOf returns those that are chosen.
func (c choice) executionsOf(runs []trace.Trace) []trace.Trace {
	if c.execution == 0 {
		return runs
	}
	return runs[c.execution-1 : c.execution]
}

// String names a group, with all that its command has.
func (g group) String() string {
	if g.how == "" {
		return filepath.Base(g.runs[0].File)
	}
	return fmt.Sprintf("%s-%s, %d workers, seed %d", g.of.Of.Name, g.how, g.of.Workers, g.of.Seed)
}

// command is the command that looks at a group again, at one execution of it, from 1, or
// at all.
func (c choice) command(g group, execution int) string {
	text := c.begin() + fmt.Sprintf(" -kind %s-%s -workers %d -seed %d", g.of.Of.Name, g.how, g.of.Workers, g.of.Seed)
	if execution > 0 {
		text += fmt.Sprintf(" -execution %d", execution)
	}
	return text
}

// begin is how a command begins.
func (c choice) begin() string {
	if c.dir == "" || c.dir == specifications {
		return "go run ./ci/tla -traces"
	}
	return "go run ./ci/tla -traces -dir " + quoted(c.dir)
}

// quoted makes a path one word of a shell.
func quoted(path string) string {
	if strings.Trim(path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./+:") == "" {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}

// replay returns the command that judges run i of a group again. That of a run on the
// machine is kept in a file for it.
func (x *tracing) replay(r *trace.Recorder, g group, run *trace.Trace, i int) (string, error) {
	switch g.how {
	case "":
		return x.choice.begin() + " " + quoted(run.File), nil
	case machine:
		kept, err := r.Keep(*run, os.TempDir())
		run.File = kept
		return x.choice.begin() + " " + quoted(kept), err
	}
	return x.choice.command(g, max(i+1, x.choice.execution)), nil
}

// again has the runs of files explained.
func (x *tracing) again(ctx context.Context, r *trace.Recorder) error {
	for _, file := range x.choice.files {
		runs, err := r.Recorded(file, nil)
		if err != nil {
			return err
		}
		for _, s := range subjects {
			if s.Subject != runs[0].Of {
				continue
			}
			if err := x.explain(ctx, r, s, []group{{"", trace.Program{}, runs}}); err != nil {
				return err
			}
		}
	}
	return nil
}

// shown is how many of the explained steps before a rejected one are printed.
const shown = 12

// rejection says where a run was rejected: the last steps that were explained, and that
// which was not.
func rejection(run trace.Trace, e tlc.Explained) string {
	var b strings.Builder
	fmt.Fprintf(&b, "    %d steps of %s are explained, the last of them:\n", e.Steps, filepath.Base(run.File))
	for _, s := range run.Steps[max(0, e.Steps-shown):e.Steps] {
		fmt.Fprintf(&b, "      line %-6d %v\n", s.Line, s)
	}
	s := run.Steps[e.Steps]
	fmt.Fprintf(&b, "    line %d of %s: no action explains %v\n    %s\n", s.Line, filepath.Base(run.File), s, e.Why)
	return b.String()
}
