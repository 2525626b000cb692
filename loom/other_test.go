//go:build loom

package loom_test

import (
	"fmt"
	"hash/fnv"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
)

// fatal is a test that hands on why it was ended.
type fatal struct{ testing.TB }

func (f fatal) Fatal(args ...any) { panic(args[0]) }

// TestMistypedReplayFails: a word that is no token must not pass for a run.
func TestMistypedReplayFails(t *testing.T) {
	for _, bad := range []string{"junk", ".", ".ab", "x.?", "X.ab", "x y.ab", "01yqu1xa.bc2ba", "zzzzzzzzz.ab", "1yqu1xa.b0"} {
		t.Run(bad, func(t *testing.T) {
			t.Setenv("LOOM_REPLAY", bad)
			ran := false
			body := func() { ran = true }
			_, err := loom.Explore(body)
			require.ErrorContains(t, err, `"`+bad+`" is not a replay token`)
			require.ErrorContains(t, err, "LOOM_REPLAY")
			require.PanicsWithError(t, err.Error(), func() { loom.Check(fatal{t}, body) })
			require.False(t, ran)
		})
	}
}

// TestReplayOfAnotherTestSkips: what was not run does not count as passed.
func TestReplayOfAnotherTestSkips(t *testing.T) {
	t.Setenv("LOOM_REPLAY", "x.ab")
	ran := false
	body := func() { ran = true }
	t.Run("", func(t *testing.T) {
		defer func() {
			if !t.Skipped() {
				t.Error("not skipped")
			}
		}()
		loom.Check(t, body)
		t.Error("Check has returned")
	})
	r, err := loom.Explore(body)
	require.NoError(t, err)
	require.Zero(t, r)
	require.False(t, ran)
}

// TestReplayMessages runs tests in processes of their own, to see what is said.
func TestReplayMessages(t *testing.T) {
	const other = "LOOM_REPLAY=1yqu1xa.bc2ba replays another test"
	run := func(name string) string {
		return "go test -count=1 -v -tags loom -run '" + name + "' " + planted
	}
	out := shell(t, "LOOM_REPLAY=1yqu1xa.bc2ba "+run("^(TestRace|TestLostUpdate)$"))
	require.Contains(t, out, "--- SKIP: TestRace")
	require.Contains(t, out, other)
	require.Contains(t, out, "--- FAIL: TestLostUpdate")

	out = shell(t, "LOOM_REPLAY=junk "+run("^TestRace$"))
	require.Contains(t, out, `loom: "junk" is not a replay token, and it is the value of LOOM_REPLAY`)

	out = shell(t, "LOOM_REPLAY=junk "+strings.Replace(run("^TestRace$"), "-tags loom", "", 1))
	require.Contains(t, out, "loom: LOOM_REPLAY=junk needs the build tag loom")
}

// token returns the token of the nth Check of t, for a body without steps.
func token(t *testing.T, nth int) string {
	h := fnv.New32a()
	fmt.Fprintf(h, "%s#%d", t.Name(), nth)
	return strconv.FormatUint(uint64(h.Sum32()), 36) + "."
}

// TestReplayOfALaterCheck: the Checks before the one of the token are passed
// over, not the end of the test.
func TestReplayOfALaterCheck(t *testing.T) {
	t.Setenv("LOOM_REPLAY", token(t, 2))
	first, second := false, false
	f := fatal{t}
	require.Zero(t, loom.Check(f, func() { first = true }))
	func() {
		defer func() { require.ErrorContains(t, recover().(error), "violates nothing") }()
		loom.Check(f, func() { second = true })
	}()
	require.False(t, first)
	require.True(t, second)
}

// ending is a test that ends when end is called.
type ending struct {
	testing.TB
	cleanups []func()
	failures []string
}

func (e *ending) Cleanup(f func()) { e.cleanups = append(e.cleanups, f) }

func (e *ending) Errorf(format string, args ...any) {
	e.failures = append(e.failures, fmt.Sprintf(format, args...))
}

func (e *ending) end() {
	for _, f := range slices.Backward(e.cleanups) {
		f()
	}
}

// TestReplayOfACheckThatDoesNotCome: a test that has passed over its Checks in
// vain must not pass.
func TestReplayOfACheckThatDoesNotCome(t *testing.T) {
	t.Setenv("LOOM_REPLAY", token(t, 3))
	e := &ending{TB: t}
	loom.Check(e, func() {})
	loom.Check(e, func() {})
	e.end()
	require.NotEmpty(t, e.failures)
	require.Contains(t, e.failures[0], "replays Check 3 of this test, which made 2")
}

// TestReplayOfASubtest: a Check before t.Run does not keep the subtest that the
// replay command names from running.
func TestReplayOfASubtest(t *testing.T) {
	if os.Getenv("LOOM_REPLAY") == "" {
		c := exec.Command(os.Args[0], "-test.v", "-test.run=^TestReplayOfASubtest$/^inner$")
		c.Env = append(os.Environ(), "LOOM_REPLAY=x.ab")
		out, err := c.CombinedOutput()
		require.NoError(t, err, "%s", out)
		require.Contains(t, string(out), "--- SKIP: TestReplayOfASubtest/inner")
		require.Contains(t, string(out), "--- PASS: TestReplayOfASubtest ")
		return
	}
	loom.Check(t, func() {})
	t.Run("inner", func(t *testing.T) { loom.Check(t, func() {}) })
}
