package fuzz

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/cmd/loom/hook"
)

// Target makes f a fuzz target of filch's own packages: an input is the bytes of a
// program of shape sh, and those of its schedule. A program that fails is shrunk
// and, while go test -fuzz runs, saved as a scenario file in [FoundDir]; go test
// runs what is saved there first.
//
// Target panics if f is nil or sh allows no program.
func Target(f *testing.F, sh Shape) {
	must("target", f, true)
	sh.check()
	f.Helper()
	fuzzed(f, filch{}, sh)
}

// fuzzed is a target whose programs a judge runs. It begins with own, too.
func fuzzed(f *testing.F, j judge, sh Shape, own ...[2][]byte) {
	f.Helper()
	if _, err := longer(); err != nil {
		f.Fatal(err)
	}
	unminimized()
	keeper := newKeeper(j, sh, f.Name())
	if !isSet("test.fuzzworker") && !oneInput() {
		keeper.replayFound(f)
	}
	for _, in := range append(beginnings(), own...) {
		f.Add(in[0], in[1])
	}
	before := keeper.files()
	f.Fuzz(func(t *testing.T, program, schedule []byte) {
		if why := keeper.rests(); why != "" {
			t.Skip(why)
		}
		keeper.ran.Add(1)
		p := sh.Decode(program)
		p.Schedule = schedule
		begin := time.Now()
		err := once(j, p, loom.AsFound())
		again := false
		if found := failureIn(err); found != nil {
			err, again = keeper.keep(found, begin, t.Name())
		}
		if again && !isSet("test.fuzz") {
			t.Skip(err) // it is told already, and counted
		}
		if err != nil {
			t.Fatal(err)
		}
	})
	if !isSet("test.fuzz") {
		keeper.sum(f)
		if err := keeper.vacuous(); err != nil && !f.Failed() {
			f.Error(err)
		}
	} else if !isSet("test.fuzzworker") {
		keeper.late(f, before)
	}
	if ran := int(keeper.ran.Load()); loom.Enabled && !isSet("test.fuzzworker") && (ran > 0 || isSet("test.fuzz")) {
		hook.Fuzzed(f.Name(), ran)
	}
}

// oneInput reports whether go test is asked for one input of a target, by its name; and
// not for none, which leaves the programs that were saved.
func oneInput() bool {
	run := flag.Lookup("test.run")
	return run != nil && strings.Contains(run.Value.String(), "/") && !strings.HasSuffix(run.Value.String(), "/"+noInput)
}

// noInput is what -run takes for none of the inputs of a target.
const noInput = "^$"

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

// isSet reports whether a flag of the testing package is not at its default.
func isSet(name string) bool {
	v := flag.Lookup(name)
	return v != nil && v.Value.String() != v.DefValue
}
