//go:build loom

package sync_test

import (
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/cell"
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
	require.Contains(t, v.Schedule, "map#0 does Load(k) = <nil>, false")
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
	for name, f := range map[string]func(m *sync.Map){
		"LoadOrStore":      func(m *sync.Map) { m.LoadOrStore(1, 9) },
		"Delete":           func(m *sync.Map) { m.Delete(9) },
		"LoadAndDelete":    func(m *sync.Map) { m.LoadAndDelete(9) },
		"CompareAndSwap":   func(m *sync.Map) { m.CompareAndSwap(1, 9, 8) },
		"CompareAndDelete": func(m *sync.Map) { m.CompareAndDelete(1, 9) },
	} {
		require.Equal(t, 1, explored(f).Traces, "%s that changes nothing only looks", name)
	}
}

// TestMapSynchronizesByKey: what observes a write comes after it, and no other
// key has a part in that.
func TestMapSynchronizesByKey(t *testing.T) {
	races := func(write, read func(m *sync.Map) bool) error {
		_, err := loom.Explore(func() {
			var m sync.Map
			var c cell.Cell[int]
			m.Store("gone", 1)
			loom.Go(func() { c.Store(1); write(&m) })
			if read(&m) {
				c.Load()
			}
		})
		return err
	}
	store := func(m *sync.Map) bool { m.Store("k", 1); return true }
	remove := func(m *sync.Map) bool { m.Delete("gone"); return true }
	sees := func(m *sync.Map) bool { _, ok := m.Load("k"); return ok }
	misses := func(m *sync.Map) bool { _, ok := m.Load("gone"); return !ok }
	require.NoError(t, races(store, sees))
	require.NoError(t, races(remove, misses))
	require.NoError(t, races(store, func(m *sync.Map) bool { _, ok := m.LoadOrStore("k", 2); return ok }))
	require.NoError(t, races(store, func(m *sync.Map) bool { _, ok := m.Swap("k", 2); return ok }))
	for name, read := range map[string]func(m *sync.Map) bool{
		"another key":     func(m *sync.Map) bool { m.Load("other"); return true },
		"a blind write":   store,
		"a blind Delete":  func(m *sync.Map) bool { m.Delete("k"); return true },
		"sees no write":   func(m *sync.Map) bool { return !sees(m) },
		"a key not there": func(m *sync.Map) bool { m.Delete("other"); return true },
	} {
		require.ErrorContains(t, races(store, read), loom.ClaimRace, name)
	}
}

// TestMapOfBadKeys: what cannot be compared panics as in package sync, and only
// in its own thread.
func TestMapOfBadKeys(t *testing.T) {
	r, err := loom.Explore(func() {
		var m sync.Map
		m.Store(1, []int{})
		loom.Go(func() { m.Store(2, 2) })
		for _, f := range []func(){
			func() { m.Store([]int{}, 1) },
			func() { m.Load([]int{}) },
			func() { m.CompareAndSwap(1, []int{}, 1) },
		} {
			func() {
				defer func() {
					if recover() == nil {
						loom.Failf("Panics", "it does not")
					}
				}()
				f()
			}()
		}
		m.Load(2)
	})
	require.NoError(t, err)
	require.Equal(t, 5, r.Traces)
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

// TestMapKeyThatIsNotItself: NaN is a key for Range and Clear alone, as in
// sync.Map.
func TestMapKeyThatIsNotItself(t *testing.T) {
	body := func() {
		var m sync.Map
		m.Store(math.NaN(), 1)
		m.Store(math.NaN(), 2)
		sum := 0
		m.Range(func(_, v any) bool { sum += v.(int); return true })
		m.Clear()
		m.Range(func(_, _ any) bool { sum = -1; return true })
		if _, ok := m.Load(math.NaN()); sum != 3 || ok {
			panic(sum)
		}
	}
	body()
	loom.Check(t, body)
}
