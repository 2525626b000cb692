//go:build loom

package loom_test

import (
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/sync"
)

var update = flag.Bool("update", false, "write the golden files")

const planted = "./loom/testdata/planted"

// shell runs a command in the root of the module, as a reader of a report would,
// and returns what it prints. It must fail.
func shell(t *testing.T, command string) string {
	t.Helper()
	sh, err := exec.LookPath("sh")
	require.NoError(t, err, "the commands are for a shell")
	cmd := exec.Command(sh, "-c", command)
	cmd.Dir = ".."
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit, "%s passed:\n%s", command, out)
	return string(out)
}

// reports cuts the output of go test into the reports of its tests.
func reports(output string) map[string]string {
	found := map[string]string{}
	header := regexp.MustCompile(`(?m)^ *--- FAIL: (\S+) .*\n`)
	for _, at := range header.FindAllStringSubmatchIndex(output, -1) {
		rest := output[at[1]:]
		if next := header.FindStringIndex(rest); next != nil {
			rest = rest[:next[0]]
		}
		if end := strings.Index(rest, "\nFAIL"); end >= 0 {
			rest = rest[:end]
		}
		if strings.Contains(rest, "replay: ") {
			found[output[at[2]:at[3]]] = undent(rest)
		}
	}
	return found
}

// undent takes the indentation of package testing off, and the lines that come
// before the report.
func undent(s string) string {
	s = s[strings.LastIndex(s[:strings.Index(s, " violated: ")], "\n")+1:]
	lines := strings.Split(strings.TrimRight(s, " \n"), "\n")
	depth := len(lines[0]) - len(strings.TrimLeft(lines[0], " "))
	for i := range lines {
		lines[i] = strings.TrimPrefix(lines[i], strings.Repeat(" ", depth))
		if i > 0 {
			lines[i] = strings.TrimPrefix(lines[i], "    ")
		}
	}
	return strings.Join(lines, "\n") + "\n"
}

// TestReports compares the reports of the planted bugs with golden files, and
// runs the replay command of each, as printed: it must report the same.
func TestReports(t *testing.T) {
	got := reports(shell(t, "go test -count=1 -tags loom "+planted+"/..."))
	require.Equal(t, 8+14+8+11, len(got), "%v", slices.Sorted(maps.Keys(got)))
	for name, report := range got {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, 1, strings.Count(report, " violated: "), "the first violation only")
			if !strings.HasPrefix(name, "TestOddNames") {
				golden(t, strings.ReplaceAll(name, "/", "-"), execution(report))
			}
			if strings.Contains(report, "are not ordered") {
				require.Len(t, regexp.MustCompile(`(?m)^>.* \S+\.go:\d+( < \S+)? `).FindAllString(report, -1), 2, "both sides, with their places")
			}
			again := reports(shell(t, replayOf(t, report)))
			require.Equal(t, 1, len(again))
			require.Equal(t, execution(report), execution(again[name]))
		})
	}
}

// golden compares text with a golden file.
func golden(t *testing.T, name, text string) {
	t.Helper()
	file := filepath.Join("testdata", "reports", name+".txt")
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err, "go test -tags loom -run TestReports ./loom -update writes it")
	require.Equal(t, string(want), text)
}

// replayOf returns the replay command of a report.
func replayOf(t *testing.T, report string) string {
	t.Helper()
	_, command, ok := strings.Cut(report, "replay: ")
	require.True(t, ok)
	command, _, _ = strings.Cut(command, "\n")
	return command
}

// execution returns the part of a report that does not count executions.
func execution(report string) string {
	head, _, _ := strings.Cut(report, "\n(")
	return strings.TrimRight(head, "\n") + "\n"
}

// TestFewSwitches: of the equivalent executions the report shows one in which
// threads go on for as long as they can, and nothing that does not matter.
func TestFewSwitches(t *testing.T) {
	v := violation(t, func() {
		var x, y atomic.Int32
		all(func() { y.Load(); y.Load(); x.Store(1) }, // the only one that matters
			func() { y.Load(); y.Load(); y.Load() },
			func() { y.Load(); y.Load(); y.Load() })
		if x.Load() == 1 {
			loom.Failf("Planted", "on purpose")
		}
	})
	_, schedule, _ := strings.Cut(v.Token, ".")
	require.Equal(t, "b3a", schedule)
}

