//go:build !race && !loom

package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The audit builds itself anew for a planted bug, without the race detector and
// without the tag loom: these tests are the same in every build, and run in one.

// A planted bug is found, named and saved, and the printed command judges the
// file again with the same verdict.
func TestPlantedBugsAreFound(t *testing.T) {
	for _, c := range []struct{ plant, target, claim string }{
		{"ring-steal-less", "ring", "(StealHalf|BusyIsHonest)"},
		{"inject-lost-batch-tail", "inject", "(NoLostTask|InjectFIFO|LenHint)"},
		{"park-token-stays", "park", "TokenSingle"},
	} {
		t.Run(c.plant, func(t *testing.T) {
			t.Parallel()
			page := filepath.Join(t.TempDir(), "page.html")
			r := audit(t, root(t), nil, "-plant", c.plant, "-target", c.target, "-report", page)
			require.Equal(t, 1, r.code, "%s%s", r.out, r.errors)
			require.Regexp(t, "^verdict: violation "+c.claim+"$", r.last)
			text, err := os.ReadFile(page)
			require.NoError(t, err)
			require.Contains(t, string(text), "<svg")

			_, command, found := strings.Cut(r.out, "judge it again: go run github.com/filch-sched/filch/linearizability/audit ")
			require.True(t, found, r.out)
			command, _, _ = strings.Cut(command, "\n")
			again := audit(t, root(t), nil, strings.Fields(command)...)
			require.Equal(t, 1, again.code)
			require.Equal(t, r.last, again.last)
		})
	}
}

func TestAViolationThatCannotBeSavedIsStillOne(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "audit-park-tokensingle.jsonl"), 0o700)) // no file can be there
	page := filepath.Join(dir, "page.html")
	r := audit(t, root(t), nil, "-plant", "park-token-stays", "-report", page)
	require.Equal(t, 1, r.code, "%s%s", r.out, r.errors)
	require.Equal(t, "verdict: violation TokenSingle", r.last)
	require.Contains(t, r.out, "not saved: open ")
	require.NotContains(t, r.out, "judge it again")
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	require.Contains(t, string(text), "Not saved: open ")
}

// With delays between its steps production code is found without fault, by a build
// of its own, and a planted bug is found in no time.
func TestDelaysArePutBetweenTheSteps(t *testing.T) {
	t.Parallel()
	page := filepath.Join(t.TempDir(), "page.html")
	r := audit(t, root(t), nil, "-perturb", "-target", "ring,inject", "-duration", "2s", "-seed", "11", "-report", page)
	require.Contains(t, []int{0, 3}, r.code, "%s%s", r.out, r.errors)
	require.Contains(t, r.errors, "LOOM_MODE=perturb LOOM_SEED=11")
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	require.Contains(t, string(text), "delays between steps")
	require.Contains(t, string(text), "-perturb")

	r = audit(t, root(t), nil, "-perturb", "-plant", "ring-tail-before-head", "-seed", "11", "-duration", "30s", "-report", page)
	require.Equal(t, 1, r.code, "%s%s", r.out, r.errors)
}
