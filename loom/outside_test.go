package loom_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
)

// TestOutside: without an exploration the functions do what their documentation
// says, in both builds.
func TestOutside(t *testing.T) {
	done := false
	loom.Go(func() { done = true }).Join()
	require.True(t, done)

	for range 3 {
		loom.Yield() // there is nothing that it could wait for
	}

	a, b := loom.Call(), loom.Return()
	require.Less(t, a, b)

	seen := map[int]bool{}
	for range 1000 {
		seen[loom.Choose(3)] = true
	}
	require.Equal(t, map[int]bool{0: true, 1: true, 2: true}, seen)

	if !loom.Enabled {
		return // other tests may have left threads whose Failf must not panic
	}
	require.PanicsWithValue(t, "loom: Failf outside Check and Explore: FIFO violated: 2 before 1",
		func() { loom.Failf("FIFO", "%d before %d", 2, 1) })
}

func TestBadArguments(t *testing.T) {
	for want, f := range map[string]func(){
		"loom: Choose(0) has nothing to choose from": func() { loom.Choose(0) },
		"loom: Stress(0) is not positive":            func() { loom.Stress(0) },
		"loom: Deadline(-1ns) is not positive":       func() { loom.Deadline(-1) },
		"loom: MaxSteps(0) is not positive":          func() { loom.MaxSteps(0) },
	} {
		require.PanicsWithValue(t, want, f)
	}
}
