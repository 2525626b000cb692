package bond_test

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/linearizability/plant"
)

// change is a change of the code, of those in ci/mutants, and the bond that it breaks.
type change struct{ mutant, bond string }

var changes = []change{
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
	{"inject-length-unlocked", "Batches"},
	{"inject-lost-batch-tail", "Batches"},
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

var chosen = flag.String("filch.changes", "", "changes of the code that are tried, as a regular expression; none: a sample, or all with FILCH_NIGHTLY")

// sample draws one change of each package from what seed is.
func sample(seed string) (all []change) {
	sum := sha256.Sum256([]byte(seed))
	r := rand.New(rand.NewChaCha8(sum))
	for _, dir := range []string{"ring-", "park-", "inject-", "idle-"} {
		var some []change
		for _, c := range changes {
			if strings.HasPrefix(c.mutant, dir) {
				some = append(some, c)
			}
		}
		all = append(all, some[r.IntN(len(some))])
	}
	return all
}

// tried are the changes that this run tries: those of a sample change with the commit.
func tried(t *testing.T, root string) []change {
	if *chosen != "" {
		named, err := regexp.Compile(*chosen)
		require.NoError(t, err)
		some := slices.DeleteFunc(slices.Clone(changes), func(c change) bool { return !named.MatchString(c.mutant) })
		require.NotEmpty(t, some, "no change matches -filch.changes %s", *chosen)
		return some
	}
	if os.Getenv("FILCH_NIGHTLY") != "" {
		return changes
	}
	head := exec.Command("git", "rev-parse", "HEAD")
	head.Dir = root
	seed, err := head.Output()
	if err != nil { // no repository
		seed = []byte(time.Now().String())
	}
	all := sample(string(seed))
	var names []string
	for _, c := range all {
		names = append(names, c.mutant)
	}
	t.Logf("a sample of %d changes; again: go test -tags loom -count=1 -v -run '^TestEveryChange' ./tla/bond -filch.changes '^(%s)$'",
		len(changes), strings.Join(names, "|"))
	return all
}

// TestSampleHasEveryPackageAndInTimeEveryChange: it differs from commit to commit.
func TestSampleHasEveryPackageAndInTimeEveryChange(t *testing.T) {
	seen := map[change]bool{}
	for i := range 1000 {
		all := sample(fmt.Sprint(i))
		require.Equal(t, all, sample(fmt.Sprint(i)))
		require.Len(t, all, 4)
		for _, c := range all {
			seen[c] = true
		}
	}
	require.Len(t, seen, len(changes))
	require.GreaterOrEqual(t, len(changes), 20)
}

// TestEveryChangeOfTheCodeBreaksItsBond: one that changes what a step does, or the
// order of steps, and the report has the code's steps.
func TestEveryChangeOfTheCodeBreaksItsBond(t *testing.T) {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	all, differing := tried(t, root), 0
	for _, c := range all {
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
			if regexp.MustCompile(`: bond: .*\n(?s).*The code's steps:\n`).Match(text) {
				differing++
			}
		})
	}
	t.Logf("%d of %d changes give another graph; of the others package loom sees a race or a panic before there is one", differing, len(all))
	if len(all) == len(changes) {
		require.GreaterOrEqual(t, differing, 20)
	}
}
