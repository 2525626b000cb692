//go:build loom

package closed_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/model/target/closed"
)

// TestLawOfIdleIsNeeded: a crew that breaks the law of package idle violates what
// the law is for.
func TestLawOfIdleIsNeeded(t *testing.T) {
	for _, c := range []struct {
		closed.Crew
		claim, how string
	}{
		{closed.Crew{Workers: 2, Tasks: 1, NotifyFirst: true}, "NoLostWakeup", "all workers sleep beside 1 tasks"},
		{closed.Crew{Workers: 1, Tasks: 1, NotifyFirst: true, Endless: true}, "NoLostWakeup", "lead back to the state before them"},
		{closed.Crew{Workers: 2, Tasks: 2, Batch: 2, SilentRefill: true}, "WorkConserving", "1 workers sleep beside 1 tasks"},
	} {
		_, err := loom.Graph(c.Body(), c.Options()...)
		var v *loom.Violation
		require.ErrorAs(t, err, &v)
		require.Equal(t, c.claim, v.Claim)
		require.ErrorContains(t, err, c.how)
	}
}
