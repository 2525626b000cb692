//go:build loom

package closed_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/model/target/closed"
)

// nightly says that the large graphs are searched to their end.
var nightly = os.Getenv("FILCH_NIGHTLY") != ""

// first is how many states of a large graph are searched in a quick run: those
// nearest to its beginning.
const first = 60_000

// crews are the closed graphs of crews.
var crews = []struct {
	closed.Crew
	states, edges int
	nightly       bool
}{
	{closed.Crew{Workers: 1, Tasks: 1}, 741, 1479, false},
	{closed.Crew{Workers: 1, Tasks: 2}, 1211, 2484, false},
	{closed.Crew{Workers: 2, Tasks: 2, Asleep: 1}, 570190, 1628066, true},
	{closed.Crew{Workers: 2, Tasks: 2, Asleep: 2}, 570190, 1628066, true},
	{closed.Crew{Workers: 2, Tasks: 2}, 570190, 1628066, true},
	{closed.Crew{Workers: 2, Tasks: 2, Batch: 2}, 844254, 2436034, true},
	{closed.Crew{Workers: 2, Tasks: 1}, 221348, 620106, false},
}

// TestCrewForEver has what violates a claim for ever looked for alone.
func TestCrewForEver(t *testing.T) {
	c := closed.Crew{Workers: 1, Tasks: 1, Endless: true}
	loom.CheckGraph(t, c.Body(), c.Options()...)
}

func TestCrew(t *testing.T) {
	var got, want [][2]int
	for _, c := range crews {
		t.Run(name(c.Crew), func(t *testing.T) {
			opts := c.Options()
			if c.nightly && !nightly {
				opts = append(opts, loom.MaxStates(first))
			}
			r := loom.CheckGraph(t, c.Body(), opts...)
			if r.Exhausted {
				got, want = append(got, [2]int{r.States, r.Edges}), append(want, [2]int{c.states, c.edges})
			}
		})
	}
	require.Equal(t, want, got, "states and edges of the graphs that close") // last, since a claim says more
}

func name(c closed.Crew) string {
	s := fmt.Sprintf("%d-%d", c.Workers, c.Tasks)
	if c.Asleep > 0 {
		s += fmt.Sprintf("-asleep-%d", c.Asleep)
	}
	if c.Batch > 0 {
		s += fmt.Sprintf("-batch-%d", c.Batch)
	}
	return s
}

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
