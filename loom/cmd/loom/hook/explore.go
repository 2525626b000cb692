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
// What cannot be explored, because it is not deterministic, too long, has too many
// threads or does what no step shows, is run once as usual, and the command says
// so. If the user has named the tests to explore, that is a failure.
func Test(t *testing.T, body func(*testing.T)) {
	t.Helper()
	if machine.Current() != nil {
		body(t)
		return
	}
	c := &checked{T: t, settings: settings()}
	begin := time.Now()
	report := c.explore(body)
	res := c.result(report)
	res.Elapsed = time.Since(begin)
	c.settings.write(res)
	switch res.Status {
	case Violated:
		if c.violation != "" {
			t.Error(c.violation)
		}
	case Refused, Unchecked:
		if res.Failed {
			t.Fatal(c.message)
		}
		t.Logf("%v: not explored, run once as usual", c.message)
		body(t)
	case Bounded:
		t.Logf("loom: NOT EXHAUSTED: %v", report)
	case Skipped:
		t.Skip(c.skipText)
	}
}

// explore explores body, and finds out whether that says anything.
func (c *checked) explore(body func(*testing.T)) loom.Report {
	c.T.Helper()
	end := machine.WatchStrangers()
	defer end()
	report := loom.Check(c, func() { execution(c, body) }, c.options()...)
	if c.err == nil || c.violation != "" {
		c.strangers()
	} else if s := machine.FirstStranger(); s != "" {
		c.err = errors.New(strangerText(s))
	}
	if c.err != nil {
		c.message = c.err.Error()
	} else if c.violation == "" && report.Threads == 1 && os.Getenv("LOOM_REPLAY") == "" && c.unchecked == "" && c.skips == 0 {
		c.unchecked = "no second thread was started, so there was nothing to explore"
	}
	return report
}

// strangers refuses an exploration that has started goroutines which it does not
// follow. What looked like a violation may be the work of one that came too late:
// where there were calls that no step shows, it gets a moment.
func (c *checked) strangers() {
	s := machine.FirstStranger()
	if s == "" {
		s = machine.LeftStranger()
	}
	for i := 0; i < late && s == "" && c.foreign && c.violation != ""; i++ {
		time.Sleep(time.Millisecond)
		s = machine.FirstStranger()
	}
	if s != "" {
		c.err, c.violation = errors.New(strangerText(s)), ""
	}
}

// late is how many milliseconds later than a violation a goroutine may come that
// another package has started, and had started before.
const late = 50

func strangerText(s string) string {
	return "loom: " + strings.TrimPrefix(s, "loom: ") + ": the package that has started it is not rewritten, so nothing that was seen says anything"
}

// result says what became of the exploration, but for the time that it took.
func (c *checked) result(r loom.Report) Result {
	res := Result{
		Test: c.T.Name(), Package: testedPackage(), Status: c.status(r),
		Traces: r.Traces, Executions: r.Executions, Threads: r.Threads,
		Depth: r.MaxDepth, Skipped: c.skips, Message: c.message,
		Shard: r.Shard, Shards: r.Shards, Limited: r.Sampled || r.Bounded, Extent: r.String(),
		Replay: os.Getenv("LOOM_REPLAY") != "",
	}
	res.Extent, _, _ = strings.Cut(res.Extent, ": ")
	if res.Status == Unchecked {
		c.message = "loom: not checked: " + c.unchecked
		res.Message = c.unchecked
	}
	strict := c.settings.Strict || c.settings.For == 0 || res.Replay
	res.Failed = strict && (res.Status == Refused || res.Status == Unchecked)
	return res
}

// checked is a test as loom.Check sees it.
type checked struct {
	*testing.T
	settings Settings

	err       error  // why it cannot be explored
	violation string // what it violates, not yet told
	unchecked string // why the exploration says nothing
	foreign   bool   // it calls packages that are not rewritten
	message   string
	skips     int // executions that skipped the test
	skipText  string

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
	if errors.As(c.err, &saved) {
		c.settings.Strict = true
	}
}

// ReplayCommand is called by Check: a replay has to rewrite first.
func (c *checked) ReplayCommand(token, plain string) string {
	return c.settings.command(c.T.Name(), token, plain)
}

// Errorf is called by Check with a violation, which is told when it is known that
// it is one.
func (c *checked) Errorf(format string, args ...any) {
	c.T.Helper()
	c.violation = fmt.Sprintf(format, args...)
	for _, a := range args {
		if v, ok := a.(*loom.Violation); ok {
			c.message = v.Claim + ": " + v.Message
		}
	}
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
	case c.violation != "" || c.T.Failed():
		return Violated
	case r.Executions == 0:
		return NotRun
	case c.unchecked != "":
		return Unchecked
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
