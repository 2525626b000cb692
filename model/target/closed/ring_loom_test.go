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
	{2, 1, 2541, 6137},
	{4, 1, 62348, 156387},
	{2, 2, 18878, 64137},
}

func TestRing(t *testing.T) {
	for _, c := range rings {
		t.Run(fmt.Sprintf("%d-%d", c.capacity, c.thieves), func(t *testing.T) {
			r := loom.CheckGraph(t, closed.Ring(c.capacity, c.thieves, 0), closed.RingOptions()...)
			require.Equal(t, []int{c.states, c.edges}, []int{r.States, r.Edges})
		})
	}
}
