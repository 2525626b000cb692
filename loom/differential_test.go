//go:build loom

package loom_test

import (
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom/internal/explore"
)

// number returns the value of an environment variable, or a default.
func number(t *testing.T, name string, otherwise uint64) uint64 {
	s := os.Getenv(name)
	if s == "" {
		return otherwise
	}
	n, err := strconv.ParseUint(s, 10, 64)
	require.NoError(t, err, name)
	return n
}

// TestSleepSetsLoseNothing compares, on random programs, the search with sleep
// sets to one of every interleaving: the same traces, each exactly once; the
// same final states; the same deadlocks.
func TestSleepSetsLoseNothing(t *testing.T) {
	seed := number(t, "LOOM_TEST_SEED", uint64(time.Now().UnixNano()))
	programs := number(t, "LOOM_TEST_PROGRAMS", 300)
	steps := int(number(t, "LOOM_TEST_STEPS", 9))
	t.Logf("replay: LOOM_TEST_SEED=%d LOOM_TEST_PROGRAMS=%d LOOM_TEST_STEPS=%d go test -tags loom -run '^TestSleepSetsLoseNothing$' ./loom", seed, programs, steps)
	r := rand.New(rand.NewPCG(seed, 0))
	var traces, interleavings, deadlocks, large int
	for range programs {
		p := randomProgram(r, steps)
		all, states := search(p, explore.Options{Algorithm: "sleep", NoSleep: true, Most: 30_000})
		if !all.Exhausted {
			large++
			continue
		}
		one, some := search(p, explore.Options{Algorithm: "sleep"})
		best, bests := search(p, explore.Options{})
		require.True(t, best.Exhausted)
		require.Equal(t, slices.Sorted(maps.Keys(states)), slices.Sorted(maps.Keys(bests)), "final states of\n%v", p)
		require.Equal(t, one.Traces, best.Traces, "traces of\n%v", p)
		require.Equal(t, one.Deadlocks, best.Deadlocks, "deadlocks of\n%v", p)
		require.Equal(t, 0, best.Blocked, "blocked of\n%v", p)
		require.True(t, one.Exhausted)
		require.Equal(t, slices.Sorted(maps.Keys(states)), slices.Sorted(maps.Keys(some)), "final states of\n%v", p)
		require.Equal(t, all.Deadlocks > 0, one.Deadlocks > 0, "deadlocks of\n%v", p)
		if p.comparable() {
			require.Equal(t, one.Traces, len(one.Fingerprints), "a trace was run twice\n%v", p)
			require.Equal(t, slices.Sorted(maps.Keys(all.Fingerprints)), slices.Sorted(maps.Keys(one.Fingerprints)), "traces of\n%v", p)
		}
		traces += one.Traces
		interleavings += all.Traces
		deadlocks += one.Deadlocks
	}
	t.Logf("%d interleavings of %d traces, %d of them deadlocked; %d programs had too many interleavings", interleavings, traces, deadlocks, large)
	require.Less(t, large*4, int(programs), "most programs should have been compared")
	require.Positive(t, deadlocks)
}

// search explores p and returns what it has seen with the final states.
func search(p program, opts explore.Options) (explore.Result, map[string]bool) {
	states := map[string]bool{}
	opts.KeepGoing, opts.Fingerprints, opts.MaxSteps = true, true, 10_000
	res := explore.Search(p.body(func(s string) { states[s] = true }), opts)
	if res.Err != nil {
		panic(res.Err)
	}
	return res, states
}
