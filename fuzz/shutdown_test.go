package fuzz_test

import (
	"context"
	"sync"
	"testing"

	"github.com/filch-sched/filch/model"
	"github.com/filch-sched/filch/sched"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestShutdownCountsWhatItAbandons holds every worker inside a task that has
// spawned others, and ends the scheduler without patience: the report says how many
// run, all others are cancelled, wherever they wait, and every handle says so.
func TestShutdownCountsWhatItAbandons(t *testing.T) {
	effort(t, 60, 1)
	rapid.Check(t, func(t *rapid.T) {
		workers := rapid.IntRange(1, 3).Draw(t, "workers")
		children := rapid.IntRange(0, 9).Draw(t, "children of each")
		outside := rapid.IntRange(0, 3).Draw(t, "tasks from outside")
		capacity := rapid.SampledFrom([]int{2, 4, 256}).Draw(t, "capacity")
		s, err := sched.New(sched.Workers(workers), sched.RingCapacity(capacity))
		require.NoError(t, err)
		gate := make(chan struct{})
		var mu sync.Mutex
		var handles []sched.Handle[int]
		var inside, spawned sync.WaitGroup
		inside.Add(workers)
		spawned.Add(workers)
		for range workers {
			require.NoError(t, s.Go(func(c sched.Ctx) {
				inside.Done()
				inside.Wait() // nobody is left who could run a child
				for range children {
					h, _ := sched.SpawnIn(c, func(sched.Ctx) (int, error) { return 0, nil })
					mu.Lock()
					handles = append(handles, h)
					mu.Unlock()
				}
				spawned.Done()
				<-gate
			}))
		}
		spawned.Wait()
		for range outside {
			h, err := sched.Spawn(s, func(sched.Ctx) (int, error) { return 0, nil })
			require.NoError(t, err)
			handles = append(handles, h)
		}
		hurried, cancel := context.WithCancel(context.Background())
		cancel()
		r, err := s.Shutdown(hurried)
		require.ErrorIs(t, err, context.Canceled)
		require.Equal(t, sched.ShutdownReport{Cancelled: workers*children + outside, Running: workers}, r,
			"%s violated", model.ShutdownDrains)
		for _, h := range handles {
			require.True(t, h.Ready(), "%s violated", model.JoinResolves)
			_, err := h.Wait()
			require.ErrorIs(t, err, sched.ErrCancelled, "%s violated", model.JoinResolves)
		}
		close(gate)
		require.NoError(t, s.Close())
	})
}
