package main_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// binary is the audit, built as a user builds it: go run hides exit statuses.
var binary string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "filch-audit-test-")
		if err == nil {
			defer os.RemoveAll(dir)
			binary = filepath.Join(dir, "audit.exe")
			var out []byte
			if out, err = exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
				err = fmt.Errorf("%w\n%s", err, out)
			}
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		return m.Run()
	}())
}

// result is what a run of the audit came to.
type result struct {
	code   int
	out    string
	last   string // the last line of its output
	errors string
}

// audit runs the audit in directory dir.
func audit(t *testing.T, dir string, env []string, args ...string) result {
	t.Helper()
	return auditWith(t, binary, dir, env, args...)
}

// auditWith runs another build of the audit.
func auditWith(t *testing.T, exe, dir string, env []string, args ...string) result {
	t.Helper()
	var out, errs bytes.Buffer
	cmd := exec.Command(exe, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		require.NoError(t, err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	return result{cmd.ProcessState.ExitCode(), out.String(), lines[len(lines)-1], errs.String()}
}

func root(t *testing.T) string {
	dir, err := filepath.Abs("../..")
	require.NoError(t, err)
	return dir
}

func TestAWrongUseIsNoVerdict(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"-duration", "0s"}, "-duration 0s, want more than 0 and at most 8760h0m0s"},
		{[]string{"-duration", "2562047h"}, "-duration 2562047h0m0s, want more than 0 and at most 8760h0m0s"},
		{[]string{"-target", "ring,park,parker"}, "-target names park twice"},
		{[]string{"-target", ""}, `-target "", want some of ring,inject,park,sched`},
		{[]string{"-check", "README.md", "-target", "ring"}, "-check and -target exclude each other"},
		{[]string{"-check", "go.mod", "-report", "./go.mod"}, "./go.mod is the file of -check, and would be lost"},
		{[]string{"-duration", "ten"}, "invalid value"},
		{[]string{"-ops", "-1"}, "-ops -1 is negative"},
		{[]string{"-threads", "0"}, "-threads 0, want 1 to"},
		{[]string{"-threads", "33"}, "-threads 33, want 1 to"},
		{[]string{"-target", "ring,stack"}, `-target "stack", want some of ring,inject,park,sched`},
		{[]string{"-plant", "nothing-like-it", "-check", "x"}, "-check and -plant or -perturb exclude each other"},
		{[]string{"-check", "no-such-file.jsonl"}, "-check no-such-file.jsonl: "},
		{[]string{"-check", "."}, "-check .: is a directory; -check takes the file of a history"},
		{[]string{"-check", "go.mod"}, "go.mod: line 1: is not what belongs here: invalid character 'm' looking for beginning of value; -check takes the file of a history"},
		{[]string{"-object", "queue"}, "there is no -check"},
		{[]string{"-frobnicate"}, "not defined: -frobnicate"},
		{[]string{"now"}, `"now" is not a flag`},
		{[]string{"-plant", "nothing-like-it"}, `no mutant "nothing-like-it"; there are`},
		{[]string{"-duration", "1h", "-report", "no/such/dir/x.html"}, "-report: open no"},
		{[]string{"-duration", "1h", "-report", "."}, "-report: open ."},
	} {
		r := audit(t, root(t), nil, c.args...)
		require.Equal(t, 2, r.code, "%v\n%s%s", c.args, r.out, r.errors)
		require.Contains(t, r.errors, c.says)
		require.NotContains(t, r.out, "verdict:")
	}
}

func TestAnAuditWithoutOverlapIsInconclusive(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ env, args []string }{
		{[]string{"GOMAXPROCS=1"}, []string{"-duration", "200ms"}},
		{nil, []string{"-duration", "200ms", "-threads", "1"}},
		{nil, []string{"-duration", "1s", "-ops", "1", "-target", "sched"}},
	} {
		r := audit(t, t.TempDir(), c.env, c.args...)
		require.Equal(t, 3, r.code, "%s%s", r.out, r.errors)
		require.True(t, strings.HasPrefix(r.last, "verdict: inconclusive "), r.last)
	}
}

