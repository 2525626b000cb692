//go:build loom

package loom_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
)

// TestPartialPassIsTold: a search that was not exhausted says so without -v, on
// standard error or where its progress goes; one that was says nothing, unless
// no step was seen.
func TestPartialPassIsTold(t *testing.T) {
	told := func(run string, env ...string) string {
		cmd := exec.Command("go", "test", "-tags", "loom", "-count=1", "-run", run)
		cmd.Dir, cmd.Env = filepath.Join("testdata", "saved"), append(os.Environ(), env...)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		return string(out)
	}
	require.NotContains(t, told("^(TestAll|TestAlone)$"), "loom: ")
	require.Contains(t, told("^TestUnseen$"), "loom: TestUnseen passes, but of its 3 threads no step was seen: ")
	out := told("^(TestBound|TestSampler|TestDeadline)$")
	require.Contains(t, out, "loom: TestBound passes, but not exhausted, stopped by the bound of 1 preemption, ")
	require.Contains(t, out, "loom: TestSampler passes, but sampled by urw: 10 runs, ")
	require.Contains(t, out, "loom: TestDeadline passes, but not exhausted, stopped by the deadline of 1ns: ")
	require.Equal(t, 3, strings.Count(out, "loom: "), out)

	require.Contains(t, told("^TestAll$", "LOOM_PREEMPTIONS=1"), "loom: TestAll passes, but not exhausted, stopped by the bound of 1 preemption, ")
	require.Contains(t, told("^TestAll$", "LOOM_DEADLINE=1ns"), "loom: TestAll passes, but not exhausted, stopped by the deadline of 1ns: ")

	file := filepath.Join(t.TempDir(), "told")
	require.NotContains(t, told("^TestBound$", "LOOM_PROGRESS="+file), "loom: ")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Contains(t, string(text), "loom: TestBound passes, but ")
}

// TestDeadlineFromOutside: the environment bounds what has no option, and a word
// that is no duration is an error.
func TestDeadlineFromOutside(t *testing.T) {
	t.Setenv("LOOM_DEADLINE", "1ns")
	r, err := loom.Explore(longProgram)
	require.NoError(t, err)
	require.Equal(t, "the deadline of 1ns", r.Stopped)
	r, err = loom.Explore(longProgram, loom.Deadline(time.Hour))
	require.NoError(t, err)
	require.True(t, r.Exhausted, "the option has precedence")
	for _, bad := range []string{"1", "-1s", "0s", "soon"} {
		t.Setenv("LOOM_DEADLINE", bad)
		_, err = loom.Explore(longProgram)
		require.ErrorContains(t, err, "loom: LOOM_DEADLINE="+bad+" is not a positive duration, such as 30s")
	}
}
