//go:build loom

package closed_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/model/target/closed"
)

// TestStartMakesNoDifference: the graph from just below the wrap of the indices is
// the one from 0. (WrapSafe)
func TestStartMakesNoDifference(t *testing.T) {
	want, err := loom.Graph(closed.Ring(2, 1, 0), closed.RingOptions()...)
	require.NoError(t, err)
	for _, start := range []uint32{1<<32 - 1, 1<<32 - 2, 1<<31 - 1, 7} {
		r, err := loom.Graph(closed.Ring(2, 1, start), closed.RingOptions()...)
		require.NoError(t, err)
		require.Equal(t, []int{want.States, want.Edges, want.MaxDepth}, []int{r.States, r.Edges, r.MaxDepth}, "from %d", start)
	}
}

// TestFormsAgree: steps of cells of their own, and whole keys, make no difference
// to what holds; a hash merges nothing.
func TestFormsAgree(t *testing.T) {
	hashed, err := loom.Graph(closed.Ring(2, 1, 0), closed.RingOptions()...)
	require.NoError(t, err)
	whole, err := loom.Graph(closed.Ring(2, 1, 0), append(closed.RingOptions(), loom.WholeKeys())...)
	require.NoError(t, err)
	require.Equal(t, hashed.States, whole.States)
	cells, err := loom.Graph(closed.Ring(2, 1, 0), append(closed.RingOptions(), loom.CellSteps())...)
	require.NoError(t, err)
	require.True(t, cells.Exhausted)
	require.Greater(t, cells.States, hashed.States)
}

// TestSecondThiefIsToldBusyForAsLongAsTheFirstSleeps: the form of LockFree for several
// thieves cannot be a stronger one.
func TestSecondThiefIsToldBusyForAsLongAsTheFirstSleeps(t *testing.T) {
	_, err := loom.Graph(closed.ImpatientRing(2, 2), closed.RingOptions()...)
	var v *loom.Violation
	require.ErrorAs(t, err, &v)
	require.Equal(t, "LockFree", v.Claim)
	require.ErrorContains(t, err, "lead back to the state before them")
	_, cycle, ok := strings.Cut(v.Token, "~")
	require.True(t, ok)
	t.Log(v)
	require.NotEmpty(t, cycle)
	r, err := loom.Graph(closed.AnsweredRing(2, 2), closed.RingOptions()...)
	require.NoError(t, err)
	require.True(t, r.Exhausted, "it waits in no other way")
}
