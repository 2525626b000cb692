//go:build loom

package closed_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/model/target/closed"
)

// injects are the closed graphs of inject queues, by how many tasks there are at
// a time. Blocks hold two, so with two tasks they can be in two blocks, and with
// three they fill one.
var injects = []struct {
	limit, states, edges int
	nightly              bool
}{
	{2, 55614, 265549, false},
	{3, 247960, 1028221, true},
}

func TestInject(t *testing.T) {
	var got, want [][2]int
	for _, c := range injects {
		t.Run(fmt.Sprint(c.limit), func(t *testing.T) {
			var opts []loom.Option
			if c.nightly && !nightly {
				opts = append(opts, loom.MaxStates(first))
			}
			if r := loom.CheckGraph(t, closed.Inject(c.limit), opts...); r.Exhausted {
				got, want = append(got, [2]int{r.States, r.Edges}), append(want, [2]int{c.states, c.edges})
			}
		})
	}
	require.Equal(t, want, got, "states and edges of the graphs that close") // last, since a claim says more
}
