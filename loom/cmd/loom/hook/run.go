package hook

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/filch-sched/filch/loom/internal/machine"
)

// run is one execution of the body of a test.
type run struct {
	test     *checked
	verbose  bool
	cleanups []func()
	context  context.Context
	dirs     int // temporary directories handed out
}

// running is the execution that the threads of the exploration belong to. There
// is one exploration at a time, and one of its threads runs.
var running *run

// skipping is what a skipped test panics with, up to the end of its body.
type skipping struct{ text string }

// execution runs the body once, on the first thread of an exploration.
func execution(c *checked, body func(*testing.T)) {
	t := machine.Current()
	if s := machine.FirstStranger(); s != "" {
		t.Reject(s)
	}
	x := &run{test: c, verbose: t.Tracing() && os.Getenv("LOOM_REPLAY") != ""}
	running = x
	nameGlobals(t)
	defer func() {
		switch p := recover().(type) {
		case nil:
		case skipping:
			c.skips++
			c.skipText = p.text
		default:
			panic(p)
		}
	}()
	ctx, cancel := context.WithCancel(context.Background())
	x.context = ctx
	defer x.end(0)
	defer cancel()
	body(c.T)
}

// end calls the functions that Cleanup was given since there were n, the last
// one first, the others also if it ends the execution.
func (x *run) end(n int) {
	last := len(x.cleanups) - 1
	if last < n {
		return
	}
	f := x.cleanups[last]
	x.cleanups = x.cleanups[:last]
	defer x.end(n)
	f()
}

func (x *run) skip(text string) { panic(skipping{text}) }

// subtest runs f as a subtest that is a part of the execution.
func (x *run) subtest(t *testing.T, f func(*testing.T)) {
	n := len(x.cleanups)
	defer func() {
		if p := recover(); p != nil {
			if _, ok := p.(skipping); !ok {
				panic(p)
			}
		}
	}()
	defer x.end(n)
	f(t)
}

// tempDir returns an empty directory. Executions get the same ones, in the order
// in which they ask.
func (x *run) tempDir(t *testing.T) string {
	c := x.test
	if c.dirs == nil {
		c.root = t.TempDir()
	}
	for x.dirs >= len(c.dirs) {
		c.dirs = append(c.dirs, filepath.Join(c.root, fmt.Sprintf("%03d", len(c.dirs)+1)))
	}
	dir := c.dirs[x.dirs]
	x.dirs++
	err := os.RemoveAll(dir)
	if err == nil {
		err = os.Mkdir(dir, 0o777)
	}
	if err != nil {
		fail(here() + ": " + err.Error())
	}
	return dir
}
