package hook

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/internal/explore"
	"github.com/filch-sched/filch/loom/internal/machine"
)

// Test runs the body of a test: explored, if the caller is no thread of an
// exploration already.
//
// What cannot be explored, because it is not deterministic, too long or has too
// many threads, is run once as usual, and the command says so. If the user has
// named the tests to explore, that is a failure.
func Test(t *testing.T, body func(*testing.T)) {
	t.Helper()
	if machine.Current() != nil {
		body(t)
		return
	}
	s := settings()
	c := &checked{T: t, settings: s}
	begin := time.Now()
	report := loom.Check(c, func() { execution(c, body) }, c.options()...)
	res := Result{
		Test: t.Name(), Package: testedPackage(), Status: c.status(report),
		Traces: report.Traces, Executions: report.Executions, Threads: report.Threads,
		Depth: report.MaxDepth, Skipped: c.skips, Elapsed: time.Since(begin), Message: c.message,
	}
	s.write(res)
	switch res.Status {
	case Refused:
		if c.settings.Strict {
			t.Fatal(c.err)
		}
		t.Logf("%v: not explored, run once as usual", c.err)
		body(t)
	case Bounded:
		t.Logf("loom: NOT EXHAUSTED: %v", report)
	case Skipped:
		t.Skip(c.skipText)
	}
}

// checked is a test as loom.Check sees it.
type checked struct {
	*testing.T
	settings Settings

	err      error // why it cannot be explored
	message  string
	skips    int // executions that skipped the test
	skipText string

	root string   // of the temporary directories
	dirs []string // by the order in which executions ask
}

// options returns the options of the exploration: it is bounded unless the user
// wants it to the end, and always ends before the time for the test does.
func (c *checked) options() []loom.Option {
	bound := c.settings.For
	if bound == 0 {
		return nil
	}
	if at, ok := c.T.Deadline(); ok {
		bound = max(min(bound, time.Until(at)/2), time.Millisecond)
	}
	return []loom.Option{loom.Deadline(bound)}
}

// Fatal is called by Check with an error.
func (c *checked) Fatal(args ...any) {
	c.T.Helper()
	c.err, _ = args[0].(error)
	if c.err == nil {
		c.err = fmt.Errorf("%s", fmt.Sprint(args...))
	}
	c.message = c.err.Error()
	// What was saved is of other code: if the test just passed, nobody would see.
	var saved *explore.NotResumed
	if errors.As(c.err, &saved) || c.settings.For == 0 || os.Getenv("LOOM_REPLAY") != "" {
		c.settings.Strict = true
	}
}

// ReplayCommand is called by Check: a replay has to rewrite first.
func (c *checked) ReplayCommand(token, plain string) string {
	return c.settings.command(c.T.Name(), token, plain)
}

// Errorf is called by Check with a violation.
func (c *checked) Errorf(format string, args ...any) {
	c.T.Helper()
	for _, a := range args {
		if v, ok := a.(*loom.Violation); ok {
			c.message = v.Claim + ": " + v.Message
		}
	}
	c.T.Errorf(format, args...)
}

// Log is called by Check with the report.
func (c *checked) Log(args ...any) {
	c.T.Helper()
	c.T.Log(args...)
}

func (c *checked) status(r loom.Report) Status {
	switch {
	case c.err != nil:
		return Refused
	case c.T.Failed():
		return Violated
	case r.Executions == 0:
		return NotRun
	case c.skips > 0 && c.skips == r.Executions:
		return Skipped
	case r.Exhausted:
		return Exhausted
	default:
		return Bounded
	}
}

// subtests has the names of the tests whose subtests are explored.
var subtests sync.Map

// Subtests says that the subtests of t are to be explored, each by itself.
func Subtests(t *testing.T) { subtests.Store(t.Name(), true) }

// exploresSubtests reports whether the subtests of t are to be explored.
func exploresSubtests(t *testing.T) bool {
	root, _, _ := strings.Cut(t.Name(), "/")
	_, yes := subtests.Load(root)
	return yes
}

// testedPackage returns the directory of the package under test, from the root
// of its module. A test binary starts there.
var testedPackage = sync.OnceValue(func() string {
	dir, err := os.Getwd()
	if err != nil {
		return "."
	}
	for root := dir; ; root = filepath.Dir(root) {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
			rel, err := filepath.Rel(root, dir)
			if err != nil || rel == "." {
				return "."
			}
			return "./" + filepath.ToSlash(rel)
		}
		if root == filepath.Dir(root) {
			return "."
		}
	}
})

// here returns the file and line of the caller outside of this package.
func here() string {
	var pcs [16]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	for {
		f, more := frames.Next()
		if !strings.HasPrefix(f.Function, hookPath) || !more {
			return fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line)
		}
	}
}

const hookPath = "github.com/filch-sched/filch/loom/cmd/loom/hook."
