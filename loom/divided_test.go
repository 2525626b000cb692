//go:build loom

package loom_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
)

// TestCheckedInAnotherProcess is run by the tests of this file.
func TestCheckedInAnotherProcess(t *testing.T) {
	switch os.Getenv("LOOM_TEST_DIVIDED") {
	case "passes":
		loom.Check(t, longProgram)
		t.Run("sub test", func(t *testing.T) { loom.Check(t, func() { adds(4, 2) }) })
	case "fails":
		loom.Check(t, func() {
			if loom.Choose(2) == 1 {
				panic("planted")
			}
		})
	}
}

// inProcess runs TestCheckedInAnotherProcess with settings and returns what it
// printed and the reports.
func inProcess(t *testing.T, what string, settings ...string) (out string, reports []loom.Report, err error) {
	file := filepath.Join(t.TempDir(), "report")
	cmd := exec.Command(os.Args[0], "-test.run=^TestCheckedInAnotherProcess$", "-test.v")
	cmd.Env = append(append(os.Environ(), settings...), "LOOM_TEST_DIVIDED="+what, "LOOM_REPORT="+file)
	text, err := cmd.CombinedOutput()
	lines, _ := os.ReadFile(file)
	for line := range strings.SplitSeq(strings.TrimSpace(string(lines)), "\n") {
		var s struct{ Report loom.Report }
		if line != "" {
			require.NoError(t, json.Unmarshal([]byte(line), &s))
			reports = append(reports, s.Report)
		}
	}
	return string(text), reports, err
}

// TestAllProcessorsDoTheWholeTogether: LOOM_SHARD=all runs a process for each.
func TestAllProcessorsDoTheWholeTogether(t *testing.T) {
	out, _, err := inProcess(t, "passes", "LOOM_SHARD=all", "GOMAXPROCS=3")
	require.NoError(t, err, out)
	require.Contains(t, out, "exhausted: 13824 traces")
	require.Contains(t, out, "exhausted: 576 traces")
	out, _, err = inProcess(t, "fails", "LOOM_SHARD=all", "GOMAXPROCS=3")
	require.Error(t, err)
	require.Contains(t, out, "loom: Panic violated: body panicked")
	require.Contains(t, out, "replay: LOOM_REPLAY=")
}

// TestSharesOfProcessesAddUp: what a batch system does.
func TestSharesOfProcessesAddUp(t *testing.T) {
	traces := 0
	for _, share := range []string{"1/3", "2/3", "3/3"} {
		out, reports, err := inProcess(t, "passes", "LOOM_SHARD="+share)
		require.NoError(t, err, out)
		require.Len(t, reports, 2)
		for _, r := range reports {
			require.True(t, r.Exhausted)
			require.Equal(t, 3, r.Shards)
			traces += r.Traces
		}
	}
	require.Equal(t, 13824+576, traces)
}

func TestWrongShareIsRefused(t *testing.T) {
	for _, share := range []string{"0/3", "4/3", "1", "x/3", "-1/3"} {
		out, _, err := inProcess(t, "passes", "LOOM_SHARD="+share)
		require.Error(t, err)
		require.Contains(t, out, "loom: LOOM_SHARD="+share+" is neither I/N, a number from 1 to N and how many there are, nor all, ")
	}
	require.PanicsWithValue(t, "loom: Shard(3, 2) is not one of 1 to 2", func() { loom.Shard(3, 2) })
	_, err := loom.Explore(longProgram, loom.Shard(1, 2), loom.Preemptions(1))
	require.ErrorContains(t, err, "it cannot be shared")
}
