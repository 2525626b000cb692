package main

import (
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestWrongCallsAreRefused(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"-run (", "-run: error parsing regexp"},
		{"-each -1s", "a negative time: -each -1s -total 0s"},
		{"-each 1s -total 1s", "-each 1s and -total 1s: want one of them"},
		{"-total soon", "invalid value"},
	} {
		_, err := parse(strings.Fields(c.args), io.Discard)
		require.ErrorContains(t, err, c.want)
	}
	s, err := parse([]string{"-total", "5s"}, io.Discard)
	require.NoError(t, err)
	require.Equal(t, []string{"./..."}, s.packages)
	each, err := s.share(4)
	require.NoError(t, err)
	require.Equal(t, 1250*time.Millisecond, each)
	_, err = s.share(6)
	require.EqualError(t, err, "6 targets in 5s are 833ms for each, want at least 1s")
}

func TestProgressIsTheLastLine(t *testing.T) {
	execs, news := progress("fuzz: elapsed: 3s, execs: 100 (33/sec), new interesting: 7 (total: 9)\n" +
		"fuzz: elapsed: 6s, execs: 250 (50/sec), new interesting: 8 (total: 10)\nPASS\n")
	require.Equal(t, [2]int{250, 8}, [2]int{execs, news})
	execs, news = progress("fuzz: elapsed: 3s, execs: 5 (1/sec)\n") // without instrumentation
	require.Equal(t, [2]int{5, 0}, [2]int{execs, news})
	execs, news = progress("fuzz: elapsed: 0s, gathering baseline coverage: 0/518 completed\n" +
		"fuzz: elapsed: 3s, gathering baseline coverage: 367/518 completed\nPASS\n")
	require.Equal(t, [2]int{367, 0}, [2]int{execs, news})
	execs, _ = progress("fuzz: elapsed: 3s, gathering baseline coverage: 0/518 completed\nPASS\n")
	require.Zero(t, execs)
	execs, _ = progress("no test files")
	require.Zero(t, execs)
	require.True(t, timeUp("--- FAIL: FuzzX (10.0s)\n    context deadline exceeded\n"))
	require.False(t, timeUp("context deadline exceeded\nFailing input written to testdata"))
}

// module writes a module with two targets, one of which finds what is wrong with
// it, a helper that is none and a package without tests.
func module(t *testing.T) string {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/fuzzed\n\ngo 1.26\n",
		"b/b.go": "package b\n",
		"a/a_test.go": "package a\n\nimport \"testing\"\n\nfunc FuzzGood(f *testing.F) { f.Fuzz(func(*testing.T, []byte) {}) }\n\n" +
			"func FuzzBad(f *testing.F) {\n\tf.Add([]byte(\"x\"))\n\tf.Fuzz(func(t *testing.T, b []byte) {\n\t\tif len(b) > 3 {\n\t\t\tt.Fatal(\"too long\")\n\t\t}\n\t})\n}\n\n" +
			"func Fuzzy() {}\n",
	} {
		file := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	}
	t.Chdir(dir)
	return dir
}

func TestEveryTargetRunsForItsShare(t *testing.T) {
	dir := module(t)
	run := func(args ...string) (failed int, out string, err error) {
		s, err := parse(args, io.Discard)
		require.NoError(t, err)
		var b strings.Builder
		failed, err = s.execute(t.Context(), &b)
		return failed, b.String(), err
	}
	failed, out, err := run("-list")
	require.NoError(t, err)
	require.Zero(t, failed)
	require.Equal(t, "example.com/fuzzed/a FuzzGood\nexample.com/fuzzed/a FuzzBad\n", out)

	failed, out, err = run("-each", "2s", "-corpus", "kept")
	require.NoError(t, err)
	require.Equal(t, 1, failed, "%s", out)
	require.Regexp(t, `(?m)^ok     FuzzGood +example.com/fuzzed/a +\d+\.\d s +[1-9]\d* inputs`, out)
	require.Regexp(t, `(?m)^FAILED FuzzBad `, out)
	require.Contains(t, out, "too long")
	require.Contains(t, out, "Failing input written to")
	require.Regexp(t, `all: FAILED, 1 of 2 targets, 2s each, \d+ inputs, \d+ s\n$`, out)
	require.DirExists(t, filepath.Join(dir, "kept", "example.com", "fuzzed", "a"))

	_, _, err = run("-run", "^None$")
	require.ErrorContains(t, err, `no fuzz target matches -run "^None$"`)
	require.ErrorContains(t, err, "; there are Fuzz")
	_, _, err = run("./nowhere")
	require.Error(t, err)
}

// TestTargetsRunThroughTheCommandLoom if they are to.
func TestTargetsRunThroughTheCommandLoom(t *testing.T) {
	module(t)
	for _, loom := range []bool{false, true} {
		s, err := parse([]string{"-each", "1s", "-run", "FuzzGood", "-loom=" + strconv.FormatBool(loom)}, io.Discard)
		require.NoError(t, err)
		var b strings.Builder
		failed, err := s.execute(t.Context(), &b)
		require.NoError(t, err)
		require.Equal(t, loom, failed == 1, "%s", b.String())
		if loom { // which is none of this module's tools
			require.Contains(t, b.String(), `no such tool "loom"`)
		}
	}
}
