//go:build !loom && !race

package main_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTestingInExplorations: what a test does with its *testing.T is done for
// every execution anew.
func TestTestingInExplorations(t *testing.T) {
	dir := module(t, testdata(t, "testing"))
	plain := run(t, dir, nil, "go", "test", "-count=1", "-run", "Clean|Inner|Skips|Sometimes", ".")
	require.Zero(t, plain.status, "%s", plain.all())
	r := fails(t, dir, "go", "test", "-v", ".")
	require.Contains(t, r.out, "--- PASS: TestClean ")
	require.NotContains(t, r.out, "a log of every execution")
	require.Regexp(t, `loom: exhausted TestClean: [2-9]\d* traces`, r.err)
	require.Regexp(t, `loom: exhausted TestInner/a: [2-9]\d* traces`, r.err)
	require.Regexp(t, `loom: exhausted TestInner/b: [2-9]\d* traces`, r.err)
	require.Contains(t, r.out, "--- PASS: TestInner ")
	require.Contains(t, r.out, "--- SKIP: TestSkips ")
	require.Contains(t, r.out, "for a reason")
	require.Contains(t, r.err, "loom: skipped TestSkips")
	require.Regexp(t, `loom: exhausted TestSometimes: 2 traces, .*, the test skipped itself in 1 executions`, r.err)
	require.Contains(t, r.out, "--- FAIL: TestThreadFails ")
	require.Contains(t, r.out, "check says false")
	require.Contains(t, r.out, "--- FAIL: TestTB ")
	require.Contains(t, r.out, "n is 1")
	require.Contains(t, r.out, "Panic violated: thread 1 panicked at t_test.go:116: on purpose")
}

// TestTestsOfLoomAreLeftAlone: they explore by themselves.
func TestTestsOfLoomAreLeftAlone(t *testing.T) {
	dir := module(t, files{"own_test.go": `package try

import (
	"testing"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
)

func TestOwn(t *testing.T) {
	r := loom.Check(t, func() {
		var n atomic.Int32
		loom.Go(func() { n.Add(1) })
		n.Load()
	})
	if r.Traces != 2 {
		t.Error(r.Traces)
	}
}

func TestPlain(t *testing.T) {
	done := false
	go func() {}()
	done = true
	_ = done
}
`})
	r := passes(t, dir, "go", "test", ".")
	require.Contains(t, r.err, "loom: NOT EXPLORED, run once as usual: TestOwn (own_test.go:10): it uses package loom itself: Check at own_test.go:11:12")
	require.Contains(t, r.err, "loom: exhausted TestPlain: 1 traces")
}

// TestNamesWhatItDoesNotCheck with file and line, before the run.
func TestNamesWhatItDoesNotCheck(t *testing.T) {
	dir := module(t, files{
		"other/go.mod":   "module example.com/other\n\ngo 1.26\n",
		"other/other.go": "package other\n\nimport \"sync\"\n\nvar mu sync.Mutex\n\nfunc Do() { mu.Lock(); mu.Unlock() }\n",
		"see_test.go":    testdata(t, "unseen")["see_test.go"],
	}, "require example.com/other v0.0.0", "replace example.com/other => ./other")
	r := loom(t, dir, "-for=1s", "go", "test", ".")
	for _, want := range []string{
		"see_test.go:13:5: variable kept of package try keeps its value",
		"see_test.go:14:5: variable total of package try keeps its value from one execution to the next",
		"see_test.go:20:8: package example.com/other is not of this module, and not rewritten: it imports sync",
		"see_test.go:21:10: math/rand.Int: random numbers",
		"see_test.go:21:24: time.Now: in an exploration no time passes",
		"see_test.go:22:24: context.WithTimeout: its deadline is one of real time",
		"NOT EXPLORED, run once as usual: TestChannel (see_test.go:31): send on a channel at see_test.go:33:14",
		"NOT EXPLORED, run once as usual: TestSelect (see_test.go:36): select at see_test.go:38:2",
		"NOT EXPLORED, run once as usual: TestTimer (see_test.go:43): it starts no goroutine that loom can follow, but: time.AfterFunc: its timer runs in real time at see_test.go:44:7",
		"loom: 1 of 4 tests are to be explored",
	} {
		require.Contains(t, r.err, want)
	}
	require.NotContains(t, r.err, "see_test.go:49", "nothing calls it")
	r = passes(t, dir, "go", "test", "-run", "Work", ".")
	require.NotContains(t, r.err, "TestChannel", "it is not run")
}
