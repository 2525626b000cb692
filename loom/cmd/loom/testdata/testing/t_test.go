package try

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
