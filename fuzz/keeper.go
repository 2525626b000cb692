package fuzz

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/filch-sched/filch/loom"
)

// How long one input may take in all under go test -fuzz, which gives it 10 seconds, and
// how long is for shrinking and for seeing it fail again.
const (
	inputLimit   = 8 * time.Second
	tooSlow      = 2 * time.Second // to be shrunk, if to find it took so long
	shrinkLimit  = 3 * time.Second
	shrinkByLuck = 4 * time.Second
	againLimit   = 6 * time.Second
)

// keeper shrinks failures and, while a fuzzer runs, saves them: the first of each
// claim, since the fuzzer comes back with every smaller input that fails, and of the
// inputs that a target begins with many may fail alike.
type keeper struct {
	by    judge
	shape Shape
	name  string
	mu    sync.Mutex
	known map[string]string // by claim, where the first failure is to be seen
	more  map[string]int    // by claim, how many inputs failed so after the first
	// endless is the input that did not come to its end, if any, and idle how many
	// were not run after it, or after the time was up.
	endless string
	idle    int
	begin   time.Time // of the first input
	ran     atomic.Int64
}

// seedsLimit is how long the inputs that a target of somebody else's code begins with may
// take in all, where no fuzzer runs: they take less than a second, unless operations are
// slow.
const seedsLimit = 15 * time.Second

func newKeeper(by judge, shape Shape, name string) *keeper {
	return &keeper{by: by, shape: shape, name: name, known: map[string]string{}, more: map[string]int{}}
}

// rests reports why no other input is run: what one that does not end has left behind
// would disturb it, or be waited for as long again; or they take too long.
func (k *keeper) rests() (why string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.begin.IsZero() {
		k.begin = time.Now()
	}
	asked, _ := longer()
	slow := k.inOthersTime() && asked == 0 && time.Since(k.begin) > seedsLimit
	if k.endless == "" && !slow {
		return ""
	}
	k.idle++
	return "fuzz: not run, since " + k.why()
}

// inOthersTime reports whether go test runs what is not filch's, without a fuzzer and in
// real time.
func (k *keeper) inOthersTime() bool {
	_, others := k.by.(*theirs)
	return others && !loom.Enabled && !isSet("test.fuzz")
}

// why is why inputs were not run.
func (k *keeper) why() string {
	if k.endless != "" {
		return k.endless + " did not come to its end"
	}
	return fmt.Sprintf("those before them took %v: some operation is slow; go test -fuzz has no such limit", seedsLimit)
}

// keep returns what to say of f, which an input of this name has brought about, and
// whether an input before it has failed alike. A program that did not end is not shrunk:
// every attempt would take as long.
func (k *keeper) keep(f *Failure, begin time.Time, input string) (said error, again bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if f.Endless {
		k.endless = input
	}
	claim := f.Claims()[0]
	if said := k.told(claim); said != nil {
		return said, true
	}
	if f.Endless && f.How == concurrent && !loom.Enabled {
		f.again = "it fails by timing, in some runs only, and was not run again, since it does not come to its end"
	}
	if !f.Endless && time.Since(begin) < tooSlow {
		shrink := shrinkLimit
		if f.timely() {
			shrink = shrinkByLuck
		}
		steps := trail(k.by, k.shape, f, shrink)
		limit := againLimit
		if isSet("test.fuzz") {
			limit = time.Until(begin.Add(inputLimit))
		}
		f = k.seenAgain(steps, limit)
	}
	shown := f.Claims()[0] // what it was shrunk to may break but one of the claims
	if said := k.told(shown); said != nil {
		return said, true
	}
	fuzzing := isSet("test.fuzz")
	if f.Replay != "" && fuzzing {
		f.Replay = savedCommand(k.name)
	}
	if f.Replay != "" && f.again != "" {
		f.Replay = f.patiently(f.Replay)
	}
	if !fuzzing {
		k.known[claim], k.known[shown] = input, input
		// An input that go test runs by itself has a name. What it was shrunk to has none.
		f.Replay = strings.Replace(f.Replay, "'^"+k.name+"$'", pattern(input), 1)
		return f, false
	}
	file, bad := f.Save(FoundDir, k.name)
	if bad != nil {
		return fmt.Errorf("%w\nit is not saved: %v", f, bad), false
	}
	k.known[claim], k.known[shown] = file, file
	return fmt.Errorf("%w\nsaved as %s, which %s -run '^%s$' %s runs first", f, inModule(file), goTest(), k.name, pkg()), false
}

