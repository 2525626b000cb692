package main

import (
	"strings"
	"testing"

	"github.com/filch-sched/filch/linearizability/plant"
	"github.com/filch-sched/filch/model"
	"github.com/stretchr/testify/require"
)

// onGraphs are the claims that are checked on closed graphs, for each of which at
// least two planted bugs are found there.
var onGraphs = []model.Claim{
	model.NoLostTask, model.NoDuplicateTask, model.FIFO, model.StealHalf, model.OverflowKeepsOldest,
	model.CapacityFromSteal, model.SingleThief, model.BusyIsHonest, model.NoSlotRace,
	model.TokenKept, model.TokenSingle, model.CountsMatchSleepers, model.SearchersBounded, model.OneWakeInFlight,
	model.NoLostWakeup, model.WorkConserving, model.NoIdleSpin, model.LockFree,
	model.NoRetention, model.InjectFIFO, model.ClosedReturnsTasks, model.LenHint,
	model.InjectBounded, model.LIFOBounded, model.Linearizable,
}

// foundOnGraphs returns the mutants that the layer graph must kill, by the claim that
// it must see violated.
func foundOnGraphs(t *testing.T) map[model.Claim][]string {
	mutants, err := plant.Load(".")
	require.NoError(t, err)
	by := map[model.Claim][]string{}
	for _, m := range mutants {
		claims := map[model.Claim]bool{}
		for _, k := range m.Kills {
			for _, c := range k.Claims {
				claims[model.Claim(strings.TrimSuffix(c, plant.Endless))] = true
			}
		}
		for c := range claims {
			by[c] = append(by[c], m.Name)
		}
	}
	return by
}

// TestEveryClaimOfAGraphHasTwoPlantedBugs: this command then sees each of them found
// on a closed graph, with one of the shortest schedules and the claim by name.
func TestEveryClaimOfAGraphHasTwoPlantedBugs(t *testing.T) {
	by := foundOnGraphs(t)
	for _, c := range onGraphs {
		t.Logf("%s: %s", c, strings.Join(by[c], ", "))
		require.GreaterOrEqual(t, len(by[c]), 2, "%s is violated by %v alone", c, by[c])
	}
}

// elsewhere are the planted bugs that closed graphs do not find, and what they would
// need.
var elsewhere = map[string]string{
	"park-unpark-skips":        "a memory model that is not sequentially consistent",
	"sched-context-unbound":    "a task that keeps its context",
	"sched-goexit-ends-worker": "threads without a bound, as each Goexit starts one",
	"sched-latch-own-door":     "handles, which are new memory each",
	"sched-victim-left-out":    "three workers, and what is drawn of random numbers",
}

// TestEveryPlantedBugIsFoundOnAGraph, but for those that are elsewhere: what tasks are
// told apart by in scenarios, and tagged for on graphs, finds the same bugs.
func TestEveryPlantedBugIsFoundOnAGraph(t *testing.T) {
	mutants, err := plant.Load(".")
	require.NoError(t, err)
	missed := map[string]string{}
	for _, m := range mutants {
		on := false
		for _, k := range m.Kills {
			on = on || k.Layer == "graph"
		}
		if !on {
			missed[m.Name] = elsewhere[m.Name]
		}
	}
	require.Equal(t, elsewhere, missed)
}
