//go:build !loom && !race

package ci_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAMisspeltNameIsRefused: a command that runs what has a name, and finds nothing
// of that name, fails and says which names there are. What it would ignore fails, too.
func TestAMisspeltNameIsRefused(t *testing.T) {
	for _, c := range []struct {
		args []string
		says []string
	}{
		{[]string{"./ci/mutants", "-run", "^rnig-"}, []string{`no mutant matches -run "^rnig-"`, "ring-publish-first, "}},
		{[]string{"./ci/mutants", "-layer", "graph", "-run", "^ring-widen$"}, []string{"of -layer graph there are ", "ring-widen-steal, "}},
		{[]string{"./ci/mutants", "-layer", "lume"}, []string{`-layer "lume"`, " loom "}},
		{[]string{"./ci/mutants", "-sample", "-1"}, []string{"-sample -1, want a number"}},
		{[]string{"./model/target/closed/table", "-run", "^rnig"}, []string{`no graph of -when always matches -run "^rnig"`, "chain-capacity-4, "}},
		{[]string{"./model/target/closed/table", "-when", "now"}, []string{`"now" is none of always, quick and nightly`}},
		{[]string{"./model/target/closed/table", "ring"}, []string{`"ring" is not a flag`}},
		{[]string{"./ci/tla", "-run", "^Onwer"}, []string{`no model of the set quick matches "^Onwer"`, "OwnerThief, "}},
		{[]string{"./ci/tla", "weekly"}, []string{`the set is quick or nightly, not ["weekly"]`}},
		{[]string{"./ci/cover", "queue"}, []string{`"queue" is not a flag`}},
		{[]string{"./sched/hashtree", "queue", "park"}, []string{`"park" after the directory "queue"`}},
		{[]string{"./linearizability/audit", "-target", "rnig"}, []string{`-target "rnig"`, "ring,inject,park,sched"}},
		{[]string{"./linearizability/audit", "-plant", "rnig-publish-first"}, []string{`no mutant "rnig-publish-first"`, "ring-publish-first, "}},
	} {
		out := fails(t, root, "go", append([]string{"run"}, c.args...)...)
		for _, says := range c.says {
			require.Contains(t, out, says, "go run %v", c.args)
		}
	}
}