// told is what is said of another failure of a claim, nil if it is the first.
func (k *keeper) told(claim string) error {
	where := k.known[claim]
	if where == "" {
		return nil
	}
	k.more[claim]++
	return fmt.Errorf("fuzz: %s violated, as by %s", claim, where)
}

// timely reports whether f is one of goroutines, which fail by how they meet.
func (f *Failure) timely() bool { return !loom.Enabled && f.How == concurrent && !f.Endless }

// patience is for how long f has to be run again, so that it most likely fails again.
func (f *Failure) patience() string {
	if f.seldom {
		return "2m"
	}
	return "20s"
}

// patiently is a command that runs f again, for so long.
func (f *Failure) patiently(command string) string {
	return fmt.Sprintf("%s=%s %s", longerVariable, f.patience(), command)
}

// seenAgain returns what a failure was shrunk to, with what came of running it again. If
// that does not fail again it returns one that does, if any, of those that it was shrunk
// from: it had failed by luck.
func (k *keeper) seenAgain(steps []*Failure, limit time.Duration) *Failure {
	small := last(steps)
	if !small.timely() {
		return small
	}
	tried := backwards(len(steps))
	begin, total := time.Now(), 0
	for i, n := range tried {
		f := steps[n]
		begin, limit := time.Now(), limit/time.Duration(len(tried))
		runs, again := k.again(f, limit)
		total += runs
		if !again {
			continue
		}
		took := time.Since(begin).Round(time.Millisecond)
		if !(runs == 1 && i == 0 && k.always(f)) {
			f.again = fmt.Sprintf("it fails by timing, in some runs only: run again, it failed in run %d, after %v", runs, took)
		}
		return f
	}
	small.seldom = true
	small.again = fmt.Sprintf("it fails by timing, and so seldom that it DID NOT COME BACK in %d runs, %v. Have it run for longer, by the replay below; "+
		"or, if the code is built on package loom's atomic, sync and cell, have the order of steps chosen: %s",
		total, time.Since(begin).Round(time.Millisecond), loomCommand(k.name))
	return small
}

// always reports whether f fails whenever it is run, as far as another time shows.
func (k *keeper) always(f *Failure) bool {
	runs, again := k.again(f, slice/4)
	return again && runs == 1
}

// again runs f again and again, for so long, until it fails alike.
func (k *keeper) again(f *Failure, limit time.Duration) (runs int, again bool) {
	runs, g := repeated(k.by.concurrent(f.Program), f.Program.Schedule, limit, (&shrinker{best: f}).alike)
	return runs, g != nil
}

// backwards are some of n steps, the last first, and the first last.
func backwards(n int) (some []int) {
	for _, i := range []int{n - 1, (n - 1) * 3 / 4, (n - 1) / 2, 0} {
		if !slices.Contains(some, i) {
			some = append(some, i)
		}
	}
	return some
}

// sum says how many inputs have failed like one that was told, and how many were not run.
func (k *keeper) sum(t testing.TB) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, claim := range slices.Sorted(maps.Keys(k.more)) {
		t.Logf("fuzz: %s violated by %s more, like %s above", claim, inputs(k.more[claim]), k.known[claim])
	}
	if k.idle > 0 {
		said := fmt.Sprintf("fuzz: %s of %s not run, since %s", inputs(k.idle), k.name, k.why())
		t.Log(said)
		if k.endless == "" { // it may be all that there is to say
			fmt.Fprintln(os.Stderr, said)
		}
	}
}

// inputs is a number of them.
func inputs(n int) string {
	if n == 1 {
		return "1 input"
	}
	return fmt.Sprintf("%d inputs", n)
}
