//go:build loom

package explore_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/internal/explore"
)

// TestLongSchedulesGetShort: what a sampler finds in executions too long to be
// searched by the number of switches still loses nearly all of its switches.
func TestLongSchedulesGetShort(t *testing.T) {
	body := func() {
		var noise [6]atomic.Int32
		var x atomic.Int32
		for i := range noise {
			loom.Go(func() {
				for k := range 40 {
					noise[(i+k)%len(noise)].Add(1)
				}
				if n := x.Load(); n == 2 {
					loom.Failf("Planted", "%d came after two others", i)
				}
				x.Add(1)
			})
		}
	}
	r := explore.Sample(body, explore.SampleOptions{Algorithm: "random", Seed: 1, Runs: 100})
	require.NoError(t, r.Err)
	require.NotNil(t, r.First)
	require.Greater(t, r.Schedule.Switches(), 100)
	require.Greater(t, len(r.Schedule.Order), 200)

	short := explore.Merge(body, r.First, *r.Schedule, explore.Options{MaxSteps: 1000})
	require.Equal(t, 2, short.Switches(), "two threads to their end, then a third")
	require.Len(t, short.Order, 2*42+41)

	e, err := explore.Explain(body, *r.First, *r.Schedule, explore.Options{MaxSteps: 1000})
	require.NoError(t, err)
	require.Equal(t, 2, e.Schedule.Switches())
	require.Len(t, e.Schedule.Order, 2*42+41)
}
