//go:build loom

package loom_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/time"
)

// TestResetsAndNewThreadsBlockNothing: a thread that a Reset may or may not have
// started does not change what those are called that the same thread starts later.
func TestResetsAndNewThreadsBlockNothing(t *testing.T) {
	r := holds(t, func() {
		var x, y atomic.Int32
		w := time.AfterFunc(1, func() { x.Add(1) })
		loom.Go(func() {
			w.Reset(1)
			loom.Go(func() { x.Store(1) })
			loom.Go(func() { y.Store(2) })
		})
		loom.Go(func() { w.Reset(1) })
		loom.Go(func() { w.Reset(1) })
	})
	require.Equal(t, 1272, r.Traces)
	require.Equal(t, 1272, r.Executions)
	require.Zero(t, r.Blocked)
}
