//go:build loom

package loom

import (
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"github.com/filch-sched/filch/loom/internal/explore"
	"github.com/filch-sched/filch/loom/internal/root"
)

// watch returns a watcher for an exploration of body that begins now. It writes
// how far it is to the terminal if standard error is one; LOOM_PROGRESS=1 makes
// it do so in any case, LOOM_PROGRESS=0 in none, and another value is a file to
// append to, such as /dev/tty under a go test that keeps the output of tests.
func (c *config) watch(body func(), opts explore.Options) *explore.Progress {
	p := explore.NewProgress(body, opts)
	p.Open = func() (out io.Writer, terminal bool, name string) {
		name, _, _ = strings.Cut(c.title(), "#")
		if c.callers != nil {
			name = name[strings.LastIndexByte(name, '/')+1:]
		}
		out, terminal = progressOutput(os.Getenv("LOOM_PROGRESS"))
		return out, terminal, name
	}
	return p
}

// warned has the names of the tests that warn has spoken of.
var warned sync.Map

// warn says that an exploration has passed which has not seen all, or none of the
// steps. The log of a test that passes is seen by nobody who does not ask for it, by
// -v, and what ends the search may have been set in the environment, a long time ago.
// The command loom says so itself.
func (c *config) warn(r Report) {
	verbose := flag.Lookup("test.v")
	if r.Exhausted && !r.silent() || r.Executions == 0 || c.rewrite != nil || verbose != nil && verbose.Value.String() != "false" {
		return
	}
	name, _, _ := strings.Cut(c.title(), "#")
	if _, again := warned.LoadOrStore(name, true); again {
		return
	}
	out, _ := progressOutput(os.Getenv("LOOM_PROGRESS"))
	if out == nil {
		out = os.Stderr
	}
	what := r.String()
	if r.silent() {
		what = fmt.Sprintf("of its %d threads no step was seen: what they share, if anything, is not on loom/atomic and loom/sync", r.Threads)
	}
	fmt.Fprintf(out, "loom: %s passes, but %s\n", name, what)
}

func progressOutput(setting string) (out io.Writer, terminal bool) {
	file := os.Stderr
	switch setting {
	case "0":
		return nil, false
	case "", "1":
	default:
		f, err := os.OpenFile(root.File(setting), os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o644)
		if err != nil {
			fmt.Fprintf(os.Stderr, "loom: LOOM_PROGRESS: %v\n", err)
			return nil, false
		}
		file = f // to be closed when it is collected: lines are rare
	}
	info, err := file.Stat()
	terminal = err == nil && info.Mode()&os.ModeCharDevice != 0
	if setting == "" && !terminal {
		return nil, false
	}
	return file, terminal
}
