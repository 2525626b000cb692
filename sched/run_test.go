package sched_test

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/sched"
)

// many is how many tasks the large tests run.
func many() int {
	if raceEnabled {
		return 100_000
	}
	return 1_000_000
}

func start(t testing.TB, opts ...sched.Option) *sched.Scheduler {
	t.Helper()
	s, err := sched.New(opts...)
	require.NoError(t, err)
	return s
}

// goroutinesBack waits until no more goroutines run than before, which the
// runtime takes a moment to notice.
func goroutinesBack(t testing.TB, before int) {
	t.Helper()
	for deadline := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > before; runtime.Gosched() {
		if time.Now().After(deadline) {
			t.Fatalf("NoLeak: %d goroutines, %d before", runtime.NumGoroutine(), before)
		}
	}
}

func balanced(t testing.TB, s *sched.Scheduler) sched.Stats {
	t.Helper()
	st := s.Stats()
	require.Equal(t, st.Spawned, st.Ran+st.Panicked+st.Cancelled, "%+v", st)
	return st
}

func TestEveryTaskRunsSpawnedFromOutside(t *testing.T) {
	for _, workers := range []int{1, 2, 64} {
		t.Run(fmt.Sprint("workers=", workers), func(t *testing.T) {
			before := runtime.NumGoroutine()
			s := start(t, sched.Workers(workers))
			n := many()
			runs := make([]atomic.Int32, n)
			for i := range n {
				require.NoError(t, s.Go(func(sched.Ctx) { runs[i].Add(1) }))
			}
			require.NoError(t, s.Close())
			for i := range runs {
				if r := runs[i].Load(); r != 1 {
					t.Fatalf("EveryTaskRuns: task %d ran %d times", i, r)
				}
			}
			require.EqualValues(t, n, balanced(t, s).Ran)
			goroutinesBack(t, before)
		})
	}
}

// tree is a task that spawns two more, up to limit of them. It is its own
// closure: spawning one allocates nothing.
type tree struct {
	id, limit int
	runs      []atomic.Int32
	nodes     []tree
	done      *sync.WaitGroup
	t         testing.TB
}

func (n *tree) Run(c sched.Ctx) {
	n.runs[n.id].Add(1)
	for _, child := range []int{2*n.id + 1, 2*n.id + 2} {
		if child < n.limit {
			n.nodes[child] = *n
			n.nodes[child].id = child
			if err := c.GoTask(&n.nodes[child]); err != nil {
				n.t.Errorf("spawn of %d: %v", child, err)
				n.done.Done()
			}
		}
	}
	n.done.Done()
}

func TestEveryTaskRunsSpawnedFromInside(t *testing.T) {
	for _, workers := range []int{1, 2, 64} {
		t.Run(fmt.Sprint("workers=", workers), func(t *testing.T) {
			before := runtime.NumGoroutine()
			s := start(t, sched.Workers(workers))
			n := many()
			var done sync.WaitGroup
			done.Add(n)
			nodes := make([]tree, n)
			nodes[0] = tree{limit: n, runs: make([]atomic.Int32, n), nodes: nodes, done: &done, t: t}
			require.NoError(t, s.GoTask(&nodes[0]))
			done.Wait()
			require.NoError(t, s.Close())
			for i := range nodes[0].runs {
				if r := nodes[0].runs[i].Load(); r != 1 {
					t.Fatalf("EveryTaskRuns: task %d ran %d times", i, r)
				}
			}
			require.EqualValues(t, n, balanced(t, s).Ran)
			goroutinesBack(t, before)
		})
	}
}

// NoLeak
func TestNoLeakOverAThousandSchedulers(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 1000 {
		s := start(t, sched.Workers(4))
		var ran atomic.Int32
		for range 10 {
			require.NoError(t, s.Go(func(sched.Ctx) { ran.Add(1) }))
		}
		require.NoError(t, s.Close())
		require.EqualValues(t, 10, ran.Load())
	}
	goroutinesBack(t, before)
}

func TestSpawnFromInsideRecyclesWhatItAllocates(t *testing.T) {
	s := start(t, sched.Workers(1), sched.RingCapacity(64))
	nothing := func(sched.Ctx) {}
	round := func(c sched.Ctx) (float64, error) {
		return testing.AllocsPerRun(10, func() {
			for range 4 { // in all, less than make the ring overflow
				if err := c.Go(nothing); err != nil {
					panic(err)
				}
			}
		}), nil
	}
	var allocs float64
	for range 2 { // the second round reuses the headers of the first
		h, err := sched.Spawn(s, round)
		require.NoError(t, err)
		allocs, err = h.Wait()
		require.NoError(t, err)
	}
	require.NoError(t, s.Close())
	if raceEnabled || loom.Enabled {
		t.Log("this build allocates on its own account: the count says nothing of filch")
		return
	}
	require.Zero(t, allocs)
}

// JoinResolves
func TestJoinResolvesWithResultAndError(t *testing.T) {
	s := start(t, sched.Workers(2))
	boom := errors.New("boom")
	h, err := sched.Spawn(s, func(c sched.Ctx) (string, error) {
		inner, err := sched.SpawnInWith(c, func(_ sched.Ctx, n int) (int, error) { return n * n, boom }, 7)
		if err != nil {
			return "", err
		}
		go func() { inner.Wait() }()
		return "outer", nil
	})
	require.NoError(t, err)
	v, err := h.Wait()
	require.NoError(t, err)
	require.Equal(t, "outer", v)
	require.True(t, h.Ready())

	e, err := sched.SpawnWith(s, func(_ sched.Ctx, n int) (int, error) { return n * n, boom }, 7)
	require.NoError(t, err)
	n, err := e.Wait()
	require.ErrorIs(t, err, boom)
	require.Equal(t, 49, n)
	require.NoError(t, s.Close())
}
