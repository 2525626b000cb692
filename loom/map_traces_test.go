//go:build loom

package loom_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/sync"
)

// TestMapOperationsThatMayChangeNothing: like a compare-and-swap, an operation on
// a Map that changed nothing may change something earlier. A search that takes
// what it did for what it would do loses traces.
func TestMapOperationsThatMayChangeNothing(t *testing.T) {
	load := func(m *sync.Map) func() { return func() { m.Load(1) } }
	for name, body := range map[string]func(){
		"LoadAndDelete": func() {
			var m sync.Map
			all(func() { m.Store(1, 1) }, func() { m.LoadAndDelete(1) }, load(&m), load(&m))
		},
		"LoadOrStore": func() {
			var m sync.Map
			all(func() { m.Store(1, 1) }, func() { m.LoadOrStore(1, 2) }, load(&m), load(&m))
		},
		"CompareAndSwap": func() {
			var m sync.Map
			m.Store(1, 0)
			all(func() { m.CompareAndSwap(1, 0, 1) }, func() { m.CompareAndSwap(1, 0, 2) }, load(&m), func() { m.LoadAndDelete(1) })
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := loom.Explore(body)
			require.NoError(t, err)
			want, err := loom.Explore(body, loom.Algorithm("sleep"))
			require.NoError(t, err)
			require.Equal(t, want.Traces, got.Traces)
			require.Zero(t, got.Blocked)
		})
	}
}
