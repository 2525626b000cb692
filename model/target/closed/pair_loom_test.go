//go:build loom

package closed_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/model/target/closed"
)

// pairs are the closed graphs of two workers that steal from each other. With
// capacity 2 a steal takes one task; from 4 on it leaves some in the thief's ring.
var pairs = []struct {
	capacity, tagged, states, edges int
	nightly                         bool
}{
	{2, 1, 22390, 63164, false},
	{2, 2, 0, 0, false},
	{4, 1, 729338, 2026882, true},
}

func TestPair(t *testing.T) {
	var got, want [][2]int
	for _, c := range pairs {
		t.Run(fmt.Sprint(c.capacity, "-", c.tagged), func(t *testing.T) {
			opts := closed.RingOptions()
			if c.nightly && !nightly {
				opts = append(opts, loom.MaxStates(first))
			}
			if r := loom.CheckGraph(t, closed.Pair(c.capacity, c.tagged), opts...); r.Exhausted {
				got, want = append(got, [2]int{r.States, r.Edges}), append(want, [2]int{c.states, c.edges})
			}
		})
	}
	require.Equal(t, want, got, "states and edges of the graphs that close") // last, since a claim says more
}
