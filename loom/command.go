package loom

import (
	"flag"
	"fmt"
	"hash/fnv"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/filch-sched/filch/loom/internal/root"
)

// checks counts the calls of Check by test, so that each has its own token.
var checks sync.Map // testing.TB to *atomic.Int32

// of fills in what the test t tells about its exploration.
func (c *config) of(t testing.TB) {
	n, seen := checks.LoadOrStore(t, new(atomic.Int32))
	if !seen {
		t.Cleanup(func() { checks.Delete(t) })
	}
	c.name, c.test = checkName(t, n.(*atomic.Int32).Add(1)), t.Name()
	c.out = t.Output
	if r, ok := t.(replayCommander); ok {
		c.rewrite = r.ReplayCommand
	}
	if d, ok := t.(interface{ Deadline() (time.Time, bool) }); ok {
		if at, ok := d.Deadline(); ok {
			c.limit = at.Add(-time.Until(at) / 20) // leaves time to say so
		}
	}
	if !t.Failed() { // a failure from before says nothing about this run
		c.failed = t.Failed
	}
}

// replayCommander is a test that is not run by a plain go test: it says how the
// execution of a token is replayed, given the command that would do so otherwise.
type replayCommander interface {
	ReplayCommand(token, plain string) string
}

// checkName names the nth Check of t.
func checkName(t testing.TB, n int32) string { return fmt.Sprintf("%s#%d", t.Name(), n) }

// callers is what leads to a call of Explore.
type callers struct {
	root uintptr // a place in the function that package testing has called
	nth  int32   // call of Explore in this test
}

// explores counts the calls of Explore by test: the function that package testing
// runs, which for a subtest is the one given to t.Run.
var explores sync.Map // entry of a function to *atomic.Int32

// from fills in who calls Explore. To find out all costs more than a small search
// takes, so only what cannot be found out later is noted.
func (c *config) from() {
	c.callers = &callers{root: testPlace()}
	c.callers.nth = c.callers.count().Add(1)
}

// testPlace returns a place in the function that package testing has called: the third
// from the bottom of the stack, above that of testing and the end of the goroutine.
func testPlace() uintptr {
	var pcs [64]uintptr
	n := runtime.Callers(2, pcs[:])
	return pcs[max(n-3, 0)]
}

// count returns how often the test has called Explore.
func (w *callers) count() *atomic.Int32 {
	var entry uintptr
	if f := runtime.FuncForPC(w.root); f != nil {
		entry = f.Entry()
	}
	n, seen := explores.Load(entry)
	if !seen {
		n, _ = explores.LoadOrStore(entry, new(atomic.Int32))
	}
	return n.(*atomic.Int32)
}

// test returns the name of the function that package testing has called. At a place
// in it may be code of another one, inlined, but not at its entry.
func (w *callers) test() string {
	if f := runtime.FuncForPC(w.root); f != nil {
		if f = runtime.FuncForPC(f.Entry()); f != nil {
			return f.Name()
		}
	}
	return ""
}

// title names the exploration.
func (c *config) title() string {
	if c.callers == nil {
		return c.name
	}
	return exploreName(c.callers.test(), c.callers.nth)
}

// exploreName names the nth Explore of a test.
func exploreName(test string, n int32) string { return fmt.Sprintf("%s#%d", test, n) }

// tag names the exploration in a token, in a few letters.
func (c *config) tag() string {
	h := fnv.New32a()
	h.Write([]byte(c.title()))
	return strconv.FormatUint(uint64(h.Sum32()), 36)
}

// testFunction finds the test in the name of a function: that of a closure in it
// has more after it.
var testFunction = regexp.MustCompile(`\.((?:Test|Fuzz|Benchmark|Example)(?:[^a-z.][^.]*)?)(?:\.|$)`)

// command returns the shell command that runs the execution of token again, in
// the package whose directory this process works in. It is empty if no test
// runs the exploration.
func (c *config) command(token string) string {
	name, filter := c.test, ""
	if c.callers != nil {
		m := testFunction.FindStringSubmatch(c.callers.test())
		if m == nil {
			return ""
		}
		name = m[1]
		// Which of the subtests called Explore is not known, but that it is the
		// nth of those that -run has asked for.
		if run := flag.Lookup("test.run"); run != nil && strings.Contains(run.Value.String(), "/") {
			filter = run.Value.String()
		}
	}
	if name == "" {
		return ""
	}
	if filter == "" {
		parts := strings.Split(name, "/")
		for i, p := range parts {
			parts[i] = "^" + regexp.QuoteMeta(p) + "$"
		}
		filter = strings.Join(parts, "/")
	}
	filter = "'" + strings.ReplaceAll(filter, "'", `'\''`) + "'"
	if strings.HasPrefix(name, "Benchmark") {
		filter = "'^$' -bench " + filter
	}
	return fmt.Sprintf("%s=%s go test -tags %s -run %s %s", replayVariable, token, buildTags(), filter, packagePath())
}

// buildTags returns the tags that this program was built with, of which loom is
// one.
func buildTags() string {
	tags := []string{"loom"}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "-tags" {
				for _, tag := range strings.Split(s.Value, ",") {
					if tag != "" && tag != "loom" {
						tags = append(tags, tag)
					}
				}
			}
		}
	}
	return strings.Join(tags, ",")
}

// packagePath returns the package under test as go test takes it in the root of
// its module. A test binary starts in the directory of its package.
func packagePath() string {
	dir, top := root.Module()
	if top == "" {
		return "."
	}
	rel, err := filepath.Rel(top, dir)
	if err != nil || rel == "." {
		return "."
	}
	return "./" + filepath.ToSlash(rel)
}