// As many threads as there may be do more than few: that all of it is recorded is what
// the verdict is worth.
func TestManyThreadsAccuseNobody(t *testing.T) {
	for _, target := range []string{"ring", "inject", "park", "sched"} {
		r := audit(t, t.TempDir(), nil, "-threads", "28", "-target", target, "-duration", "1500ms", "-seed", "1")
		require.Contains(t, []int{0, 3}, r.code, "%s%s", r.out, r.errors)
		require.Regexp(t, `^verdict: (clean|inconclusive `+target+`: (.* too few to mean anything, want \d+|\d+ of \d+ lives could not be judged, .*))$`, r.last)
		require.NotRegexp(t, `(had no room|of a worker)`, r.out, "more than the logs hold")
	}
}

// Where many processors are said to be, an audit takes no longer.
func TestManyProcessorsTakeNoLonger(t *testing.T) {
	begin := time.Now()
	r := audit(t, t.TempDir(), []string{"GOMAXPROCS=64"}, "-duration", "1s")
	require.Contains(t, []int{0, 3}, r.code, "%s%s", r.out, r.errors)
	require.Less(t, time.Since(begin), 15*time.Second)
}

func TestAModeThatDoesNothingIsRefused(t *testing.T) {
	r := audit(t, t.TempDir(), []string{"LOOM_MODE=perturb"}, "-duration", "1s")
	require.Equal(t, 2, r.code, "%s%s", r.out, r.errors)
	require.Contains(t, r.errors, "audit: LOOM_MODE=perturb delays nothing in a build without the tag loom; -perturb makes one with it")
}

func TestProductionCodeIsFoundWithoutFault(t *testing.T) {
	if runtime.NumCPU() == 1 {
		t.Skip("one processor: every audit is inconclusive, which another test shows")
	}
	dir := t.TempDir()
	r := audit(t, dir, nil, "-duration", "2s", "-report", "page.html", "-json", "-seed", "7")
	// On a machine with much else to do there may be too little overlap.
	require.Contains(t, []int{0, 3}, r.code, "%s%s", r.out, r.errors)
	require.Regexp(t, `^verdict: (clean|inconclusive .+)$`, r.last)

	lines := strings.Split(strings.TrimSpace(r.out), "\n")
	var report struct {
		Verdict  string
		Seed     uint64
		Sections []struct {
			Target, Verdict string
			Tally           struct{ Operations int64 }
			Claims          []string
		}
	}
	require.NoError(t, json.Unmarshal([]byte(lines[len(lines)-2]), &report))
	require.Equal(t, uint64(7), report.Seed)
	require.Len(t, report.Sections, 4)

	page, err := os.ReadFile(filepath.Join(dir, "page.html"))
	require.NoError(t, err)
	for _, s := range report.Sections {
		require.Positive(t, s.Tally.Operations)
		require.Contains(t, string(page), "<h2>"+s.Target+"</h2>")
		for _, c := range s.Claims {
			require.Contains(t, string(page), "<b>"+c+"</b>")
		}
	}
	require.Contains(t, string(page), "<p>"+r.last+"</p>")
	require.NotContains(t, string(page), "http://")
	require.NotContains(t, string(page), "https://")
}

func TestPlantListNamesAtLeastEight(t *testing.T) {
	r := audit(t, root(t), nil, "-plant", "list")
	require.Zero(t, r.code)
	require.GreaterOrEqual(t, strings.Count(r.out, "\n"), 8, r.out)
}

func TestParkerIsAnotherNameOfPark(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"park", "parker"} {
		r := audit(t, t.TempDir(), nil, "-target", name, "-duration", "100ms", "-threads", "1")
		require.Equal(t, 3, r.code, r.errors)
		require.Regexp(t, `(?m)^park +inconclusive`, r.out)
	}
}

const (
	oneBusy  = `{"thread":1,"op":"steal","out":"busy","call":2,"return":2}` + "\n"
	onePush  = `{"thread":0,"op":"push","args":[1],"out":"kept","call":1,"return":1}` + "\n"
	longPush = `{"thread":0,"op":"push","args":[1],"out":"kept","call":1,"return":3}` + "\n"
	oneEmpty = `{"thread":1,"op":"steal","out":"empty","call":2,"return":4}` + "\n"
	onePop   = `{"thread":0,"op":"pop","out":"took","tasks":[1],"call":2,"return":2}` + "\n"
)

