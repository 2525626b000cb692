//go:build loom

package closed_test

import (
	"os"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/model/target/closed"
)

// TestLargeRing closes the graph of a ring of four slots with two thieves, which
// takes some minutes on two processors and half a GiB: in the nightly run, by
// FILCH_NIGHTLY.
func TestLargeRing(t *testing.T) {
	if os.Getenv("FILCH_NIGHTLY") == "" {
		t.Skip("FILCH_NIGHTLY is not set")
	}
	r := loom.CheckGraph(t, closed.Ring(4, 2, 0), append(closed.RingOptions(), loom.Workers(runtime.GOMAXPROCS(0)))...)
	require.Equal(t, []int{3857419, 13393632, 87}, []int{r.States, r.Edges, r.MaxDepth})
}
