package bond_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/linearizability/plant"
)

// changes are changes of the code, of those in ci/mutants, and the bond that each
// breaks. The first few are tried in every run.
var changes = []struct{ mutant, bond string }{
	{"ring-publish-first", "RingSmall"},
	{"park-token-stays", "Parker"},

	{"idle-search-unchecked", "Tracker"},
	{"inject-lifo", "Shared"},
	{"ring-always-busy", "RingSmall"},
	{"ring-busy-as-empty", "RingTwoSmall"},
	{"ring-capacity-from-real", "RingSmall"},
	{"ring-no-clear", "RingSmall"},
	{"ring-overflow-double-task", "RingSmall"},
	{"ring-overflow-lost-task", "RingSmall"},
	{"ring-overflow-no-tail", "RingSmall"},
	{"ring-overflow-tail-first", "RingSmall"},
	{"ring-overflow-wrong-half", "RingSmall"},
	{"ring-pop-reads-early", "RingSmall"},
	{"ring-release-first", "RingOne"},
	{"ring-room-from-real", "Pair"},
	{"ring-steal-less", "RingOne"},
	{"ring-steal-more", "RingOne"},
	{"ring-steal-publish-first", "RingOne"},
	{"ring-tail-before-head", "RingSmall"},
	{"park-clear-on-entry", "Parker"},
	{"park-close-silent", "Parker"},
	{"park-overwrites-token", "Parker"},
	{"park-signal-unlocked", "Parker"},
	{"park-unpark-cas", "Parker"},
	{"park-unpark-skips", "Parker"},
	{"inject-closed-ignored", "Shared"},
	{"inject-closed-outside-lock", "Shared"},
	{"inject-length-unlocked", "Shared"},
	{"inject-lost-batch-tail", "Shared"},
	{"inject-split-batch", "Shared"},
	{"idle-count-late", "Tracker"},
	{"idle-last-searcher-only", "Tracker"},
	{"idle-look-first", "Tracker"},
	{"idle-no-chain", "Tracker"},
	{"idle-no-look", "Tracker"},
	{"idle-wake-all-unlisted", "Tracker"},
	{"idle-wake-unchecked", "Tracker"},
	{"idle-wake-worker-listed", "Tracker"},
}

// atOnce is how many changes every run tries; FILCH_NIGHTLY tries all.
const atOnce = 2

// TestEveryChangeOfTheCodeBreaksItsBond: one that changes what a step does, or the
// order of steps, and the report has the code's steps.
func TestEveryChangeOfTheCodeBreaksItsBond(t *testing.T) {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	tried := changes[:atOnce]
	if os.Getenv("FILCH_NIGHTLY") != "" {
		tried = changes
	}
	for _, c := range tried {
		t.Run(c.mutant, func(t *testing.T) {
			m, err := plant.Find(filepath.Join(root, "ci/mutants"), c.mutant)
			require.NoError(t, err)
			overlay, err := m.Overlay(root, t.TempDir())
			require.NoError(t, err)
			run := exec.Command("go", "test", "-tags", "loom", "-overlay", overlay, "-count=1", "-timeout", "5m",
				"-run", "^TestCodeIsTheSpecification$/^"+c.bond+"$", "./tla/bond")
			run.Dir = root
			text, err := run.CombinedOutput()
			var exit *exec.ExitError
			require.ErrorAs(t, err, &exit, "the change makes no difference:\n%s", text)
			require.Contains(t, string(text), "--- FAIL: TestCodeIsTheSpecification/"+c.bond)
			require.Regexp(t, `: bond: |loom: `, string(text))
			require.NotContains(t, string(text), "panic: test timed out")
			t.Logf("%s", text)
		})
	}
}
