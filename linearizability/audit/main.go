// Command audit drives filch's production code on all cores, records what every
// operation saw, and judges the histories against the claims.
//
//	go run ./linearizability/audit -duration 10s -report audit.html
//	go run ./linearizability/audit -target ring -threads 4 -ops 1000000 -seed 7
//	go run ./linearizability/audit -plant ring-release-first   # of what the bug is in, unless -target says otherwise
//	go run ./linearizability/audit -perturb -duration 30s      # random delays between the steps of the code, in a build with the tag loom
//	go run ./linearizability/audit -check history.jsonl
//	go run ./linearizability/audit -check calls-and-returns.jsonl -object register # recorded by others, as package pairs describes
//
// The last line of its output is the verdict:
//
//	verdict: clean                    exit status 0
//	verdict: violation CLAIM          exit status 1
//	verdict: inconclusive REASON      exit status 3
//
// A wrong use ends with exit status 2 and without a verdict, and so does a
// history file that is malformed, and a report that cannot be written, which is
// tried first. Inconclusive means that nothing wrong was seen and that too
// little happened at the same time for that to mean anything, or so much that more
// than a tenth of it could not be judged: the page says
// what was needed and what there was. A history file without violations is
// inconclusive if no two of its operations overlap, and so is an audit that was
// ended from outside. (The command go run turns every failure into exit
// status 1.)
//
// The targets are ring, inject, park and sched; parker is another name of park.
//
// A violation is saved as a history, of the operations that prove it and few
// others, in the format that package linearizability describes. The command
// that judges it again is printed.
//
// The audit runs as a child of itself, so that a panic of production code on a
// goroutine of its own, which ends the process, is a violation with a report
// like the others. Who interrupts, terminates or kills the audit ends the child too.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/filch-sched/filch/linearizability"
)

// The exit statuses.
const (
	exitClean = iota
	exitViolation
	exitUsage
	exitInconclusive
)

// config is the flags.
type config struct {
	duration time.Duration
	ops      int64 // 0: until duration is over
	targets  []string
	chosen   bool // the targets were given, and are not the default
	threads  int
	seed     uint64
	report   string
	plant    string
	check    string
	object   string
	json     bool
	perturb  bool
}

// targetNames are the targets in the order in which they are driven.
var targetNames = []string{"ring", "inject", "park", "sched"}

func main() {
	c, err := parse(os.Args[1:], os.Stderr)
	if errors.Is(err, flag.ErrHelp) {
		os.Exit(exitClean)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "audit: %v\n", err)
		os.Exit(exitUsage)
	}
	tied()
	os.Exit(c.run(os.Stdout, os.Stderr))
}

// run does what the flags ask for and returns the exit status.
func (c config) run(stdout, stderr io.Writer) int {
	var code int
	err := c.canReport()
	switch {
	case err != nil:
	case c.plant == "list":
		code, err = listPlants(stdout)
	case c.plant != "" || c.perturb && !tagged():
		code, err = c.runRebuilt(stdout, stderr)
	case c.check != "":
		code, err = c.runCheck(stdout)
	case os.Getenv(stateVar) != "":
		code, err = c.audit(stdout)
	default:
		code, err = c.supervise(stdout, stderr)
	}
	if err != nil {
		fmt.Fprintf(stderr, "audit: %v\n", err)
		return exitUsage
	}
	return code
}

