//go:build loom

package loom_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
)

// TestSleepSetsTryEveryOutcome: the reference search, too, makes every choice.
func TestSleepSetsTryEveryOutcome(t *testing.T) {
	seen := map[int]int{}
	r, err := loom.Explore(func() { seen[loom.Choose(3)]++ }, loom.Algorithm("sleep"))
	require.NoError(t, err)
	require.Equal(t, map[int]int{0: 1, 1: 1, 2: 1}, seen)
	require.Equal(t, 3, r.Traces)
}