func TestFilesAreJudged(t *testing.T) {
	header := func(n int) string {
		return fmt.Sprintf(`{"history":"filch/1","target":"ring","threads":2,"capacity":4,"operations":%d}`+"\n", n)
	}
	const few = ": 0, too few to mean anything, want 1"
	for name, c := range map[string]struct {
		text string
		code int
		says string
	}{
		"good":       {header(2) + longPush + oneEmpty, 0, "verdict: clean"},
		"bad":        {header(2) + onePush + oneBusy, 1, "verdict: violation BusyIsHonest"},
		"no overlap": {header(2) + onePush + onePop, 3, "verdict: inconclusive ring: operations called while another was under way" + few},
		"long ago": {header(2) + `{"thread":0,"op":"push","args":[1],"out":"kept","call":-9,"return":-8}` + "\n" +
			`{"thread":1,"op":"steal","out":"stole","tasks":[1],"n":1,"call":-7,"return":-6}` + "\n", 3,
			"verdict: inconclusive ring: operations called while another was under way" + few},
		"nothing":   {header(0), 3, "verdict: inconclusive ring: operations in the file" + few},
		"truncated": {header(2) + onePush, 2, "line 3: the file ends after 1 of the 2"},
		"reordered": {header(2) + oneBusy + onePush, 2, "line 3: called at 1, before"},
		"not UTF-8": {header(2) + "\xff\n", 2, "line 2: is not UTF-8"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(dir, "h.jsonl"), []byte(c.text), 0o600))
			r := audit(t, dir, nil, "-check", "h.jsonl", "-report", "page.html")
			require.Equal(t, c.code, r.code, "%s%s", r.out, r.errors)
			if c.code == 2 {
				require.Contains(t, r.errors, c.says)
				require.NotContains(t, r.out, "verdict:")
				return
			}
			require.Equal(t, c.says, r.last)
			require.FileExists(t, filepath.Join(dir, "page.html"))
		})
	}
}

// crowd is so many processes that all put something into a queue at the same time.
func crowd(n int) string {
	var calls, returns strings.Builder
	for i := range n {
		fmt.Fprintf(&calls, `{"process":%d,"type":"invoke","f":"enqueue","value":%d}`+"\n", i, i)
		fmt.Fprintf(&returns, `{"process":%d,"type":"ok","f":"enqueue"}`+"\n", i)
	}
	return calls.String() + returns.String()
}

// Histories that others have recorded are judged, drawn and refused in the same way.
func TestPairsOfCallsAndReturnsAreJudged(t *testing.T) {
	const write = `{"process":0,"type":"invoke","f":"write","value":4}` + "\n" +
		`{"process":1,"type":"invoke","f":"read","value":null}` + "\n" +
		`{"process":0,"type":"ok","f":"write","value":4}` + "\n"
	const header = `{"history":"pairs/1","object":"register"}` + "\n"
	read := func(v string) string { return `{"process":1,"type":"ok","f":"read","value":` + v + "}\n" }
	for name, c := range map[string]struct {
		text string
		args []string
		code int
		says string
	}{
		"good":          {header + write + read("4"), nil, 0, "verdict: clean"},
		"bad":           {header + write + read("5"), nil, 1, "verdict: violation Linearizable"},
		"no header":     {write + read("4"), []string{"-object", "register"}, 0, "verdict: clean"},
		"no object":     {write + read("4"), nil, 2, `line 1: does not say what the history is of: want a first line such as {"history":"pairs/1","object":"queue"}, or that the reader is told, as by -object of the command audit`},
		"not UTF-8":     {header + "\xff\n", nil, 2, "line 2: is not UTF-8"},
		"reordered":     {header + read("4") + write, nil, 2, "line 2: process 1 returns from nothing"},
		"a crowd":       {strings.Replace(header, "register", "queue", 1) + crowd(100_000), nil, 3, "verdict: inconclusive queue: more than 32 operations at a time"},
		"another thing": {header, []string{"-object", "queue"}, 2, `line 1: object is "register", and it was said to be "queue"`},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(dir, "h.jsonl"), []byte(c.text), 0o600))
			r := audit(t, dir, nil, append([]string{"-check", "h.jsonl", "-report", "page.html"}, c.args...)...)
			require.Equal(t, c.code, r.code, "%s%s", r.out, r.errors)
			if c.code == 2 {
				require.Contains(t, r.errors, c.says)
				require.NotContains(t, r.out, "verdict:")
				return
			}
			require.Equal(t, c.says, r.last)
			page, err := os.ReadFile(filepath.Join(dir, "page.html"))
			require.NoError(t, err)
			if c.code == 1 {
				require.Contains(t, r.out, "called in line 3")
				require.Contains(t, string(page), "called in line 3")
				require.FileExists(t, filepath.Join(dir, "audit-register.porcupine.html"))
			}
		})
	}
}
