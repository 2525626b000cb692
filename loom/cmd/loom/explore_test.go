//go:build !loom && !race

package main_test

import (
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFindsABug in a test of plain Go, which hardly ever fails by itself, and the
// command that it prints finds it again.
func TestFindsABug(t *testing.T) {
	dir := module(t, counter)
	r := fails(t, dir, "go", "test", "./...")
	require.Contains(t, r.out, "--- FAIL: TestBad")
	require.Contains(t, r.out, "TestPasses violated: counter_test.go:20: counted 1")
	require.Regexp(t, `counter\.go:9 .* Load = 0`, r.out, "the places are those of the user's files")
	require.Contains(t, r.out, "go tool loom go test -run '^TestBad$' .\n")
	require.Contains(t, r.err, "loom: 2 of 3 tests are to be explored")
	require.Regexp(t, `loom: exhausted TestGood: \d+ traces, 3 threads`, r.err)
	require.Contains(t, r.err, "loom: VIOLATED TestBad: TestPasses: counter_test.go:20: counted 1")
	replay(t, dir, r)

	passes(t, dir, "go", "test", "-run", "TestGood|TestAlone", ".")
}

// TestPageOfAnUntouchedTest: it lies where the user has said, also if the tests
// run in a copy, and has the command that replays.
func TestPageOfAnUntouchedTest(t *testing.T) {
	for _, backend := range []string{"overlay", "copy"} {
		dir := module(t, counter)
		r := run(t, dir, []string{"LOOM_PAGE=bug.html"}, "go", "tool", "loom", "-backend="+backend, "go", "test", "-run", "TestBad", ".")
		require.NotZero(t, r.status, "%s", r.all())
		text, err := os.ReadFile(filepath.Join(dir, "bug.html"))
		require.NoError(t, err, "%s", r.all())
		require.Contains(t, string(text), "go tool loom ")
		require.Contains(t, string(text), "counter_test.go:20: counted 1")
		require.Contains(t, r.out, "page: "+filepath.Join(dir, "bug.html"))
	}
}

// TestDeadlockIsFound, with the places where the threads wait.
func TestDeadlockIsFound(t *testing.T) {
	dir := module(t, files{"lock_test.go": `package try

import (
	"sync"
	"testing"
)

func TestLocks(t *testing.T) {
	var a, b sync.Mutex
	var wg sync.WaitGroup
	wg.Go(func() { a.Lock(); b.Lock(); b.Unlock(); a.Unlock() })
	wg.Go(func() { b.Lock(); a.Lock(); a.Unlock(); b.Unlock() })
	wg.Wait()
}
`})
	r := fails(t, dir, "go", "test", ".")
	require.Contains(t, r.out, "Deadlock violated")
	require.Regexp(t, `thread 1 waits in Lock of b at lock_test.go:11.*held by thread 2`, r.out)
	replay(t, dir, r)
}

// TestBothBackendsAgree, and the copy needs no overlay: it applies the user's.
func TestBothBackendsAgree(t *testing.T) {
	all := maps.Clone(counter)
	all["good.go"] = "package try\n\nfunc init() { good = false }\n"
	all["vars.go"] = "package try\n\nvar good = true\n"
	all["better.go.txt"] = "package try\n\nfunc init() { good = true }\n"
	all["overlay.json"] = `{"Replace": {"good.go": "better.go.txt"}}`
	all["vars_test.go"] = `package try

import (
	"os"
	"testing"
)

func TestOverlay(t *testing.T) {
	text, err := os.ReadFile("testdata/x")
	if !good || err != nil || string(text) != "here" {
		t.Fatalf("%v %s %v", good, text, err)
	}
}
`
	all["testdata/x"] = "here"
	dir := module(t, all)
	for _, backend := range []string{"overlay", "copy"} {
		t.Run(backend, func(t *testing.T) {
			r := fails(t, dir, "-backend="+backend, "go", "test", "-overlay", "overlay.json", "-v", "./...")
			require.Contains(t, r.out, "--- PASS: TestOverlay")
			require.Contains(t, r.out, "--- PASS: TestGood")
			require.Contains(t, r.out, "counter_test.go:20: counted 1")
			require.NotContains(t, r.all(), "/loom-", "no name of a temporary file")
			replay(t, dir, r)
		})
	}
	require.Contains(t, fails(t, dir, "go", "test", ".").out, "--- FAIL: TestOverlay")
}

// TestBoundedIsSaid: a search that is cut short passes, and is not called a
// proof.
func TestBoundedIsSaid(t *testing.T) {
	dir := module(t, files{"big_test.go": `package try

import (
	"sync"
	"sync/atomic"
	"testing"
)

func TestBig(t *testing.T) {
	var n atomic.Int32
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() {
			for range 6 {
				n.Add(1)
			}
		})
	}
	wg.Wait()
}
`})
	r := passes(t, dir, "-for", "100ms", "go", "test", "-v", ".")
	require.Contains(t, r.out, "NOT EXHAUSTED")
	require.Regexp(t, `loom: NOT EXHAUSTED TestBig: \d+ traces, 7 threads, .*\(-for 0 explores to the end\)`, r.err)
}

// TestTooLargeIsRunOnceAndSaid, unless the user has asked for it.
func TestTooLargeIsRunOnceAndSaid(t *testing.T) {
	dir := module(t, files{"many_test.go": `package try

import (
	"sync"
	"sync/atomic"
	"testing"
)

func TestMany(t *testing.T) {
	var n atomic.Int32
	var wg sync.WaitGroup
	for range 100 {
		wg.Go(func() { n.Add(1) })
	}
	wg.Wait()
	if n.Load() != 100 {
		t.Fatal(n.Load())
	}
}

func TestFew(t *testing.T) {
	var wg sync.WaitGroup
	wg.Go(func() {})
	wg.Wait()
}
`})
	r := passes(t, dir, "go", "test", ".")
	require.Contains(t, r.err, "loom: NOT EXPLORED, run once as usual: TestMany: loom: more than 64 threads")
	require.Contains(t, r.err, "loom: exhausted TestFew")
	r = fails(t, dir, "-explore", "Many", "go", "test", ".")
	require.Contains(t, r.out, "more than 64 threads")
}

// TestOtherFlagsPass on to go test, and the user's tags are kept.
func TestOtherFlagsPass(t *testing.T) {
	all := maps.Clone(counter)
	all["tagged_test.go"] = `//go:build loom && mine

package try

import (
	"flag"
	"testing"
)

var word = flag.String("word", "", "")

func TestTagged(t *testing.T) {
	if *word != "w" {
		t.Fatal(*word)
	}
}
`
	dir := module(t, all)
	r := passes(t, dir, "go", "test", "-v", "-tags", "mine,other", "-run", "Tagged|Good", "-count=1", ".", "-args", "-word=w")
	require.Contains(t, r.out, "--- PASS: TestTagged")
	require.Contains(t, r.out, "--- PASS: TestGood")
	require.NotContains(t, r.out, "TestBad")
	r = run(t, dir, []string{"GOFLAGS=-tags=mine"}, "go", "tool", "loom", "go", "test", "-v", "-run", "Tagged|Good", ".", "-args", "-word=w")
	require.Contains(t, r.out, "--- PASS: TestTagged", r.all())

	r = fails(t, dir, "go", "test", "-tags=mine", "-run", "Bad", ".")
	require.Contains(t, r.out, "go tool loom go test -tags=mine -run '^TestBad$' .\n")
	replay(t, dir, r)
}

// TestCoverage is that of the user's source.
func TestCoverage(t *testing.T) {
	dir := module(t, counter)
	r := passes(t, dir, "go", "test", "-run", "Good", "-coverprofile=c.out", ".")
	require.Contains(t, r.out, "coverage: ")
	require.Contains(t, r.err, "loom: exhausted TestGood")
	text, err := os.ReadFile(filepath.Join(dir, "c.out"))
	require.NoError(t, err)
	require.Contains(t, string(text), "/counter.go:7.")
}

// TestRaceDetectorWorks beside: in what is not explored it finds what it finds.
func TestRaceDetectorWorks(t *testing.T) {
	all := maps.Clone(counter)
	all["race_test.go"] = `package try

import "testing"

func TestRacing(t *testing.T) {
	n := 0
	done := make(chan bool)
	go func() {
		n++
		done <- true
	}()
	n++
	<-done
}
`
	dir := module(t, all)
	r := fails(t, dir, "go", "test", "-race", "-run", "Good|Racing", ".")
	require.Contains(t, r.out, "WARNING: DATA RACE")
	require.Contains(t, r.out, "race_test.go:9")
	require.Contains(t, r.out, "testing.go")
	require.Contains(t, r.err, "loom: exhausted TestGood")
}