func TestReplayOption(t *testing.T) {
	body := func() {
		var x atomic.Int32
		loom.Go(func() { x.Store(1) })
		if x.Load() == 1 {
			loom.Failf("Planted", "on purpose")
		}
	}
	v := violation(t, body)
	r, err := loom.Explore(body, loom.Replay(v.Token))
	var again *loom.Violation
	require.ErrorAs(t, err, &again)
	require.Equal(t, v.Schedule, again.Schedule)
	require.Equal(t, 1, r.Executions)

	_, err = loom.Explore(body, loom.Replay("x.ab"))
	require.ErrorContains(t, err, "violates nothing; if it once did, the code has changed since:", "another schedule")
	for _, bad := range []string{"x", "x.?", "x.b0", "x.b.", "x.b.1", "x.zz99999999999"} {
		_, err = loom.Explore(body, loom.Replay(bad))
		require.Error(t, err, "%q", bad)
	}
	_, err = loom.Explore(body, loom.Replay("x.cccc"))
	require.ErrorContains(t, err, "does not fit the body")
	_, err = loom.Explore(func() {
		var mu sync.Mutex
		mu.Lock()
		loom.Go(mu.Lock)
		mu.Unlock()
	}, loom.Replay(strings.SplitN(v.Token, ".", 2)[0]+".ab"))
	require.Regexp(t, `^loom: the schedule does not fit the body: after row 2 \(replay_test\.go:\d+  body: go thread 1\) it is the turn of thread 1, `+
		`which waits in Lock at replay_test\.go:\d+; the code has changed since, or the token is of another test$`, err.Error())
	_, err = loom.Explore(func() { new(atomic.Int32).Load() }, loom.Replay("x.b"))
	require.ErrorContains(t, err, "before the first row it is the turn of thread 1, which has not been started;")
}

// TestReplaySaysWhatItRan: how many rows there are, and how many of them are steps.
func TestReplaySaysWhatItRan(t *testing.T) {
	v := violation(t, racy)
	r, err := loom.Explore(racy, loom.Replay(v.Token))
	require.Error(t, err)
	require.Equal(t, "one execution, replayed: 3 rows, 2 of them steps, 2 threads", r.String())
}

// TestExploreInAnInlinedFunctionIsOfItsTest: the replay command names the test.
func TestExploreInAnInlinedFunctionIsOfItsTest(t *testing.T) {
	explore := func() (loom.Report, error) { return loom.Explore(racy, loom.MaxSteps(100)) }
	_, err := explore()
	var v *loom.Violation
	require.ErrorAs(t, err, &v)
	require.Contains(t, v.Command, " -run '^TestExploreInAnInlinedFunctionIsOfItsTest$' ")
}

// TestVerboseReplay: under -v a replay prints each step as it happens, and what
// the test prints comes between.
func TestVerboseReplay(t *testing.T) {
	out := shell(t, "go test -count=1 -tags loom -run '^TestTalkative$' "+planted)
	command := replayOf(t, reports(out)["TestTalkative"])
	require.NotContains(t, shell(t, command), "thread 1: int#0 Store 1\n")
	require.Regexp(t, `(?s)1  more_test\.go:\d+  body: go thread 1
 *2  more_test\.go:\d+  thread 1: int#0 Store 1
 *more_test\.go:\d+: thread 1 has stored
 *3  more_test\.go:\d+  body: int#0 Load = 1
 *more_test\.go:\d+: the body has seen it
.*Panic violated: body panicked at more_test\.go:\d+: seen`, shell(t, strings.Replace(command, "go test", "go test -v", 1)))
}

// listener is a test that keeps what is said to it.
type listener struct {
	testing.TB
	said []string
}

func (l *listener) Log(args ...any) { l.said = append(l.said, fmt.Sprint(args...)) }
func (l *listener) Logf(format string, args ...any) {
	l.said = append(l.said, fmt.Sprintf(format, args...))
}
func (l *listener) Output() io.Writer { panic("a search prints nothing") }

// TestQuietSearch: when all is well, one line says how exhaustive that was.
func TestQuietSearch(t *testing.T) {
	l := &listener{TB: t}
	r := loom.Check(l, func() { adds(3, 2) })
	require.Equal(t, []string{"loom: " + r.String()}, l.said)
	require.Regexp(t, `^loom: exhausted: 36 traces in 36 executions \(0 blocked\), \d+ steps, depth \d+, \d+ threads$`, l.said[0])
}
