package fuzz_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/filch-sched/filch/fuzz"
	"github.com/stretchr/testify/require"
)

// closedOnce is a right pool that may be closed once, and refuses tasks from then on.
func closedOnce(f *testing.F) {
	fuzz.Pool(f, func() fuzz.PoolOps {
		p, again := newSmallPool(false), every(2)
		return fuzz.PoolOps{Submit: p.submit, Late: true, Close: func() {
			if again() {
				panic("close of closed pool")
			}
			p.close()
		}}
	})
}

func TestAPoolIsClosedOnce(t *testing.T) {
	out, err := test(t, t.TempDir(), "closed once", "-test.v", "-test.run=^FuzzTheirs$")
	require.NoError(t, err, "%s", out)
	require.Contains(t, out, "--- PASS: FuzzTheirs/seed#63")
}

// vacuous are adapters that break no law, since they may miss, and never do what they are
// for. What they do say is what is to be said of them.
var vacuous = map[string]bug{
	"a queue that keeps nothing": {fuzz: queueBug(func(o *fuzz.QueueOps, q *locked) {
		o.MayRefuse, o.MayMiss = true, true
		o.Put = func(int) bool { _, found := q.oldest(); return found }
	}), says: "no value was ever kept by Put"},
	"a deque that steals nothing": {fuzz: dequeBug(func(o *fuzz.DequeOps, q *locked) {
		o.MayMiss = true
		o.Steal = func() (v int, found bool) {
			q.mu.Lock()
			defer q.mu.Unlock()
			return 0, len(q.values) < 0
		}
	}), says: "no value was ever given by Steal"},
}

// TestAnAdapterThatDoesNothingIsNoPass, but where few inputs are run, in which there may
// be nothing to do.
func TestAnAdapterThatDoesNothingIsNoPass(t *testing.T) {
	for name, b := range vacuous {
		out, err := test(t, t.TempDir(), name, "-test.run=^FuzzTheirs$")
		require.Error(t, err, "%s: %s", name, out)
		require.Contains(t, out, "fuzz: "+b.says+", in ")
		require.Contains(t, out, "so nothing was judged")
		out, err = test(t, t.TempDir(), name, "-test.run=^FuzzTheirs$/^seed#0$")
		require.NoError(t, err, "%s: %s", name, out)
	}
}

// savedLate is a right queue that saves a program, as a fuzzer does with one that fails.
func savedLate(f *testing.F) {
	queueBug(func(*fuzz.QueueOps, *locked) {
		if !given("test.fuzzworker") {
			return
		}
		err := errors.Join(os.MkdirAll(fuzz.FoundDir, 0o755),
			os.WriteFile(filepath.Join(fuzz.FoundDir, f.Name()+"-late.txt"), nil, 0o644))
		if err != nil {
			panic(err)
		}
	})(f)
}

// TestWhatIsSavedWhenTheTimeIsUpIsNoPass: the fuzzer itself says that nothing has failed.
func TestWhatIsSavedWhenTheTimeIsUpIsNoPass(t *testing.T) {
	dir := t.TempDir()
	out, err := test(t, dir, "saved late", "-test.run=^$", "-test.fuzz=^FuzzTheirs$", "-test.fuzztime=1s",
		"-test.fuzzcachedir="+filepath.Join(dir, "cache"))
	require.Error(t, err, "%s", out)
	require.Contains(t, out, "testdata/found/FuzzTheirs-late.txt was saved when the time of the fuzzer was up; run it: go test")
}

// TestRightCodePassesWithoutAFuzzer by all the inputs that a target begins with.
func TestRightCodePassesWithoutAFuzzer(t *testing.T) {
	for name, c := range theirs {
		if c.claims == "" {
			out, err := test(t, t.TempDir(), name, "-test.run=^FuzzTheirs$")
			require.NoError(t, err, "%s: %s", name, out)
		}
	}
}
