package target_test

import (
	"testing"

	"github.com/filch-sched/filch/model"
	"github.com/filch-sched/filch/model/target"
	"github.com/stretchr/testify/require"
)

// results is a history without its times.
func results(s model.Scenario, h model.History) []string {
	var out []string
	for _, o := range h {
		out = append(out, o.Format(s.Names()))
	}
	return out
}

func parse(t *testing.T, text string) model.Scenario {
	s, err := model.Parse(t.Name(), text)
	require.NoError(t, err)
	return s
}

func TestEveryRingOperationReachesTheRing(t *testing.T) {
	s := parse(t, `target: ring
capacity: 4
start: -2
setup: push 1, push 2, push 3, push 4
owner: push 5, len, free, batch 6 7 8, batch 9 10, pop
thief: vacant owner, peek owner, steal owner, pop, steal owner, inject.popn 9, inject.close, inject.len
late: inject.push 11, inject.batch 12 13, inject.close
claims: NoLostTask
`)
	h, err := target.Sequential(s)
	require.NoError(t, err)
	require.Equal(t, []string{
		"owner: push 1 = kept", "owner: push 2 = kept", "owner: push 3 = kept", "owner: push 4 = kept",
		"owner: push 5 = overflowed 3 4 5", "owner: len = counted 2", "owner: free = counted 2",
		"owner: batch 6 7 8 = no room", "owner: batch 9 10 = kept", "owner: pop = took 1",
		"thief: vacant owner = counted 0", "thief: peek owner = counted 3", "thief: steal owner = stole 2 and returned 9",
		"thief: pop = took 2", "thief: steal owner = stole 1 and returned 10", "thief: inject.popn 9 = took 3 4 5",
		"thief: inject.close = done", "thief: inject.len = counted 0",
		"late: inject.push 11 = closed", "late: inject.batch 12 13 = closed", "late: inject.close = done",
		"owner: pop = empty", "thief: pop = empty", "late: pop = empty", "owner: inject.pop = empty",
	}, results(s, h))
}

func TestParkThatWouldWaitIsPutOff(t *testing.T) {
	s := parse(t, `target: park
parker: park, read
writer: write 4, unpark parker
claims: UnparkPublishes
`)
	h, err := target.Sequential(s)
	require.NoError(t, err)
	require.Equal(t, []string{
		"writer: write 4 = done", "writer: unpark parker = done", "parker: park = done", "parker: read = took 4",
	}, results(s, h))
}

func TestParkThatWaitsForEverEndsTheRun(t *testing.T) {
	s := parse(t, "target: park\nparker: park, park\nwaker: unpark parker\nclaims: TokenKept\n")
	h, err := target.Sequential(s)
	require.NoError(t, err)
	require.Equal(t, []string{"waker: unpark parker = done", "parker: park = done"}, results(s, h))
}

func TestWorkersHaveNoOrder(t *testing.T) {
	s := parse(t, "target: idle\nworkers: 1\nsubmitter: submit 1\nclaims: NoLostWakeup\n")
	require.False(t, target.Ordered(s.Target))
	_, err := target.Sequential(s)
	require.EqualError(t, err, `target: scenario "TestWorkersHaveNoOrder": target idle has no sequential run`)
}

func TestRunRecordsWhatTheWorkersDid(t *testing.T) {
	for _, text := range []string{
		"target: idle\nworkers: 2\ntask 1: spawns 2 3, waits 3\nsubmitter: submit 1\n",
		"target: sched\nworkers: 2\ntask 1: spawns 2 3, waits 2\nsubmitter: submit 1, await 1\n",
	} {
		s := parse(t, text+"claims: EveryTaskRuns\n")
		h := target.Run(s)
		require.Nil(t, model.Check(model.SpecOf(s), h))
		count := map[model.Kind]int{}
		for _, o := range h {
			count[o.Kind]++
		}
		require.Equal(t, 3, count[model.Run])
		require.Equal(t, 2, count[model.Spawned])
		require.Equal(t, 1, count[model.Submit])
		require.Equal(t, 1, count[model.End])
	}
}

func TestUnknownTargetIsRefused(t *testing.T) {
	require.PanicsWithValue(t, `target: scenario "x": target model.Target(9) cannot be run`,
		func() { target.Run(model.Scenario{Name: "x", Target: 9}) })
}
