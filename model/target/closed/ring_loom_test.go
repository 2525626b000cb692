//go:build loom

package closed_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/model/target/closed"
)

// rings are the closed graphs of rings. A state count that changes is explained in
// the commit that changes it.
var rings = []struct{ capacity, thieves, states, edges int }{
	{2, 1, 2804, 6968},
	{4, 1, 64613, 162685},
	{2, 2, 18878, 64137},
}

func TestRing(t *testing.T) {
	var got, want [][2]int
	for _, c := range rings {
		t.Run(fmt.Sprintf("%d-%d", c.capacity, c.thieves), func(t *testing.T) {
			r := loom.CheckGraph(t, closed.Ring(c.capacity, c.thieves, 0), closed.RingOptions()...)
			got, want = append(got, [2]int{r.States, r.Edges}), append(want, [2]int{c.states, c.edges})
		})
	}
	require.Equal(t, want, got, "states and edges of the graphs that close") // last, since a claim says more
}

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
