//go:build loom

package loom_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom/internal/explore"
	"github.com/filch-sched/filch/loom/internal/graph"
	"github.com/filch-sched/filch/loom/internal/machine"
)

// notInGraphs are the operations that a Graph refuses: it has no Yield, a timer
// holds a function, and stamps make every state a new one.
var notInGraphs = []string{"await", "await any", "spin for the lock", "timer", "reset timer", "stop timer", "call", "fail if"}

// inGraphs returns p without them.
func (p program) inGraphs() program {
	q := program{touch: p.touch}
	for _, ops := range p.threads {
		q.threads = append(q.threads, slices.DeleteFunc(slices.Clone(ops), func(o operation) bool {
			return slices.Contains(notInGraphs, o.name)
		}))
	}
	return q
}

// states searches the states of p and returns how its executions end.
func states(t *testing.T, p program, opts graph.Options) seen {
	s := seen{states: map[string]bool{}, deadlocks: map[string]bool{}}
	var now []string
	opts.MaxSteps = 1_000_000
	opts.Failed = func(f machine.Failure) {
		switch f.Kind {
		case machine.DeadlockFailure:
			s.deadlocks[fmt.Sprint(now)] = true
		case machine.RaceFailure: // of a WaitGroup, which clocks tell and states do not
			s.Races++
		default:
			s.deadlocks[f.Message] = true
		}
	}
	res := graph.Run(p.watched(func(seen []string) { now = seen }, func(end string) { s.states[end] = true }), opts)
	require.NoError(t, res.Err, "%v", p)
	require.True(t, res.Closed, "%v", p)
	s.Traces = res.States
	return s
}

// TestGraphsAndTracesAgree: random programs end in the same ways, whether their
// executions are searched or their states.
func TestGraphsAndTracesAgree(t *testing.T) {
	seed := number(t, "LOOM_SEED", uint64(time.Now().UnixNano()))
	t.Logf("seed %d: LOOM_SEED=%d go test -tags loom -run '^TestGraphsAndTracesAgree$' ./loom", seed, seed)
	r := rand.New(rand.NewPCG(seed, 0))
	compared, deadlocked := 0, 0
	for compared < 1000 {
		p := randomProgram(r, 4+r.IntN(8)).inGraphs()
		traces := search(p, explore.Options{Most: 2_000})
		if !traces.Exhausted || traces.Failures > 0 || traces.Races > 0 || traces.Err != nil {
			continue
		}
		exact := states(t, p, graph.Options{Exact: true, FullKeys: true})
		if exact.Races > 0 {
			continue
		}
		compared++
		if len(traces.deadlocks) > 0 {
			deadlocked++
		}
		require.Equal(t, traces.states, exact.states, "%v", p)
		require.Equal(t, traces.deadlocks, exact.deadlocks, "%v", p)
		hashed := states(t, p, graph.Options{Exact: true})
		require.Equal(t, exact.Traces, hashed.Traces, "states that a hash has merged: %v", p)
		form := states(t, p, graph.Options{})
		require.Equal(t, exact.states, form.states, "with accesses to cells in steps: %v", p)
		require.Equal(t, exact.deadlocks, form.deadlocks, "with accesses to cells in steps: %v", p)
	}
	t.Logf("%d programs, %d of them can deadlock", compared, deadlocked)
	require.Greater(t, deadlocked, 10)
}
