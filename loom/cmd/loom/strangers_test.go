//go:build !loom && !race

package main_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// strangers is a module with tests that an exploration cannot vouch for.
func strangers(t *testing.T) string {
	all := testdata(t, "strangers")
	return module(t, files{
		"other/go.mod":   "module example.com/other\n\ngo 1.26\n",
		"other/other.go": all["other.go"],
		"try_test.go":    all["try_test.go"],
	}, "require example.com/other v0.0.0", "replace example.com/other => ./other")
}

// TestWhatCannotBeVouchedForIsNotCalledExhausted, by name and with the reason,
// and every other test is accounted for.
func TestWhatCannotBeVouchedForIsNotCalledExhausted(t *testing.T) {
	r := passes(t, strangers(t), "go", "test", ".")
	for _, want := range []string{
		"loom: NOT CHECKED, run once as usual: TestCache: thread 1 and thread 2 call c.Add at try_test.go:16, and what package example.com/other does is no step",
		"loom: exhausted TestCacheInOrder: 2 traces, 3 threads",
		"loom: exhausted TestCaches: 1 traces, 3 threads",
		"NOT EXPLORED, run once as usual: TestGroup (try_test.go:49): it starts no goroutine that loom can follow, but calls Go of package example.com/other, which is not rewritten and may start some at try_test.go:53:5",
		"loom: NOT EXPLORED, run once as usual: TestPool: loom: a goroutine that loom does not know, started by example.com/other.Submit",
		"loom: exhausted TestChannelElsewhere: 2 traces, 3 threads",
		"loom: NOT EXPLORED, run once as usual: TestChannelReached: loom: send on a channel: an exploration cannot follow that, at try_test.go:114",
		"loom: NOT EXPLORED, run once as usual: TestTimerReached: loom: time.NewTicker, whose timer runs in real time: an exploration cannot follow that, at try_test.go:116",
		"loom: run once as usual, for they start no goroutine: TestPlain (example.com/try)",
		"try_test.go:114:25: send on a channel; an exploration that comes here is refused",
		"loom: 8 of 10 tests are to be explored",
	} {
		require.Contains(t, r.err, want)
	}
	require.Regexp(t, `run once as usual: TestPoolOfOld: loom: .* started by example\.com/other\.init`, r.err)
	require.NotContains(t, r.all(), "negative WaitGroup counter")
	require.NotContains(t, r.all(), "violated")
}

// TestWhatCannotBeVouchedForFailsIfNamed, also where one thread is all there is.
func TestWhatCannotBeVouchedForFailsIfNamed(t *testing.T) {
	dir := strangers(t)
	r := fails(t, dir, "go", "test", "-run", "Pool$|Cache$", ".")
	require.Contains(t, r.out, "ok  \texample.com/try")
	require.Contains(t, r.err, "loom: NOTHING WAS EXPLORED: none of 2 explorations says anything, for the reasons above")
	r = fails(t, dir, "-explore", "Cache$|Group|Pool|Plain", "go", "test", ".")
	for _, want := range []string{
		"loom: NOT CHECKED, and failed for that: TestCache: ",
		"loom: NOT EXPLORED, and failed for that: TestGroup: loom: a goroutine that loom does not know, started by example.com/other.(*Group).Go at other.go:26, does at try_test.go:53",
		"loom: NOT EXPLORED, and failed for that: TestPool: ",
		"loom: NOT EXPLORED, and failed for that: TestPoolOfOld: loom: ",
		"loom: NOT CHECKED, and failed for that: TestPlain: no second thread was started",
	} {
		require.Contains(t, r.err, want)
	}
	for _, test := range []string{"Cache", "Group", "Pool", "PoolOfOld", "Plain"} {
		require.Contains(t, r.out, "--- FAIL: Test"+test+" ")
	}
	require.NotContains(t, r.all(), "negative WaitGroup counter")
	require.NotContains(t, r.all(), "violated")
}

// TestPartsAreNotCalledTheWhole: a share, a sample and a bound of preemptions.
func TestPartsAreNotCalledTheWhole(t *testing.T) {
	dir := module(t, counter)
	tested := func(env string) string {
		return run(t, dir, []string{env}, "go", "tool", "loom", "-for", "300ms", "go", "test", "-run", "Good", ".").err
	}
	require.Contains(t, tested("LOOM_SHARD=1/2"), "loom: exhausted share 1 of 2 of TestGood: ")
	for env, want := range map[string]string{
		"LOOM_ALGO=random":   "sampled by random",
		"LOOM_PREEMPTIONS=0": "which cuts off",
	} {
		text := tested(env)
		require.Contains(t, text, "loom: NOT EXHAUSTED TestGood: ")
		require.Contains(t, text, want)
		require.NotContains(t, text, "-for 0 explores to the end", "nothing does")
	}
}

// TestReplayOfAnotherProgramIsNotRunAsUsual, and does not say so.
func TestReplayOfAnotherProgramIsNotRunAsUsual(t *testing.T) {
	dir := module(t, counter)
	r := fails(t, dir, "go", "test", ".")
	write(t, dir, files{"counter.go": counter["counter.go"] + "\nfunc init() { println() }\n"})
	require.Contains(t, r.out, "LOOM_REPLAY=")
	r = run(t, dir, []string{"LOOM_REPLAY=xyz"}, "go", "tool", "loom", "go", "test", "-run", "Bad", ".")
	require.NotZero(t, r.status)
	require.Contains(t, r.err, "loom: NOT REPLAYED, and failed for that: TestBad: ")
	require.NotContains(t, r.err, "run once as usual: TestBad")
	require.NotContains(t, r.err, "no test starts a goroutine")
}

// TestSameSourceIsTheSameProgram, byte for byte, by each backend.
func TestSameSourceIsTheSameProgram(t *testing.T) {
	dir := module(t, counter)
	for _, backend := range []string{"overlay", "copy"} {
		var programs [2]string
		for i := range programs {
			name := filepath.Join(t.TempDir(), "test.exe")
			passes(t, dir, "-backend="+backend, "go", "test", "-c", "-o", name, ".")
			text, err := os.ReadFile(name)
			require.NoError(t, err)
			programs[i] = string(text)
		}
		require.True(t, programs[0] == programs[1], backend)
	}
}
