// Command tla runs TLC on the models of filch's TLA+ specifications and compares
// what it finds with the manifest, to the last state.
//
//	go run ./ci/tla [quick|nightly] [-run REGEX] [-dir tla] [-jobs N] [-update]
//	go run ./ci/tla [quick|nightly] -traces [-seed N] [-kind KIND] [-workers N] [-execution N] [FILE...]
//
// quick, the default, runs the small models, all mutants and all witnesses;
// nightly runs the large models as well. -run chooses models by name. -update
// writes the counts that were found into the manifest instead of comparing them,
// and the golden graphs that the code is compared with; a model that ends in
// another way than the manifest says still fails.
//
// Then it records runs of the scheduler, and of rings and of a parker alone, and has TLC
// look whether they are behaviours of the specifications, and whether falsified runs and
// those of wrong code are not; see package trace. -traces does nothing else, and -run leaves it out.
//
// Of a run that is rejected it prints the steps before, and a command that judges it
// again: for an execution that package loom has drawn, one with the seed and all that
// chooses it; for one on the machine's processors, which no seed gives again, one with a
// FILE that its record is kept in, in the folder for temporary files.
//
// It needs Java, and Maven to fetch TLC once: the jar is looked for in filch's
// folder of the user's cache and in the local Maven repository first, and its
// hash is checked. TLA2TOOLS=FILE uses another jar, unchecked, and says so.
//
// It prints a line for each model, and ends with one line
//
//	tla: ok, N models, M states, T s
//	tla: FAILED, reason
//
// with exit status 0 or 1. What is missing is a failure that names the command
// that installs it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/filch-sched/filch/ci/tla/tlc"
	"github.com/filch-sched/filch/tla"
	"github.com/filch-sched/filch/tla/bond"
)

func main() {
	// What was begun ends with it, and no file is left.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	figures, err := run(ctx, os.Args[1:], os.Stdout)
	if ctx.Err() != nil {
		err = errInterrupted
	}
	if err != nil {
		fmt.Printf("tla: FAILED, %v\n", err)
		os.Exit(1)
	}
	fmt.Printf("tla: ok, %s\n", figures)
}

var errInterrupted = errors.New("interrupted: nothing is said of what had not ended")

// config is what the command line asks for.
type config struct {
	set    string
	name   *regexp.Regexp
	dir    string
	jobs   int
	update bool
	traces bool
	choice choice // of recorded runs
}

// specifications is the folder of the specifications, from the root of the module.
const specifications = "tla"

const usage = "go run ./ci/tla [quick|nightly] [-run REGEX] [-dir tla] [-jobs N] [-update] or " +
	"go run ./ci/tla [quick|nightly] -traces [-seed N] [-kind KIND] [-workers N] [-execution N] [FILE...]"

// parse reads the command line. The set may stand before or after the flags.
func parse(args []string) (config, error) {
	c := config{set: tla.Quick}
	var name string
	flags := flag.NewFlagSet("tla", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&name, "run", "", "models whose name matches")
	flags.StringVar(&c.dir, "dir", specifications, "folder of the specifications")
	flags.IntVar(&c.jobs, "jobs", runtime.GOMAXPROCS(0), "models at a time")
	flags.BoolVar(&c.traces, "traces", false, "recorded runs only")
	flags.BoolVar(&c.update, "update", false, "write the counts into the manifest")
	c.choice.define(flags)
	var words []string
	for rest := args; len(rest) > 0; {
		if err := flags.Parse(rest); err != nil {
			return c, fmt.Errorf("%w; usage: %s", err, usage)
		}
		if rest = flags.Args(); len(rest) > 0 {
			words, rest = append(words, rest[0]), rest[1:]
		}
	}
	c.choice.dir = c.dir
	if c.traces {
		words, c.choice.files = sets(words)
	}
	if len(words) > 0 {
		c.set = words[0]
	}
	if len(words) > 1 || c.set != tla.Quick && c.set != tla.Nightly {
		return c, fmt.Errorf("the set is quick or nightly, not %q", words)
	}
	if c.jobs < 1 {
		return c, fmt.Errorf("-jobs is %d", c.jobs)
	}
	if c.traces && (name != "" || c.update) {
		return c, errors.New("-traces is of recorded runs, -run and -update are of models")
	}
	var err error
	if c.name, err = regexp.Compile(name); err != nil {
		return c, fmt.Errorf("-run: %w", err)
	}
	return c, c.choice.check(c.traces)
}

// sets divides words into names of sets and of files.
func sets(words []string) (sets, files []string) {
	for _, w := range words {
		if w == tla.Quick || w == tla.Nightly {
			sets = append(sets, w)
		} else {
			files = append(files, w)
		}
	}
	return sets, files
}

