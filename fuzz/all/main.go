// Command all runs every native fuzz target of a module, one after the other, each
// for its share of the time: go test -fuzz takes one target of one package.
//
//	go run github.com/filch-sched/filch/fuzz/all -total 10m ./...
//	go run github.com/filch-sched/filch/fuzz/all -each 30s -tags loom -run 'Ring|Park' ./queue ./park
//	go run github.com/filch-sched/filch/fuzz/all -each 30s -loom ./...
//	go run github.com/filch-sched/filch/fuzz/all -list ./...
//
// Packages are as go list takes them, ./... if there are none. It prints a line for
// each target: how long it ran, how many inputs it tried and how many of them were
// interesting. What a failed target says comes after its line, with the input that
// fails and how to run it again. The last line sums up. The exit status is 0 if no
// target failed, 1 if one did, 2 if the call was wrong or there is no target.
//
// With -tags loom inputs decide the order of the steps of code that is built on package
// loom's atomic, sync and cell. With -loom each target runs through go tool loom, and they
// do so of code on package sync, sync/atomic and go statements, too; the module then has
// github.com/filch-sched/filch/loom/cmd/loom among its tools: go get -tool adds it, and the
// requirement of filch that go run needs, which go mod tidy leaves where it is.
//
// With -corpus=DIR what is interesting is kept there from run to run, below the
// name of the package and of the target; without it go's own cache does that.
//
// A target whose time was up in the middle of an input now and then fails for
// nothing but that (golang/go#75804); it is run once more.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"strings"
	"time"
)

type settings struct {
	each, total time.Duration
	tags        string
	run         *regexp.Regexp
	loom        bool
	list        bool
	corpus      string
	packages    []string
}

func main() {
	s, err := parse(os.Args[1:], os.Stderr)
	if err == flag.ErrHelp {
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err == nil {
		var failed int
		if failed, err = s.execute(ctx, os.Stdout); err == nil && failed > 0 {
			stop()
			os.Exit(1)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "all:", err)
		os.Exit(2)
	}
}

// parse reads the command line.
func parse(args []string, out io.Writer) (settings, error) {
	s := settings{packages: []string{"./..."}}
	set := flag.NewFlagSet("all", flag.ContinueOnError)
	set.SetOutput(out)
	set.DurationVar(&s.each, "each", 0, "how long each target runs")
	set.DurationVar(&s.total, "total", 0, "how long all targets run together; 10m if there is no -each")
	set.StringVar(&s.tags, "tags", "", "build `tags`; loom lets inputs decide the order of steps of what is built on package loom's shim")
	set.BoolVar(&s.loom, "loom", false, "run the targets through go tool loom, which has inputs decide the order of steps of plain Go")
	run := set.String("run", "", "only targets whose name matches this `regexp`")
	set.BoolVar(&s.list, "list", false, "list the targets and run none")
	set.StringVar(&s.corpus, "corpus", "", "keep what is interesting in this `directory`")
	if err := set.Parse(args); err != nil {
		return s, err
	}
	var err error
	switch s.run, err = regexp.Compile(*run); {
	case err != nil:
		return s, fmt.Errorf("-run: %w", err)
	case s.each < 0 || s.total < 0:
		return s, fmt.Errorf("a negative time: -each %v -total %v", s.each, s.total)
	case s.each > 0 && s.total > 0:
		return s, fmt.Errorf("-each %v and -total %v: want one of them", s.each, s.total)
	case s.each == 0 && s.total == 0:
		s.total = 10 * time.Minute
	}
	if set.NArg() > 0 {
		s.packages = set.Args()
	}
	return s, nil
}

// least is the shortest time for a target that makes sense: it has to read its
// corpus first.
const least = time.Second

// share is how long each of n targets runs.
func (s settings) share(n int) (time.Duration, error) {
	each := s.each
	if each == 0 {
		each = (s.total / time.Duration(n)).Truncate(time.Millisecond)
	}
	if each < least {
		return 0, fmt.Errorf("%d targets in %v are %v for each, want at least %v", n, s.total, each, least)
	}
	return each, nil
}

// none says that no target was chosen, and which there would be.
func (s settings) none(ctx context.Context) error {
	asked := s.run
	s.run = regexp.MustCompile("")
	all, err := s.targets(ctx)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return fmt.Errorf("there is no fuzz target in %v", s.packages)
	}
	var names []string
	for _, t := range all {
		names = append(names, t.name)
	}
	return fmt.Errorf("no fuzz target matches -run %q in %v; there are %s", asked, s.packages, strings.Join(names, ", "))
}

// execute runs all targets and returns how many failed.
func (s settings) execute(ctx context.Context, out io.Writer) (failed int, err error) {
	targets, err := s.targets(ctx)
	if err != nil {
		return 0, err
	}
	if len(targets) == 0 {
		return 0, s.none(ctx)
	}
	if s.list {
		for _, t := range targets {
			fmt.Fprintf(out, "%s %s\n", t.pkg, t.name)
		}
		return 0, nil
	}
	each, err := s.share(len(targets))
	if err != nil {
		return 0, err
	}
	begin, execs := time.Now(), 0
	for _, t := range targets {
		r := s.fuzz(ctx, t, each)
		if ctx.Err() != nil {
			return failed, fmt.Errorf("interrupted in %s of %s", t.name, t.pkg)
		}
		fmt.Fprintln(out, r.line(t))
		execs += r.execs
		if r.err != nil {
			failed++
			fmt.Fprintf(out, "%s\n", r.out)
		}
	}
	verdict := "ok,"
	if failed > 0 {
		verdict = fmt.Sprintf("FAILED, %d of", failed)
	}
	fmt.Fprintf(out, "all: %s %d targets, %v each, %d inputs, %d s\n", verdict, len(targets), each, execs, int(time.Since(begin).Seconds()))
	return failed, nil
}
