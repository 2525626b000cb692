package loom

import (
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// checks counts the calls of Check by test, so that each has its own token.
var checks sync.Map // testing.TB to *atomic.Int32

// of fills in what the test t tells about its exploration.
func (c *config) of(t testing.TB) {
	n, seen := checks.LoadOrStore(t, new(atomic.Int32))
	if !seen {
		t.Cleanup(func() { checks.Delete(t) })
	}
	c.name = checkName(t, n.(*atomic.Int32).Add(1))
	if d, ok := t.(interface{ Deadline() (time.Time, bool) }); ok {
		if at, ok := d.Deadline(); ok {
			c.limit = at.Add(-time.Until(at) / 20) // leaves time to say so
		}
	}
	if !t.Failed() { // a failure from before says nothing about this run
		c.failed = t.Failed
	}
}

// checkName names the nth Check of t.
func checkName(t testing.TB, n int32) string { return fmt.Sprintf("%s#%d", t.Name(), n) }

// tag names the exploration in a token, in a few letters.
func (c config) tag() string {
	name := c.name
	if name == "" {
		f, _ := runtime.CallersFrames(c.caller[:]).Next()
		name = f.Function
	}
	h := fnv.New32a()
	h.Write([]byte(name))
	return strconv.FormatUint(uint64(h.Sum32()), 36)
}

// command returns the shell command that runs the execution of token again, in
// the test called name of the package whose directory this process works in.
func command(name, token string) string {
	if token == "" {
		return ""
	}
	parts := strings.Split(name, "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	run := strings.ReplaceAll(strings.Join(parts, "/"), "'", `'\''`)
	return fmt.Sprintf("%s=%s go test -tags loom -run '%s' %s", replayVariable, token, run, packagePath())
}

// packagePath returns the package under test as go test takes it in the root of
// its module. A test binary starts in the directory of its package.
func packagePath() string {
	dir, err := os.Getwd()
	if err != nil {
		return "."
	}
	for root := dir; ; root = filepath.Dir(root) {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
			rel, err := filepath.Rel(root, dir)
			if err != nil {
				return "."
			}
			return "./" + filepath.ToSlash(rel)
		}
		if root == filepath.Dir(root) {
			return "."
		}
	}
}
