//go:build loom

package closed_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/model/target/closed"
)

// parkers are the closed graphs of parkers with two unparkers. Each timed park
// makes some six times as many states: its timer can be late for ever.
var parkers = []struct {
	timed         int
	closes        bool
	states, edges int
	nightly       bool
}{
	{0, false, 489, 1578, false},
	{0, true, 2584, 9256, false},
	{1, true, 25792, 95847, false},
	{2, false, 30157, 102793, false},
	{2, true, 127462, 488600, true},
	{3, false, 126396, 443071, true},
}

func TestParker(t *testing.T) {
	var got, want [][2]int
	for _, c := range parkers {
		if c.nightly && !nightly {
			continue
		}
		t.Run(fmt.Sprintf("timed-%d-closes-%v", c.timed, c.closes), func(t *testing.T) {
			if r := loom.CheckGraph(t, closed.Parker(c.timed, c.closes), closed.ParkerOptions()...); r.Exhausted {
				got, want = append(got, [2]int{r.States, r.Edges}), append(want, [2]int{c.states, c.edges})
			}
		})
	}
	require.Equal(t, want, got, "states and edges of the graphs that close") // last, since a claim says more
}
