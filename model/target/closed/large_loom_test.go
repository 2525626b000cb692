//go:build loom

package closed_test

import (
	"os"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/model/target/closed"
)

// TestManyStatesTakeLittleMemory searches the first states of a ring of four slots
// with three thieves, whose graph is larger still: nothing is violated there, and all
// that the process has ever had from the system is less than 4 GiB. FILCH_NIGHTLY
// makes it ten million, which then take less than 430 bytes each.
func TestManyStatesTakeLittleMemory(t *testing.T) {
	states := 100_000
	if os.Getenv("FILCH_NIGHTLY") != "" {
		states = 10_000_000
	}
	r := loom.CheckGraph(t, closed.Ring(4, 3, 0), append(closed.RingOptions(), loom.Workers(runtime.GOMAXPROCS(0)), loom.MaxStates(states))...)
	require.GreaterOrEqual(t, r.States, states)
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	t.Logf("%d bytes from the system for each state", m.Sys/uint64(r.States))
	require.Less(t, m.Sys, uint64(4<<30))
}
