//go:build loom

package loom

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/internal/graph"
)

// TestProgressOfAGraph: a line in a file now and then has how many states, edges and
// states of the frontier there are, and how fast edges came since the line before.
func TestProgressOfAGraph(t *testing.T) {
	file := filepath.Join(t.TempDir(), "progress")
	t.Setenv("LOOM_PROGRESS", file)
	c := newConfig(nil)
	c.of(t)
	tell := c.tellStates()
	at := func(d time.Duration, states, edges int) {
		tell(graph.Count{States: states, Edges: edges, Depth: 7, Waiting: states / 2, Elapsed: d})
	}
	at(3*time.Second, 30, 60) // too soon
	at(10*time.Second, 1000, 3000)
	at(12*time.Second, 1100, 3300)
	at(30*time.Second, 5000, 13000)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, []string{
		"loom: TestProgressOfAGraph: 10s: 1000 states, 3000 edges, depth 7, frontier 500, 300 edges/s",
		"loom: TestProgressOfAGraph: 30s: 5000 states, 13000 edges, depth 7, frontier 2500, 500 edges/s",
	}, strings.Split(strings.TrimSpace(string(text)), "\n"))
	t.Setenv("LOOM_PROGRESS", "0")
	require.Nil(t, c.tellStates())
}

// TestProgressOfAGraphIsTold: a search tells how far it is, from counts that grow up
// to those of the report.
func TestProgressOfAGraphIsTold(t *testing.T) {
	var told []graph.Count
	opts := graph.Options{MaxSteps: DefaultMaxSteps, Every: func(n graph.Count) { told = append(told, n) }}
	begin := time.Now()
	opts.Deadline = begin.Add(2500 * time.Millisecond)
	res := graph.Run(func() {
		x := new(atomic.Uint64)
		Drive().Root("x", x)
		for range 2 {
			Go(func() {
				for {
					Boundary(0)
					x.Add(1)
				}
			})
		}
	}, opts)
	require.NoError(t, res.Err)
	require.NotEmpty(t, told, "after %v", time.Since(begin))
	for i, n := range told {
		require.Positive(t, n.States)
		require.GreaterOrEqual(t, n.Edges, n.States-1)
		require.Positive(t, n.Waiting)
		require.LessOrEqual(t, n.States, res.States)
		if i > 0 {
			require.Greater(t, n.Elapsed, told[i-1].Elapsed)
			require.GreaterOrEqual(t, n.Edges, told[i-1].Edges)
		}
	}
}
