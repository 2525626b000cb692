package fuzz

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/filch-sched/filch/loom"
)

// Target makes f a fuzz target of filch's own packages: an input is the bytes of a
// program of shape sh, and those of its schedule. A program that fails is shrunk
// and, while go test -fuzz runs, saved as a scenario file in [FoundDir]; go test
// runs what is saved there first.
func Target(f *testing.F, sh Shape) {
	f.Helper()
	fuzzed(f, filch{}, sh)
}

// How long a saved program is looked at, and how long one is shrunk.
const (
	foundLimit  = 2 * time.Second
	shrinkLimit = 3 * time.Second
)

// fuzzed is a target whose programs a judge runs.
func fuzzed(f *testing.F, j judge, sh Shape) {
	f.Helper()
	unminimized()
	if !isSet("test.fuzzworker") {
		replayFound(f, j)
	}
	for _, in := range beginnings() {
		f.Add(in[0], in[1])
	}
	keeper := keeper{by: j, shape: sh, name: f.Name(), known: map[string]string{}}
	f.Fuzz(func(t *testing.T, program, schedule []byte) {
		p := sh.Decode(program)
		p.Schedule = schedule
		begin := time.Now()
		err := once(j, p, loom.AsFound())
		if found := (*Failure)(nil); errors.As(err, &found) {
			err = keeper.keep(found, time.Since(begin), t.Name())
		}
		if err != nil {
			t.Fatal(err)
		}
	})
}

// pattern is what -run takes for the test of a name alone.
func pattern(name string) string {
	parts := strings.Split(name, "/")
	for i, part := range parts {
		parts[i] = "^" + regexp.QuoteMeta(part) + "$"
	}
	return "'" + strings.Join(parts, "/") + "'"
}

// unminimized turns off the minimizer of go test, which works on bytes: what fails is
// shrunk here, as a program. The minimizer does not wait for a failure. It takes up
// every input that reaches something new, for a minute unless -fuzzminimizetime says
// otherwise; and nearly all that is reached at first is new, so that the fuzzer spends
// its time on making what it has smaller, and does not come to try anything else.
func unminimized() {
	if !isSet("test.fuzz") {
		return
	}
	const name = "test.fuzzminimizetime"
	if flag.Set(name, "0x") == nil {
		return
	}
	// The flag takes no 0 once it has been set. Then one run is the least.
	if err := flag.Set(name, "1x"); err != nil {
		panic(fmt.Sprintf("fuzz: -%s cannot be set: %v", name, err))
	}
}

// beginnings are what a fuzzer starts from that has no corpus: nothing, and some
// programs with some schedules, always the same. A fuzzer that has to grow a program
// byte by byte takes minutes to come so far.
func beginnings() (all [][2][]byte) {
	rng := rand.New(rand.NewPCG(1, 2))
	all = append(all, [2][]byte{{}, {}})
	for range 63 {
		all = append(all, [2][]byte{small(rng, 10+rng.IntN(70)), few(rng)})
	}
	return all
}

// replayFound runs the programs that were saved.
func replayFound(f *testing.F, j judge) {
	f.Helper()
	found, err := Found(FoundDir, f.Name())
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range slices.Sorted(maps.Keys(found)) {
		if err := thoroughly(j, found[file], foundLimit); err != nil {
			f.Errorf("%s: %v", file, err)
			continue
		}
		f.Logf("%s was not seen to violate anything, in at most %v%s", file, foundLimit, afterwards())
	}
}

// afterwards says what that proves, which depends on the build: where threads run
// as they happen to, a program that still fails does so in some runs only.
func afterwards() string {
	if tags() == "" {
		return " of runs on goroutines, which proves nothing if it failed by an order of steps that is rare: " +
			"run it again, and with -tags loom if the code is on loom's shim, before you take it for mended"
	}
	return " of schedules; if it was found without -tags loom, run it without, too. " +
		"Once it is mended, keep it among the scenarios that are always run, under a name that says what it shows, or delete it"
}

// keeper shrinks failures and, while a fuzzer runs, saves them: the first of each
// claim, since the fuzzer comes back with every smaller input that fails, and of the
// inputs that a target begins with many may fail alike.
type keeper struct {
	by    judge
	shape Shape
	name  string
	mu    sync.Mutex
	known map[string]string // by claim, where the first failure is to be seen
}

// keep returns what to say of f, which took a while to find by an input of this name.
// A program that did not end is not shrunk: every attempt would take as long, and a
// fuzzer gives an input 10 seconds.
func (k *keeper) keep(f *Failure, took time.Duration, input string) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	claim := f.Claims()[0]
	if where := k.known[claim]; where != "" {
		return fmt.Errorf("fuzz: %s violated, as by %s", claim, where)
	}
	if !f.Endless && took < 2*time.Second {
		f = shrunk(k.by, k.shape, f, shrinkLimit)
	}
	if !isSet("test.fuzz") {
		k.known[claim] = input
		// An input that go test runs by itself has a name. What it was shrunk to has none.
		f.Replay = strings.Replace(f.Replay, "'^"+k.name+"$'", pattern(input), 1)
		return f
	}
	file, bad := f.Save(FoundDir, k.name)
	if bad != nil {
		return fmt.Errorf("%w\nit is not saved: %v", f, bad)
	}
	k.known[claim] = file
	return fmt.Errorf("%w\nsaved as %s, which go test%s -run '^%s$' runs first", f, file, tags(), k.name)
}

// isSet reports whether a flag of the testing package is not at its default.
func isSet(name string) bool {
	v := flag.Lookup(name)
	return v != nil && v.Value.String() != v.DefValue
}
