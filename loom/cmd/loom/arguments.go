package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"
)

// arguments are the command line, taken apart.
type arguments struct {
	explore *regexp.Regexp // nil: chosen by loom
	bound   time.Duration
	backend string
	track   bool
	run     string // of go test's -run

	goFlags  []string // go test's own flags but -tags, -overlay and -C, as given
	build    []string // those of them that concern the build
	kept     []string // those of them that a replay needs, too
	patterns []string // packages
	rest     []string // for the test binary
	tags     []string
	overlay  string
	dir      string // of -C
	compile  bool   // -c: nothing is run
	cover    bool   // the coverage is measured
}

var errUsage = errors.New("usage")

// parse takes the command line apart, without the name of the command.
func parse(args []string, output io.Writer) (*arguments, error) {
	a := &arguments{}
	fs := flag.NewFlagSet("loom", flag.ContinueOnError)
	fs.SetOutput(output)
	fs.Usage = func() { fmt.Fprint(output, usage) }
	explore := fs.String("explore", "", "")
	fs.DurationVar(&a.bound, "for", 10*time.Second, "")
	fs.StringVar(&a.backend, "backend", "overlay", "")
	fs.BoolVar(&a.track, "track", true, "")
	if err := fs.Parse(args); err != nil {
		return nil, errUsage
	}
	if a.bound < 0 {
		return nil, fmt.Errorf("loom: -for %v is negative", a.bound)
	}
	if a.backend != "overlay" && a.backend != "copy" {
		return nil, fmt.Errorf("loom: -backend %q: there are overlay and copy", a.backend)
	}
	if *explore != "" {
		re, err := regexp.Compile(*explore)
		if err != nil {
			return nil, fmt.Errorf("loom: -explore: %w", err)
		}
		a.explore = re
	}
	words := fs.Args()
	if len(words) < 2 || words[0] != "go" || words[1] != "test" {
		fmt.Fprint(output, usage)
		if len(words) > 0 {
			return nil, fmt.Errorf("loom: %q: only go test can be run", strings.Join(words, " "))
		}
		return nil, errUsage
	}
	return a, a.goTest(words[2:])
}

// Flags of go test and go build that take a value, and those without one that
// concern the build. Every other flag is one of go test or of the test binary
// and takes none, or has it behind an equals sign.
var (
	valueFlags = strings.Fields(`p o exec C tags mod modfile overlay covermode coverpkg compiler gccgoflags
		gcflags ldflags asmflags installsuffix pkgdir toolexec pgo bench benchtime blockprofile
		blockprofilerate count coverprofile cpu cpuprofile fuzz fuzztime fuzzminimizetime list memprofile
		memprofilerate mutexprofile mutexprofilefraction outputdir parallel run skip shuffle timeout trace
		vet buildmode`)
	buildValues = strings.Fields(`p mod modfile compiler gccgoflags gcflags ldflags asmflags installsuffix
		pkgdir toolexec pgo buildmode`)
	buildBools = strings.Fields(`race msan asan linkshared trimpath modcacherw a`)
)

// goTest takes apart what follows "go test".
func (a *arguments) goTest(words []string) error {
	for i := 0; i < len(words); i++ {
		word := words[i]
		if word == "-args" || word == "--args" {
			a.rest = words[i:]
			return nil
		}
		if !strings.HasPrefix(word, "-") || word == "-" {
			a.patterns = append(a.patterns, word)
			continue
		}
		name, value, given := strings.Cut(strings.TrimLeft(word, "-"), "=")
		plain := strings.TrimPrefix(name, "test.")
		first := i
		if slices.Contains(valueFlags, plain) && !given {
			if i++; i == len(words) {
				return fmt.Errorf("loom: flag %s needs a value", word)
			}
			value = words[i]
		}
		a.flag(plain, value, words[first:i+1])
	}
	return nil
}

// flag books one flag, which was given as words.
func (a *arguments) flag(name, value string, words []string) {
	switch name {
	case "tags":
		a.tags = strings.FieldsFunc(value, func(r rune) bool { return r == ',' || r == ' ' })
		return
	case "overlay":
		a.overlay = value
		return
	case "C":
		a.dir = value
		return
	case "c":
		a.compile = true
	case "run":
		a.run = value
	case "cover", "covermode", "coverpkg", "coverprofile":
		a.cover = true
	}
	a.goFlags = append(a.goFlags, words...)
	if slices.Contains(buildValues, name) || slices.Contains(buildBools, name) {
		a.build = append(a.build, words...)
		a.kept = append(a.kept, words...)
	} else if name == "vet" || name == "cpu" || name == "short" {
		a.kept = append(a.kept, words...)
	}
}

const usage = `usage: go tool loom [-explore REGEXP] [-for DURATION] [-track=false] [-backend overlay|copy]
                    go test [flags] [packages]

Runs go test on a rewritten copy of the source of your own module, in which the
tests that start goroutines are explored: run in every way that their goroutines
can interleave. Your files are not touched. What cannot be checked is listed
first, with file and line.

  -explore REGEXP   explore the tests whose name matches, and no others; one that
                    cannot be explored then fails. Default: those that start
                    goroutines, and use no channels, select or timers in their
                    own body.
  -for DURATION     bound of each exploration, default 10s; 0: to the end
  -track=false      do not watch plain memory for races
  -backend copy     build a copy of the module instead of using -overlay

The documentation is at https://pkg.go.dev/github.com/filch-sched/filch/loom/cmd/loom
`