// parse reads the command line.
func parse(args []string, stderr io.Writer) (c config, err error) {
	f := flag.NewFlagSet("audit", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.DurationVar(&c.duration, "duration", 10*time.Second, "drive and judge for this long, all targets together; up to twice as long if little happens at a time")
	f.Int64Var(&c.ops, "ops", 0, "end a target after so many operations, if that is sooner")
	targets := f.String("target", strings.Join(targetNames, ","), "what to audit, with commas between; parker is park")
	f.IntVar(&c.threads, "threads", max(4, min(runtime.GOMAXPROCS(0), maxThreads)), "how many threads drive")
	f.Uint64Var(&c.seed, "seed", 0, "where the random choices begin; 0 takes the time")
	f.StringVar(&c.report, "report", "", "write a page with the verdict to this file")
	f.StringVar(&c.plant, "plant", "", "audit with this planted bug of ci/mutants; list prints those that the audit is to find")
	f.StringVar(&c.check, "check", "", "judge the history in this file and do nothing else")
	f.StringVar(&c.object, "object", "", "what the history of -check is of, if it is pairs of calls and returns and does not say so: register, kv, queue or deque")
	f.BoolVar(&c.perturb, "perturb", false, "delay operations at random inside the code that is audited, in a build with the tag loom, so that windows are wide")
	f.BoolVar(&c.json, "json", false, "print the findings as a line of JSON before the verdict")
	if err := f.Parse(args); err != nil {
		return c, err
	}
	if f.NArg() > 0 {
		return c, fmt.Errorf("%q is not a flag", f.Arg(0))
	}
	f.Visit(func(set *flag.Flag) { c.chosen = c.chosen || set.Name == "target" })
	return c, c.valid(*targets)
}

// maxThreads is how many threads can drive: a history has as many, and four
// more for the workers of a scheduler.
const maxThreads = linearizability.MaxThreads - maxWorkers

// maxDuration is a year: what is worked out of a duration must be one, too.
const maxDuration = 365 * 24 * time.Hour

// valid checks the flags, and splits the list of targets.
func (c *config) valid(targets string) error {
	switch {
	case c.duration <= 0 || c.duration > maxDuration:
		return fmt.Errorf("-duration %v, want more than 0 and at most %v", c.duration, maxDuration)
	case c.ops < 0:
		return fmt.Errorf("-ops %d is negative", c.ops)
	case c.threads < 1 || c.threads > maxThreads:
		return fmt.Errorf("-threads %d, want 1 to %d", c.threads, maxThreads)
	case c.check != "" && (c.plant != "" || c.perturb):
		return errors.New("-check and -plant or -perturb exclude each other")
	case c.object != "" && c.check == "":
		return errors.New("-object says what a history is of, and there is no -check")
	case os.Getenv("LOOM_MODE") != "" && !tagged() && !c.perturb:
		return fmt.Errorf("LOOM_MODE=%s delays nothing in a build without the tag loom; -perturb makes one with it", os.Getenv("LOOM_MODE"))
	case c.check != "" && c.chosen:
		return errors.New("-check and -target exclude each other: the history says what it is of")
	}
	for name := range strings.SplitSeq(targets, ",") {
		if name == "parker" {
			name = "park"
		}
		if c.driver(name) == nil {
			return fmt.Errorf("-target %q, want some of %s", name, strings.Join(targetNames, ","))
		}
		if slices.Contains(c.targets, name) {
			return fmt.Errorf("-target names %s twice", name)
		}
		c.targets = append(c.targets, name)
	}
	if c.seed == 0 {
		c.seed = uint64(time.Now().UnixNano())
	}
	return nil
}

// driver returns the driver of a target, nil if there is none of that name.
func (c *config) driver(name string) driver {
	switch name {
	case "ring":
		return &ringDriver{c.threads}
	case "inject":
		return &injectDriver{c.threads}
	case "park":
		return &parkDriver{c.threads}
	case "sched":
		return &schedDriver{c.threads}
	}
	return nil
}

// canReport reports why the report cannot be written, before anything is done.
// It leaves no file behind, and one that is there as it is.
func (c *config) canReport() error {
	if c.report == "" {
		return nil
	}
	if is, err := os.Stat(c.report); err == nil && c.check != "" {
		if read, err := os.Stat(c.check); err == nil && os.SameFile(is, read) {
			return fmt.Errorf("-report: %s is the file of -check, and would be lost", c.report)
		}
	}
	file, err := os.OpenFile(c.report, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	made := err == nil
	if errors.Is(err, os.ErrExist) {
		file, err = os.OpenFile(c.report, os.O_WRONLY, 0)
	}
	if err == nil {
		err = file.Close()
	}
	if err == nil && made {
		err = os.Remove(c.report)
	}
	if err != nil {
		return fmt.Errorf("-report: %w", err)
	}
	return nil
}
