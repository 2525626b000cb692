package model_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/model"
)

func TestEveryTaskThatIsTakenInRunsOnce(t *testing.T) {
	task := func(k model.Kind, v model.Task) model.Op { return model.Op{Kind: k, Args: []model.Task{v}} }
	submit := func(v model.Task) act { return of(0, task(model.Submit, v), done) }
	spawned := func(v model.Task) act { return of(1, task(model.Spawned, v), done) }
	run := func(v model.Task) act { return of(1, task(model.Run, v), done) }
	closed := of(0, just(model.Close), done)
	end := of(0, just(model.End), done)
	judge(t, model.Bag(), []verdict{
		{name: "once", acts: seq(submit(1), run(1), spawned(2), submit(3), run(3), run(2), end)},
		{name: "run before submit returns", acts: then(par(seq(submit(9), run(9)), submit(1), run(1)), end)},
		{name: "run before submit", claim: model.NoDuplicateTask, acts: seq(run(1), submit(1))},
		{name: "twice", claim: model.NoDuplicateTask, acts: seq(submit(1), run(1), run(1), end)},
		{name: "never submitted", claim: model.NoLostTask, acts: seq(run(1), end)},
		{name: "never run", claim: model.EveryTaskRuns, acts: seq(submit(1), end)},
		{name: "close waits", acts: seq(submit(1), run(1), closed, end)},
		{name: "close does not wait", claim: model.EveryTaskRuns, acts: seq(submit(1), closed, run(1), end)},
		{name: "awaited", acts: seq(submit(1), run(1), of(0, task(model.Await, 1), done), end)},
		{name: "awaited and not run", claim: model.EveryTaskRuns, acts: seq(submit(1), of(0, task(model.Await, 1), done), run(1), end)},
		{name: "refused after close", acts: seq(closed, of(0, task(model.Submit, 1), is(model.Closed)), end)},
		{name: "taken after close", claim: model.ClosedReturnsTasks, acts: seq(closed, submit(1), run(1), end)},
		{name: "refused before close", claim: model.ClosedReturnsTasks, acts: seq(of(0, task(model.Submit, 1), is(model.Closed)), closed, end)},
		{name: "spawned and refused before close", claim: model.ClosedReturnsTasks,
			acts: seq(submit(1), run(1), of(1, task(model.Spawned, 2), is(model.Closed)), closed, end)},
		{name: "refused and run", claim: model.ClosedReturnsTasks, acts: seq(closed, of(0, task(model.Submit, 1), is(model.Closed)), run(1), end)},
		{name: "spawned while it closes", acts: []act{
			{1, 2, 0, task(model.Submit, 1), done}, {3, 4, 1, task(model.Run, 1), done},
			{5, 12, 0, just(model.Close), done}, {6, 7, 1, task(model.Spawned, 2), done},
			{8, 9, 1, task(model.Run, 2), done}, {13, 14, 0, just(model.End), done}}},
	})
}

// A task that has started and not finished is not over, for whoever closes and
// whoever waits for it.
func TestATaskThatRunsIsNotOver(t *testing.T) {
	bag := model.Bag()
	events := func(k model.Kind, v ...model.Task) []model.Event {
		return bag.Events(model.Operation{Op: model.Op{Kind: k, Args: v}, Result: model.Result{Outcome: model.Done}})
	}
	submit, run, closed, await := events(model.Submit, 1), events(model.Run, 1), events(model.Close), events(model.Await, 1)
	require.Len(t, run, 2)
	may := func(trace ...model.Event) bool {
		s := bag.Initial()
		for _, e := range trace {
			next := bag.Step(s, e)
			if len(next) == 0 {
				return false
			}
			s = next[0]
		}
		return true
	}
	require.True(t, may(submit[0], run[0], run[1], await[0], closed[0], closed[1]))
	require.False(t, may(submit[0], run[0], closed[0], closed[1]), "closed while it runs")
	require.False(t, may(submit[0], run[0], await[0]), "awaited while it runs")
	require.False(t, may(submit[0], run[1]), "finished and not started")
	require.False(t, may(submit[0], run[0], run[0]), "started twice")
	require.False(t, may(submit[0], run[0], run[1], run[1]), "finished twice")
}
