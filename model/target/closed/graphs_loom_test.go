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

// runs returns in which runs this one is: FILCH_GRAPHS says quick or nightly.
func runs(t *testing.T) closed.When {
	word := os.Getenv("FILCH_GRAPHS")
	if word == "" {
		return closed.Always
	}
	when, err := closed.ParseWhen(word)
	require.NoError(t, err, "the value of FILCH_GRAPHS")
	return when
}

// TestGraph closes the graphs. A count that changes is explained in the commit that
// changes it.
func TestGraph(t *testing.T) {
	when := runs(t)
	for _, c := range closed.Graphs() {
		t.Run(c.Name(), func(t *testing.T) {
			opts := append([]loom.Option{loom.Workers(min(2, runtime.GOMAXPROCS(0)))}, c.Options...)
			if c.When > when {
				opts = append(opts, loom.MaxStates(closed.First))
			}
			r := loom.CheckGraph(t, c.Body, opts...)
			if t.Failed() || c.When > when {
				return // a violation says more than a count
			}
			require.True(t, r.Exhausted)
			require.Empty(t, c.Differs(r.States, r.Edges, r.MaxDepth), "pinned")
		})
	}
}
