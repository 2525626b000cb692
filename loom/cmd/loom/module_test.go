//go:build !loom && !race

package main_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// files are the files of a module, by name.
type files map[string]string

// module makes a module in a directory of its own, as a user of loom would: it
// has this command among its tools. Names in extra become lines of go.mod.
func module(t *testing.T, all files, extra ...string) string {
	t.Helper()
	dir := t.TempDir()
	if _, given := all["go.mod"]; !given {
		write(t, dir, files{"go.mod": goMod(t, "example.com/try") + strings.Join(extra, "\n") + "\n"})
	}
	write(t, dir, all)
	return dir
}

// goMod returns a go.mod that has this command among its tools.
func goMod(t *testing.T, path string) string {
	root, err := filepath.Abs("../../..")
	require.NoError(t, err)
	return "module " + path + "\n\ngo 1.26\n\n" +
		"require github.com/filch-sched/filch v0.0.0\n\n" +
		"replace github.com/filch-sched/filch => " + filepath.ToSlash(root) + "\n\n" +
		"tool github.com/filch-sched/filch/loom/cmd/loom\n\n"
}

// testdata returns the files of a directory of that name below testdata.
func testdata(t *testing.T, name string) files {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join("testdata", name))
	require.NoError(t, err)
	all := files{}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join("testdata", name, e.Name()))
		require.NoError(t, err)
		all[e.Name()] = string(text)
	}
	return all
}

func write(t *testing.T, dir string, all files) {
	t.Helper()
	for name, text := range all {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	}
}

// result is what a command printed and how it ended.
type result struct {
	out, err string
	status   int
}

// all returns both outputs.
func (r result) all() string { return r.out + r.err }

// run runs a command in dir.
func run(t *testing.T, dir string, env []string, name string, args ...string) result {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil {
		require.ErrorAs(t, err, &exit)
	}
	return result{out.String(), errs.String(), cmd.ProcessState.ExitCode()}
}

// loom runs "go tool loom" in dir.
func loom(t *testing.T, dir string, args ...string) result {
	t.Helper()
	return run(t, dir, nil, "go", append([]string{"tool", "loom"}, args...)...)
}

// passes runs "go tool loom" in dir and expects it to pass.
func passes(t *testing.T, dir string, args ...string) result {
	t.Helper()
	r := loom(t, dir, args...)
	require.Zero(t, r.status, "%s", r.all())
	return r
}

// fails runs "go tool loom" in dir and expects it to fail.
func fails(t *testing.T, dir string, args ...string) result {
	t.Helper()
	r := loom(t, dir, args...)
	require.NotZero(t, r.status, "%s", r.all())
	return r
}

// replay runs the replay command in the output of a run, as it is printed, and
// expects the same violation.
func replay(t *testing.T, dir string, r result) {
	t.Helper()
	claim := regexp.MustCompile(`loom: \w+ violated: .*`)
	_, command, found := strings.Cut(r.out, "replay: ")
	require.True(t, found, "%s", r.all())
	command, _, _ = strings.Cut(command, "\n")
	sh, err := exec.LookPath("sh")
	require.NoError(t, err, "the commands are for a shell")
	again := run(t, dir, nil, sh, "-c", command)
	require.NotZero(t, again.status, "%s passed\n%s", command, again.all())
	require.Equal(t, claim.FindString(r.out), claim.FindString(again.out), "%s\n%s", command, again.all())
}

// counter is a module with a counter that loses updates, in two ways.
var counter = files{
	"counter.go": `package try

import "sync/atomic"

type Counter struct{ n atomic.Int32 }

func (c *Counter) Good() { c.n.Add(1) }

func (c *Counter) Bad() { c.n.Store(c.n.Load() + 1) }

func (c *Counter) Value() int32 { return c.n.Load() }
`,
	"counter_test.go": `package try

import (
	"sync"
	"testing"
)

func use(t *testing.T, add func(*Counter)) {
	var c Counter
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			add(&c)
		}()
	}
	wg.Wait()
	if n := c.Value(); n != 2 {
		t.Errorf("counted %d", n)
	}
}

func TestGood(t *testing.T) { use(t, (*Counter).Good) }

func TestBad(t *testing.T) { use(t, (*Counter).Bad) }

func TestAlone(t *testing.T) {}
`,
}
