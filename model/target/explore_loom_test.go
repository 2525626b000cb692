//go:build loom

package target_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/model"
	"github.com/filch-sched/filch/model/target"
	"github.com/stretchr/testify/require"
)

func scenario(t *testing.T, name string) model.Scenario {
	s, err := model.Load("../scenarios/" + name + ".txt")
	require.NoError(t, err)
	return s
}

// answers says what the threads of a run were answered, each in its order. Their
// operations are the last ones of the history.
func answers(s model.Scenario, h model.History) string {
	var out []string
	for i := len(s.Threads) - 1; i >= 0; i-- {
		own := h[len(h)-len(s.Threads[i].Ops):]
		h = h[:len(h)-len(own)]
		var results []string
		for _, o := range own {
			results = append(results, o.Result.String())
		}
		out = append(out, s.Threads[i].Name+": "+strings.Join(results, ", "))
	}
	slices.Reverse(out)
	return strings.Join(out, "; ")
}

// Exploration shows these answers and no others: one that is missing would mean
// that interleavings are.
func TestExplorationShowsExactlyTheseAnswers(t *testing.T) {
	for name, want := range map[string][]string{
		"last-task-race": {
			"owner: empty; thief: stole 1 and returned 7",
			"owner: took 7; thief: empty",
		},
		"full-ring-push": {
			"owner: handed 3; thief: stole 1 and returned 1",
			"owner: kept; thief: stole 1 and returned 1",
			"owner: overflowed 2 3; thief: empty",
			"owner: overflowed 2 3; thief: stole 1 and returned 1",
		},
		"two-closers": {
			"closer1: done; closer2: done; pusher: closed",
			"closer1: done; closer2: done; pusher: kept",
		},
		"timeout-against-unpark": {
			"parker: timed out, timed out; waker: done",
			"parker: timed out, token; waker: done",
			"parker: token, timed out; waker: done",
		},
		"publish-into-a-token": {
			"parker: done, skipped; writer: done, done",
			"parker: done, took 1; writer: done, done",
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := scenario(t, name)
			seen := map[string]bool{}
			r := loom.Check(t, func() { seen[answers(s, target.Run(s))] = true }, target.Options(s)...)
			require.True(t, r.Exhausted)
			require.Equal(t, want, slices.Sorted(maps.Keys(seen)))
		})
	}
}

// A scenario of its own fault: one worker cannot run a task that waits for
// another. Nothing is lost, but nobody can go on.
const stuck = `target: idle
workers: 1
task 1: waits 2
submitter: submit 1, submit 2
claims: WorkConserving
`

func TestDeadlockIsNamedAfterTheClaimAndReplays(t *testing.T) {
	s, err := model.Parse("stuck", stuck)
	require.NoError(t, err)
	_, err = target.Explore(s)
	var v *loom.Violation
	require.ErrorAs(t, err, &v)
	require.Equal(t, string(model.WorkConserving), v.Claim)
	require.NotEmpty(t, v.Token)
	_, err = target.Explore(s, loom.Replay(v.Token))
	var again *loom.Violation
	require.ErrorAs(t, err, &again)
	require.Equal(t, v.Schedule, again.Schedule)
}
