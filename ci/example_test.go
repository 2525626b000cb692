//go:build !loom && !race

package ci_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/filch-sched/filch/linearizability/plant"
	"github.com/stretchr/testify/require"
)

// readmeReport returns the lines of the README's first block fenced as text.
func readmeReport(t *testing.T, readme string) []string {
	_, block, ok := strings.Cut(readme, "```text\n")
	require.True(t, ok, "README.md has no block fenced as text")
	block, _, ok = strings.Cut(block, "```\n")
	require.True(t, ok, "the block fenced as text does not end")
	return strings.Split(strings.TrimRight(block, "\n"), "\n")
}

// TestREADMEReportIsWhatTheExplorerPrints plants the bug that the README speaks
// of and looks for the lines of its report, in their order.
func TestREADMEReportIsWhatTheExplorerPrints(t *testing.T) {
	m, err := plant.Find(root+"/ci/mutants", "ring-publish-first")
	require.NoError(t, err)
	overlay, err := m.Overlay(root, t.TempDir())
	require.NoError(t, err)
	cmd := exec.Command("go", "test", "-overlay", overlay, "-tags", "loom", "-count=1",
		"-run", "^TestScenario$/^thief-meets-first-push$", "./model/target")
	cmd.Dir = root
	out, err := cmd.CombinedOutput()
	require.Error(t, err, "%s", out)
	rest := string(out)
	for _, line := range readmeReport(t, read(t, "README.md")) {
		if strings.TrimSpace(line) == "..." {
			continue
		}
		_, after, ok := strings.Cut(rest, line+"\n")
		require.True(t, ok, "the explorer does not print, or not in this order: %q\n%s", line, out)
		rest = after
	}
}