// run does what main says and returns the figures of its last line.
func run(ctx context.Context, args []string, w io.Writer) (figures string, err error) {
	begin := time.Now()
	c, err := parse(args)
	if err != nil {
		return "", err
	}
	manifest, err := tla.Load(c.dir)
	if err != nil {
		return "", err
	}
	var models []tla.Model
	var names []string
	for _, m := range manifest.In(c.set) {
		names = append(names, m.Name)
		if c.name.MatchString(m.Name) {
			models = append(models, m)
		}
	}
	if len(models) == 0 {
		return "", fmt.Errorf("no model of the set %s matches %q; there are %s", c.set, c.name, strings.Join(names, ", "))
	}
	java, err := tlc.Tool("java")
	if err != nil {
		return "", err
	}
	jar, err := findJar(w)
	if err != nil {
		return "", err
	}
	tmp, err := os.MkdirTemp("", "filch-tla-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(tmp)
	checker := tlc.TLC{Java: []string{java}, Jar: jar, Specs: c.dir, Limit: limits[c.set]}
	if err := checker.Archive(ctx, quickest(models), tmp); err != nil {
		return "", err
	}
	if !c.traces {
		figures, err = c.check(ctx, checker, manifest, models, w)
		if err != nil {
			return "", err
		}
	}
	if c.name.String() != "" {
		fmt.Fprintln(w, "recorded runs are left out: -run chose a part of the models")
	} else {
		recorded, err := traces(ctx, checker, c, w)
		if err != nil {
			return "", err
		}
		figures += recorded
	}
	return fmt.Sprintf("%s, %d s", figures, int(time.Since(begin).Seconds())), nil
}

// quickest returns a model that takes no longer than any.
func quickest(models []tla.Model) tla.Model {
	return slices.MinFunc(models, func(a, b tla.Model) int { return a.Generated - b.Generated })
}

// check runs the models and returns their figures.
func (c config) check(ctx context.Context, t tlc.TLC, manifest tla.Manifest, models []tla.Model, w io.Writer) (string, error) {
	s := tlc.Session{TLC: t, Jobs: c.jobs, Counts: !c.update, Out: w}
	verdicts := s.Run(ctx, models)
	if c.update {
		if err := update(manifest, c.dir, verdicts); err != nil {
			return "", err
		}
	}
	if ctx.Err() != nil {
		return "", errInterrupted
	}
	if err := sumUp(w, verdicts, c.name.String() == ""); err != nil {
		return "", err
	}
	states, cpu := 0, time.Duration(0)
	for _, v := range verdicts {
		states += v.Output.Distinct
		cpu += v.CPU
	}
	figures := fmt.Sprintf("%d models, %d states, %.0f CPU s", len(verdicts), states, cpu.Seconds())
	if c.name.String() == "" {
		figures += ", "
	}
	return figures, nil
}

// limits bound one model's run, far above what any takes.
var limits = map[string]time.Duration{tla.Quick: 15 * time.Minute, tla.Nightly: 2 * time.Hour}

// covered are the modules whose actions must all be taken by the models together.
var covered = []string{"RingQueue", "Park", "Inject", "Idle"}

// sumUp returns an error if a model failed, or if, all models of a set having
// run, an action was never taken.
func sumUp(w io.Writer, verdicts []tlc.Verdict, all bool) error {
	var failed []string
	var outputs []tlc.Output
	for _, v := range verdicts {
		outputs = append(outputs, v.Output)
		if len(v.Complaints) > 0 {
			failed = append(failed, v.Model.Name)
		}
	}
	if len(failed) > 0 {
		return fmt.Errorf("%d of %d models: %s", len(failed), len(verdicts), strings.Join(failed, " "))
	}
	if !all {
		fmt.Fprintln(w, "whether every action is taken is not judged: -run chose a part of the models")
		return nil
	}
	for _, module := range covered {
		untaken, actions := tlc.Untaken(module, outputs)
		switch {
		case actions == 0:
			return errors.New("TLC's coverage names no action of " + module)
		case len(untaken) > 0:
			return fmt.Errorf("no model takes %s", strings.Join(untaken, " "))
		}
		fmt.Fprintf(w, "all %d actions of %s are taken\n", actions, module)
	}
	return nil
}

// update writes the counts of the models that ended as the manifest says, and the
// golden graphs of bonds.
func update(manifest tla.Manifest, dir string, verdicts []tlc.Verdict) error {
	for _, v := range verdicts {
		if len(v.Complaints) > 0 {
			continue
		}
		for i := range manifest.Models {
			if m := &manifest.Models[i]; m.Name == v.Model.Name {
				m.Generated, m.Distinct, m.Depth = v.Output.Generated, v.Output.Distinct, v.Output.Depth
				m.Seconds = int(v.CPU.Round(time.Second).Seconds())
			}
		}
		if v.Graph == nil || v.Model.Bond != v.Model.Name {
			continue
		}
		source, err := bond.SourceOf(dir, v.Model.Name, v.Model.Module, v.Model.Config)
		if err != nil {
			return err
		}
		if err := (bond.Golden{Source: source, Graph: v.Graph}).Save(dir); err != nil {
			return err
		}
	}
	return manifest.Save(dir)
}
