//go:build loom

package sync_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/sync"
)

// TestMapIsExplored: a check and an action on it are two steps, one call is one.
func TestMapIsExplored(t *testing.T) {
	claim := func(take func(m *sync.Map) bool) error {
		_, err := loom.Explore(func() {
			var m sync.Map
			won := make([]bool, 2)
			var threads []*loom.Thread
			for i := range won {
				threads = append(threads, loom.Go(func() { won[i] = take(&m) }))
			}
			for _, th := range threads {
				th.Join()
			}
			if won[0] == won[1] {
				loom.Failf("OneWins", "%v", won)
			}
		})
		return err
	}
	require.NoError(t, claim(func(m *sync.Map) bool {
		_, loaded := m.LoadOrStore("k", 1)
		return !loaded
	}))
	err := claim(func(m *sync.Map) bool {
		_, ok := m.Load("k")
		m.Store("k", 1)
		return !ok
	})
	var v *loom.Violation
	require.True(t, errors.As(err, &v), "%v", err)
	require.Equal(t, "OneWins", v.Claim)
	require.Contains(t, v.Schedule, "map#0 Load (Load k) = <nil>, false")
}

// TestMapReadsCommute, and Range sees what is there when it comes to a key.
func TestMapReadsCommute(t *testing.T) {
	explored := func(writer func(m *sync.Map)) loom.Report {
		r, err := loom.Explore(func() {
			var m sync.Map
			m.Store(1, 1)
			m.Store(2, 2)
			loom.Go(func() { m.Range(func(_, _ any) bool { return true }) })
			writer(&m)
		})
		require.NoError(t, err)
		require.True(t, r.Exhausted)
		return r
	}
	require.Equal(t, 1, explored(func(m *sync.Map) { m.Load(1) }).Traces)
	require.Equal(t, 4, explored(func(m *sync.Map) { m.Delete(2) }).Traces, "before, between and after three looks")
}

// TestOnceIsPerExecution: a package variable made by OnceValue starts anew.
func TestOnceIsPerExecution(t *testing.T) {
	runs := 0
	get := sync.OnceValue(func() int { runs++; return 7 })
	r, err := loom.Explore(func() {
		loom.Go(func() { get() })
		if get() != 7 {
			loom.Failf("Value", "not 7")
		}
	})
	require.NoError(t, err)
	require.Equal(t, r.Executions, runs)
}
