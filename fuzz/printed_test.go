//go:build !loom && !race

package fuzz_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/filch-sched/filch/fuzz"
	"github.com/stretchr/testify/require"
)

// userModule is a module that somebody else has, with a package in a directory below its
// root: a stack that is called a queue, and queues that lose a value when two puts
// overlap: at times, or once in the life of a process, but under the tag loom always.
var userModule = map[string]string{
	"deep/mine/mine.go": `package mine

import (
	"runtime"
	stdatomic "sync/atomic"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/sync"
)

type Stack struct {
	mu     sync.Mutex
	values []int
}

func (s *Stack) Put(v int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.values = append(s.values, v)
	return true
}

func (s *Stack) take(i func(n int) int) (int, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.values)
	if n == 0 {
		return 0, false
	}
	v := s.values[i(n)]
	s.values = append(s.values[:i(n):i(n)], s.values[i(n)+1:]...)
	return v, true
}

func (s *Stack) Take() (int, bool) { return s.take(func(n int) int { return n - 1 }) }

// Loses is a queue that loses what is put while something else is, each time that lost says so.
type Loses struct {
	Stack
	inside atomic.Int32
	lost   func() bool
}

func (q *Loses) Put(v int) bool {
	defer q.inside.Add(-1)
	if q.inside.Add(1) > 1 && (loom.Enabled || q.lost()) {
		return true
	}
	if !loom.Enabled {
		runtime.Gosched()
	}
	return q.Stack.Put(v)
}

func (q *Loses) Take() (int, bool) { return q.take(func(int) int { return 0 }) }

var overlaps stdatomic.Int64

func Seldom() bool { return overlaps.Add(1)%50 == 0 }
func Once() bool   { return overlaps.Add(1) == 1 }
`,
	"deep/mine/mine_test.go": `package mine

import (
	"testing"

	"github.com/filch-sched/filch/fuzz"
)

func FuzzStack(f *testing.F) {
	fuzz.Queue(f, func() fuzz.QueueOps { s := new(Stack); return fuzz.QueueOps{Put: s.Put, Take: s.Take} })
}

func loses(f *testing.F, lost func() bool) {
	fuzz.Queue(f, func() fuzz.QueueOps { q := &Loses{lost: lost}; return fuzz.QueueOps{Put: q.Put, Take: q.Take} })
}

func FuzzSeldom(f *testing.F) { loses(f, Seldom) }
func FuzzOnce(f *testing.F)   { loses(f, Once) }
`,
}

