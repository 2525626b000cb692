//go:build loom

package sync_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/cmd/loom/hook/sync"
)

func explored(t *testing.T, body func()) loom.Report {
	r, err := loom.Explore(body)
	require.NoError(t, err)
	require.True(t, r.Exhausted)
	return r
}

// TestObjectsAreExplored: the same counts as with the types of loom/sync.
func TestObjectsAreExplored(t *testing.T) {
	var mu sync.Mutex
	var rw sync.RWMutex
	var wg sync.WaitGroup
	require.Equal(t, 2, explored(t, func() {
		f := func() { mu.Lock(); mu.Unlock() }
		wg.Go(f)
		wg.Go(f)
		wg.Wait()
	}).Traces)
	require.Equal(t, 1, explored(t, func() {
		f := func() { rw.RLock(); rw.RUnlock() }
		wg.Go(f)
		wg.Go(f)
		wg.Wait()
	}).Traces)
	_, err := loom.Explore(func() {
		f := func() {
			if !mu.TryLock() {
				loom.Failf("Taken", "held")
			}
			mu.Unlock()
		}
		wg.Go(f)
		wg.Go(f)
		wg.Wait()
	})
	var v *loom.Violation
	require.True(t, errors.As(err, &v))
	require.Equal(t, "Taken", v.Claim)
}

// TestOnce runs once in every execution, also one of a package, and once more
// after a new one was assigned.
func TestOnce(t *testing.T) {
	var once sync.Once
	runs, executions := 0, 0
	explored(t, func() {
		executions++
		loom.Go(func() { once.Do(func() { runs++ }) })
		once.Do(func() { runs++ })
		once.Do(func() { runs++ })
	})
	require.Equal(t, executions, runs)

	var before sync.Once
	before.Do(func() {})
	explored(t, func() { before.Do(func() { loom.Failf("Done", "done outside") }) })
	once.Do(func() { runs = -1 })
	require.Equal(t, -1, runs, "what an execution has done is not done outside")
	once = sync.Once{}

	explored(t, func() {
		runs := 0
		for range 3 {
			once.Do(func() { runs++ })
			once = sync.Once{}
		}
		if runs != 3 {
			loom.Failf("Reset", "%d", runs)
		}
	})
}

// TestHeldOutside: what somebody else holds is refused.
func TestHeldOutside(t *testing.T) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	mu.Lock()
	wg.Add(1)
	_, err := loom.Explore(func() { mu.TryLock() })
	require.ErrorContains(t, err, "outside of the exploration")
	_, err = loom.Explore(func() { wg.Done() })
	require.ErrorContains(t, err, "outside of the exploration")
	mu.Unlock()
	wg.Done()
	explored(t, func() { mu.Lock() })
}
