//go:build !loom && !race

package main_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTestingInExplorations: what a test does with its *testing.T is done for
// every execution anew.
func TestTestingInExplorations(t *testing.T) {
	dir := module(t, files{"t_test.go": `package try

import (
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
)

func race(t *testing.T, n *atomic.Int32) {
	t.Helper()
	var wg sync.WaitGroup
	wg.Go(func() { n.Add(1) })
	wg.Go(func() { n.Add(1) })
	wg.Wait()
	if n.Load() != 2 {
		t.Fatal(n.Load())
	}
}

// Executions that leave something behind are seen by the next.
func TestClean(t *testing.T) {
	var n atomic.Int32
	dir := t.TempDir()
	if list, err := os.ReadDir(dir); err != nil || len(list) > 0 || dir == t.TempDir() {
		t.Fatal(list, err)
	}
	if err := os.WriteFile(filepath.Join(dir, "x"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if os.Getenv("TRY") != "" {
		t.Fatal("TRY is set")
	}
	t.Setenv("TRY", "x")
	ctx := t.Context()
	order := ""
	t.Cleanup(func() {
		if order != "b" || ctx.Err() == nil {
			t.Error("cleanups in order", order, ctx.Err())
		}
	})
	t.Cleanup(func() { order += "b" })
	race(t, &n)
	t.Log("a log of every execution")
	if t.Failed() || t.Skipped() || t.Name() != "TestClean" {
		t.Error("state")
	}
}

func TestInner(t *testing.T) {
	setUp := 0
	for _, name := range []string{"a", "b"} {
		setUp++
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var n atomic.Int32
			race(t, &n)
			t.Run("deeper", func(t *testing.T) {
				if t.Name() != "TestInner/"+name {
					t.Skip("an explored subtest runs its own in place")
				}
			})
		})
	}
	if setUp != 2 {
		t.Error("the test itself has run", setUp, "times")
	}
}

func TestSkips(t *testing.T) {
	if testing.Testing() {
		t.Skip("for a reason")
	}
	var n atomic.Int32
	race(t, &n)
}

func TestSometimes(t *testing.T) {
	var n atomic.Int32
	go n.Add(1)
	if n.Load() == 1 {
		t.Skipf("late by %d", 1)
	}
}

type reporter interface{ Errorf(string, ...any) }

func check(r reporter, ok bool) {
	if !ok {
		r.Errorf("check says %v", ok)
	}
}

func TestThreadFails(t *testing.T) {
	var n atomic.Int32
	go func() { check(t, n.Load() == 0) }()
	n.Store(1)
}

func TestTB(t *testing.T) {
	var n atomic.Int32
	var tb testing.TB = t
	go func() {
		if n.Load() == 1 {
			tb.Fatalf("n is %d", 1)
		}
	}()
	n.Store(1)
}

func TestPanics(t *testing.T) {
	var n atomic.Int32
	go func() {
		if n.Load() == 1 {
			panic("on purpose")
		}
	}()
	n.Store(1)
}
`})
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
		"see_test.go": `package try

import (
	"context"
	"math/rand"
	"sync"
	"testing"
	"time"

	"example.com/other"
)

var kept sync.Mutex
var total int

func work() {
	kept.Lock()
	defer kept.Unlock()
	total++
	other.Do()
	if rand.Int() == time.Now().Nanosecond() {
		_, cancel := context.WithTimeout(context.Background(), time.Hour)
		cancel()
	}
}

func TestWork(t *testing.T) {
	go work()
}

func TestChannel(t *testing.T) {
	c := make(chan int, 1)
	go func() { c <- 1 }()
}

func TestSelect(t *testing.T) {
	go func() {}()
	select {
	default:
	}
}

func TestTimer(t *testing.T) {
	time.AfterFunc(time.Hour, func() {}).Stop()
}

func BenchmarkNothing(b *testing.B) {}

func unused(c chan int) { <-c }
`}, "require example.com/other v0.0.0", "replace example.com/other => ./other")
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