// inUserModule writes the module and returns its root.
func inUserModule(t *testing.T) string {
	t.Helper()
	repository, err := filepath.Abs("..")
	require.NoError(t, err)
	sums, err := os.ReadFile(filepath.Join(repository, "go.sum"))
	require.NoError(t, err)
	needs, err := os.ReadFile(filepath.Join(repository, "go.mod"))
	require.NoError(t, err)
	requires := regexp.MustCompile(`(?m)^\t\S+ v\S+`).FindAllString(string(needs), -1)
	root := t.TempDir()
	all := map[string]string{"go.sum": string(sums), "go.mod": "module example.com/user\n\ngo 1.26\n\nrequire (\n\tgithub.com/filch-sched/filch v0.0.0\n" +
		strings.Join(requires, "\n") + "\n)\n\nreplace github.com/filch-sched/filch => " + filepath.ToSlash(repository) + "\n"}
	for name, text := range userModule {
		all[name] = text
	}
	for name, text := range all {
		file := filepath.Join(root, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	}
	return root
}

// words are those of a command as a shell reads it: in it are no quotes but single ones,
// and in these no spaces.
func words(command string) []string {
	all := strings.Fields(command)
	for i, w := range all {
		all[i] = strings.ReplaceAll(w, "'", "")
	}
	return all
}

// pasted runs a command in dir: assignments, a program and its arguments.
func pasted(t *testing.T, dir, command string) (string, error) {
	t.Helper()
	t.Logf("$ %s", command)
	all := words(command)
	env := os.Environ()
	for strings.Contains(all[0], "=") {
		env, all = append(env, all[0]), all[1:]
	}
	cmd := exec.Command(all[0], all[1:]...)
	cmd.Dir, cmd.Env = dir, env
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// one is what a pattern finds in a text, in its brackets.
func one(t *testing.T, pattern, text string) string {
	t.Helper()
	m := regexp.MustCompile(pattern).FindStringSubmatch(text)
	require.NotNil(t, m, "no %s in:\n%s", pattern, text)
	return m[1]
}

// breaks runs a command that has to fail by a claim.
func breaks(t *testing.T, root, command, claim string) string {
	t.Helper()
	out, err := pasted(t, root, command)
	require.Error(t, err, "%s", out)
	requireNames(t, []string{claim}, out)
	t.Logf("%s", out)
	return out
}

// TestPrintedCommandsWork pastes what a failure says into a shell at the root of a
// module that uses filch.
func TestPrintedCommandsWork(t *testing.T) {
	root := inUserModule(t)
	t.Run("in order", func(t *testing.T) {
		out := breaks(t, root, "go test -run FuzzStack ./...", "InjectFIFO")
		require.NotContains(t, out, "again:", "it fails whenever it is run")
		breaks(t, filepath.Join(root, "deep"), one(t, `replay: (go test .*)`, out), "InjectFIFO")
	})
	t.Run("by timing", func(t *testing.T) {
		out := breaks(t, root, "go test -run FuzzSeldom ./...", "NoLostTask")
		require.Regexp(t, `again: it fails by timing, in some runs only: run again, it failed in run \d+`, out)
		breaks(t, root, one(t, `replay: (FUZZ_FOR=\d+s go test .*)`, out), "NoLostTask")
		require.LessOrEqual(t, strings.Count(one(t, `(?s)program:\n(.*?)\n\s*again:`, out), ","), 20, "it is not shrunk")
	})
	t.Run("saved", func(t *testing.T) {
		out := breaks(t, root, "go test -run ^$ -fuzz FuzzSeldom -fuzztime 60s ./deep/mine", "NoLostTask")
		file := one(t, `saved as (\S+), which`, out)
		require.Equal(t, "deep/mine/testdata/found/FuzzSeldom-nolosttask.txt", file)
		require.FileExists(t, filepath.Join(root, filepath.FromSlash(file)))
		require.NoError(t, os.RemoveAll(filepath.Join(root, "deep/mine/testdata/fuzz")))
		require.Contains(t, breaks(t, root, one(t, `, which (go test .*) runs first`, out), "NoLostTask"), file+":")
		runs := `FuzzSeldom-nolosttask.txt: (?s).*?replay: (FUZZ_FOR=20s go test -v -count=1 -run '\^FuzzSeldom\$/\^\$' \S+)`
		one(t, runs, breaks(t, root, "go test -run FuzzSeldom ./deep/mine", "NoLostTask"))
		again := breaks(t, root, one(t, `replay: (FUZZ_FOR=\d+[sm] go test -v .*)`, out), "NoLostTask")
		require.NotContains(t, again, "seed#", "the inputs are run, too")
	})
	t.Run("never again", func(t *testing.T) {
		out := breaks(t, root, "go test -run FuzzOnce ./...", "NoLostTask")
		require.Regexp(t, `again: it fails by timing, and so seldom that it DID NOT COME BACK in [1-9]\d+ runs`, out)
		one(t, `replay: (FUZZ_FOR=2m go test .* example\.com/user/deep/mine)`, out)
		breaks(t, root, one(t, `chosen: (go test -tags loom .*)`, out), "NoLostTask")
	})
}

// TestABadTimeIsRefused: a variable of the environment that is misspelt would be no time.
func TestABadTimeIsRefused(t *testing.T) {
	for _, word := range []string{"soon", "-1s", "0"} {
		t.Setenv("FUZZ_FOR", word)
		out, err := test(t, t.TempDir(), "queue", "-test.run=^FuzzTheirs$")
		require.Error(t, err)
		require.Contains(t, out, "fuzz: FUZZ_FOR="+word+" is no time: want one such as 30s")
	}
}

// TestWhatDoesNotComeBackIsSaid: a saved program that fails by timing may pass though
// nothing was mended, which go test says without -v, with how to run it for longer.
func TestWhatDoesNotComeBackIsSaid(t *testing.T) {
	dir := t.TempDir()
	found := filepath.Join(dir, fuzz.FoundDir)
	require.NoError(t, os.MkdirAll(found, 0o755))
	save := func(name, how string) {
		require.NoError(t, os.WriteFile(filepath.Join(found, name), []byte("# Found by FuzzTheirs: NoLostTask violated when run "+how+
			".\ntarget: inject\nfirst: inject.push 1\nsecond: inject.pop\nclaims: NoLostTask\n"), 0o644))
	}
	save("FuzzTheirs-order.txt", "in order")
	save("FuzzTheirs-timing.txt", "concurrently, without -tags loom")
	t.Setenv("FUZZ_FOR", "200ms")
	out, err := test(t, dir, "queue", "-test.run=^FuzzTheirs$", "-test.skip=^FuzzTheirs$/.")
	require.NoError(t, err, "%s", out)
	require.Regexp(t, `fuzz: testdata/found/FuzzTheirs-timing.txt DID NOT COME BACK in 200ms, \d\d+ runs on goroutines.*FUZZ_FOR=2m go test -v -count=1 -run '\^FuzzTheirs\$/\^\$' github.com/filch-sched/filch/fuzz;`, out)
	require.NotContains(t, out, "FuzzTheirs-order.txt")
}

// TestASlowQueueIsNotWaitedForLong: go test without -fuzz says what it has left out.
func TestASlowQueueIsNotWaitedForLong(t *testing.T) {
	begin := time.Now()
	out, err := test(t, t.TempDir(), "slow", "-test.run=^FuzzTheirs$")
	require.NoError(t, err, "%s", out)
	require.Regexp(t, `fuzz: [1-9]\d* inputs of FuzzTheirs not run, since those before them took 15s: some operation is slow`, out)
	require.Less(t, time.Since(begin), 100*time.Second)
}
