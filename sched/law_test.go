package sched_test

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/sched"
)

func nothing(sched.Ctx) {}

// WorkConserving: whoever publishes a task where others can take it wakes one
// who sleeps, if nobody searches.
func TestWorkConservingEveryPublicationWakes(t *testing.T) {
	still := func() sched.Still {
		x, err := sched.NewStill(2)
		require.NoError(t, err)
		return x
	}
	t.Run("submit", func(t *testing.T) {
		x := still()
		x.Sleep(1)
		require.NoError(t, x.Submit(nothing))
		require.Equal(t, 2, x.Awake())
	})
	t.Run("spawn", func(t *testing.T) {
		x := still()
		x.Sleep(1)
		x.Spawn(0, nothing)
		require.Equal(t, 1, x.Awake(), "filling the empty slot wakes nobody")
		x.Spawn(0, nothing)
		require.Equal(t, 2, x.Awake(), "what it displaces is published in the ring")
	})
	t.Run("refill", func(t *testing.T) {
		x := still()
		x.Sleep(1)
		for range 8 {
			x.Push(nothing)
		}
		require.Equal(t, 1, x.Awake())
		require.True(t, x.Next(0))
		require.Equal(t, 2, x.Awake(), "worker 0 has put in its ring what it did not take for itself")
	})
	t.Run("sleep", func(t *testing.T) {
		x := still()
		x.Push(nothing)
		x.Sleep(1) // looks once more, and wakes itself
		require.Equal(t, 2, x.Awake())
	})
}

// A slot's task is run by a thief that came for something else, while its own
// worker is taken.
func TestBlockedWorkerDoesNotHoldItsSlot(t *testing.T) {
	s := start(t, sched.Workers(2))
	ran := make(chan struct{})
	h, err := sched.Spawn(s, func(c sched.Ctx) (int, error) {
		if err := c.Go(func(sched.Ctx) { close(ran) }); err != nil {
			return 0, err
		}
		if err := s.Go(nothing); err != nil { // wakes the other worker
			return 0, err
		}
		<-ran
		return 0, nil
	})
	require.NoError(t, err)
	_, err = h.Wait()
	require.NoError(t, err)
	require.NoError(t, s.Close())
}

// NoRetention: the scheduler forgets a task that has run.
func TestSchedulerForgetsWhatHasRun(t *testing.T) {
	s := start(t, sched.Workers(1))
	gate := make(chan struct{})
	require.NoError(t, s.Go(func(sched.Ctx) { <-gate })) // so that a whole batch is refilled
	const n = 100
	collected := make(chan struct{}, 2*n)
	for range n {
		v := new([64]byte)
		runtime.AddCleanup(v, func(int) { collected <- struct{}{} }, 0)
		require.NoError(t, s.Go(func(c sched.Ctx) {
			v[0]++
			if err := c.Go(func(sched.Ctx) { v[1]++ }); err != nil {
				t.Error(err)
			}
		}))
	}
	close(gate)
	for range n {
		for done := false; !done; {
			runtime.GC()
			select {
			case <-collected: // a task that is held on to makes this test time out
				done = true
			default:
				runtime.Gosched()
			}
		}
	}
	require.NoError(t, s.Close())
}

// JoinResolves: who waits for a latch is let go, however many come at once.
func TestJoinResolvesForAllWhoWait(t *testing.T) {
	loom.Check(t, func() {
		var l sched.Latch
		a := loom.Go(func() { l.Wait() })
		b := loom.Go(func() { l.Wait() })
		l.Open()
		a.Join()
		b.Join()
	}, loom.Deadlock("JoinResolves"))
}
