package hook

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/filch-sched/filch/loom/internal/machine"
)

// T stands in for a *testing.T. To a thread of an exploration a failed test is a
// violation, which ends the execution; the rest is done for each execution anew.
// Elsewhere it is the *testing.T.
type T struct{ *testing.T }

// As returns t as the thing that an exploration is told by.
func As(t *testing.T) T { return T{t} }

// explored returns the running execution, nil if the caller is no thread of it.
func explored() *run {
	if machine.Current() == nil {
		return nil
	}
	return running
}

// Error is Error of testing.T.
func (t T) Error(args ...any) {
	t.Helper()
	if explored() != nil {
		fail(here() + ": " + trim(fmt.Sprintln(args...)))
	}
	t.T.Error(args...)
}

// Errorf is Errorf of testing.T.
func (t T) Errorf(format string, args ...any) {
	t.Helper()
	if explored() != nil {
		fail(here() + ": " + trim(fmt.Sprintf(format, args...)))
	}
	t.T.Errorf(format, args...)
}

// Fatal is Fatal of testing.T.
func (t T) Fatal(args ...any) {
	t.Helper()
	if explored() != nil {
		fail(here() + ": " + trim(fmt.Sprintln(args...)))
	}
	t.T.Fatal(args...)
}

// Fatalf is Fatalf of testing.T.
func (t T) Fatalf(format string, args ...any) {
	t.Helper()
	if explored() != nil {
		fail(here() + ": " + trim(fmt.Sprintf(format, args...)))
	}
	t.T.Fatalf(format, args...)
}

// Fail is Fail of testing.T.
func (t T) Fail() {
	if explored() != nil {
		fail(here() + ": the test failed")
	}
	t.T.Fail()
}

// FailNow is FailNow of testing.T.
func (t T) FailNow() {
	if explored() != nil {
		fail(here() + ": the test failed")
	}
	t.T.FailNow()
}

// Failed is Failed of testing.T: an execution that has failed has ended.
func (t T) Failed() bool { return explored() == nil && t.T.Failed() }

// Log is Log of testing.T. An exploration is quiet, a replay is not.
func (t T) Log(args ...any) {
	t.Helper()
	if x := explored(); x == nil || x.verbose {
		t.T.Log(args...)
	}
}

// Logf is Logf of testing.T.
func (t T) Logf(format string, args ...any) {
	t.Helper()
	if x := explored(); x == nil || x.verbose {
		t.T.Logf(format, args...)
	}
}

// Output is Output of testing.T.
func (t T) Output() io.Writer {
	if x := explored(); x == nil || x.verbose {
		return t.T.Output()
	}
	return io.Discard
}

// Attr is Attr of testing.T.
func (t T) Attr(key, value string) {
	if explored() == nil {
		t.T.Attr(key, value)
	}
}

// Skip is Skip of testing.T. It ends the execution, which counts as skipped.
func (t T) Skip(args ...any) {
	t.Helper()
	if x := explored(); x != nil {
		x.skip(trim(fmt.Sprintln(args...)))
	}
	t.T.Skip(args...)
}

// Skipf is Skipf of testing.T.
func (t T) Skipf(format string, args ...any) {
	t.Helper()
	if x := explored(); x != nil {
		x.skip(trim(fmt.Sprintf(format, args...)))
	}
	t.T.Skipf(format, args...)
}

// SkipNow is SkipNow of testing.T.
func (t T) SkipNow() {
	if x := explored(); x != nil {
		x.skip("")
	}
	t.T.SkipNow()
}

// Parallel is Parallel of testing.T. Explorations take turns.
func (t T) Parallel() {
	if explored() == nil {
		t.T.Parallel()
	}
}

// Cleanup is Cleanup of testing.T, at the end of the execution.
func (t T) Cleanup(f func()) {
	if x := explored(); x != nil {
		x.cleanups = append(x.cleanups, f)
		return
	}
	t.T.Cleanup(f)
}

// TempDir is TempDir of testing.T: empty in every execution.
func (t T) TempDir() string {
	t.Helper()
	if x := explored(); x != nil {
		return x.tempDir(t.T)
	}
	return t.T.TempDir()
}

// Context is Context of testing.T. It ends with the execution.
func (t T) Context() context.Context {
	if x := explored(); x != nil {
		return x.context
	}
	return t.T.Context()
}

// Setenv is Setenv of testing.T, for the execution.
func (t T) Setenv(key, value string) {
	x := explored()
	if x == nil {
		t.T.Setenv(key, value)
		return
	}
	old, was := os.LookupEnv(key)
	if err := os.Setenv(key, value); err != nil {
		fail(fmt.Sprintf("%s: %v", here(), err))
	}
	x.cleanups = append(x.cleanups, func() {
		if was {
			os.Setenv(key, old)
		} else {
			os.Unsetenv(key)
		}
	})
}

// Chdir is Chdir of testing.T, for the execution.
func (t T) Chdir(dir string) {
	x := explored()
	if x == nil {
		t.T.Chdir(dir)
		return
	}
	old, err := os.Getwd()
	if err == nil {
		err = os.Chdir(dir)
	}
	if err != nil {
		fail(fmt.Sprintf("%s: %v", here(), err))
	}
	x.cleanups = append(x.cleanups, func() { _ = os.Chdir(old) })
}

// Run is Run of testing.T. In an exploration f is a part of the execution. A
// subtest of a test marked by [Subtests] is explored by itself.
func (t T) Run(name string, f func(*testing.T)) bool {
	if x := explored(); x != nil {
		x.subtest(t.T, f)
		return true
	}
	if exploresSubtests(t.T) {
		return t.T.Run(name, func(t *testing.T) {
			t.Helper()
			Test(t, f)
		})
	}
	return t.T.Run(name, f)
}

func trim(s string) string { return strings.TrimRight(s, "\n") }
