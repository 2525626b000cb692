package sched_test

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/sched"
)

func TestPanicContainedIsTheTasksResult(t *testing.T) {
	boom := errors.New("boom")
	s := start(t, sched.Workers(1))
	h, err := sched.Spawn(s, func(sched.Ctx) (int, error) { panic(boom) })
	require.NoError(t, err)
	_, err = h.Wait()
	var p *sched.PanicError
	require.ErrorAs(t, err, &p)
	require.Equal(t, boom, p.Value)
	require.ErrorIs(t, err, boom)
	require.Contains(t, string(p.Stack), "TestPanicContainedIsTheTasksResult")
	require.NoError(t, s.Close())
	require.EqualValues(t, 1, balanced(t, s).Panicked)
}

func TestPanicContainedWithoutAHandleIsReported(t *testing.T) {
	reported := make(chan *sched.PanicError, 2)
	s := start(t, sched.Workers(1), sched.OnPanic(func(p *sched.PanicError) { reported <- p }))
	require.NoError(t, s.Go(func(sched.Ctx) { panic("loud") }))
	require.NoError(t, s.Go(func(sched.Ctx) { runtime.Goexit() }))
	require.NoError(t, s.Close())
	require.Equal(t, "loud", (<-reported).Value)
	require.ErrorIs(t, <-reported, sched.ErrGoexit)
}

// What a task waits for runs, also when Close has come in the meantime: nobody
// leaves while a task that can still publish one is running.
func TestCloseLeavesNobodyBehind(t *testing.T) {
	rounds := 20_000
	if raceEnabled {
		rounds = 2000
	}
	for range rounds {
		s := start(t, sched.Workers(3), sched.NoLIFOSlot())
		for range 3 {
			require.NoError(t, s.Go(func(sched.Ctx) {}))
		}
		require.NoError(t, s.Go(func(c sched.Ctx) {
			var ran atomic.Bool
			if c.Go(func(sched.Ctx) { ran.Store(true) }) == nil {
				for !ran.Load() { // this worker is taken: another must come
					runtime.Gosched()
				}
			}
		}))
		require.NoError(t, s.Close())
	}
}

// The same with children that overflow after inject has been closed: they are
// kept where every worker looks.
func TestCloseStrandsNoOverflow(t *testing.T) {
	for range 300 {
		s := start(t, sched.Workers(4), sched.RingCapacity(2), sched.NoLIFOSlot())
		var accepted, ran atomic.Int64
		started := make(chan struct{})
		require.NoError(t, s.Go(func(c sched.Ctx) {
			close(started)
			for c.Go(func(sched.Ctx) { ran.Add(1) }) == nil {
				accepted.Add(1)
			}
			for ran.Load() != accepted.Load() { // this worker is taken
				runtime.Gosched()
			}
		}))
		<-started
		require.NoError(t, s.Close())
		require.Equal(t, accepted.Load(), ran.Load(), "EveryTaskRuns")
	}
}

// PanicContained: a Goexit ends the worker's goroutine whatever the task's
// deferred functions and the handler do, and the worker goes on.
func TestPanicContainedInGoexit(t *testing.T) {
	var s *sched.Scheduler
	handled := make(chan error, 1)
	s = start(t, sched.Workers(1), sched.OnPanic(func(*sched.PanicError) {
		handled <- s.Close()
		runtime.Goexit()
	}))
	h, err := sched.Spawn(s, func(sched.Ctx) (int, error) {
		defer func() { panic("while exiting") }()
		runtime.Goexit()
		return 0, nil
	})
	require.NoError(t, err)
	_, err = h.Wait()
	require.ErrorContains(t, err, "while exiting")
	h, err = sched.Spawn(s, func(sched.Ctx) (int, error) { return 1, nil })
	require.NoError(t, err)
	n, err := h.Wait()
	require.NoError(t, err)
	require.Equal(t, 1, n)
	require.NoError(t, s.Go(func(sched.Ctx) { runtime.Goexit() }))
	require.ErrorIs(t, <-handled, sched.ErrInsideTask)
	require.NoError(t, s.Close())
	balanced(t, s)
}

// JoinResolves: also the handle of a task that was refused.
func TestRefusedHandleSaysClosed(t *testing.T) {
	s := start(t, sched.Workers(1))
	require.NoError(t, s.Close())
	h, err := sched.Spawn(s, func(sched.Ctx) (int, error) { return 0, nil })
	require.ErrorIs(t, err, sched.ErrClosed)
	_, err = h.Wait()
	require.ErrorIs(t, err, sched.ErrClosed)
}

// PanicContained: the worker outlives its tasks' ends, of every kind, in any
// order.
func TestPanicContainedWorkerLivesOn(t *testing.T) {
	for _, workers := range []int{1, 2} {
		before := runtime.NumGoroutine()
		s := start(t, sched.Workers(workers), sched.OnPanic(func(*sched.PanicError) {}))
		var ran atomic.Int32
		var handles []sched.Handle[int]
		for i := range 300 {
			h, err := sched.Spawn(s, func(c sched.Ctx) (int, error) {
				ran.Add(1)
				switch i % 3 {
				case 0:
					panic(i)
				case 1:
					runtime.Goexit()
				}
				require.NoError(t, c.Go(func(sched.Ctx) { ran.Add(1); panic("child") }))
				return i, nil
			})
			require.NoError(t, err)
			handles = append(handles, h)
		}
		for i, h := range handles {
			v, err := h.Wait()
			switch i % 3 {
			case 0:
				var p *sched.PanicError
				require.ErrorAs(t, err, &p)
				require.Equal(t, i, p.Value)
			case 1:
				require.ErrorIs(t, err, sched.ErrGoexit)
			default:
				require.NoError(t, err)
				require.Equal(t, i, v)
			}
		}
		require.NoError(t, s.Close())
		require.EqualValues(t, 400, ran.Load())
		balanced(t, s)
		goroutinesBack(t, before)
	}
}

func TestSpawnAfterCloseIsAnError(t *testing.T) {
	s := start(t, sched.Workers(2))
	require.NoError(t, s.Close())
	require.NoError(t, s.Close())
	require.ErrorIs(t, s.Go(func(sched.Ctx) {}), sched.ErrClosed)
	_, err := sched.Spawn(s, func(sched.Ctx) (int, error) { return 0, nil })
	require.ErrorIs(t, err, sched.ErrClosed)
	require.Zero(t, balanced(t, s).Spawned)
}

// EveryTaskRuns: what was accepted runs; what was not says so.
func TestAcceptedEqualsRunAroundClose(t *testing.T) {
	rounds := 300
	for range rounds {
		s := start(t, sched.Workers(3), sched.RingCapacity(4))
		var accepted, ran atomic.Int64
		var spawners sync.WaitGroup
		for range 4 {
			spawners.Go(func() {
				for range 1000 {
					err := s.Go(func(c sched.Ctx) {
						ran.Add(1)
						for range 3 {
							if err := c.Go(func(sched.Ctx) { ran.Add(1) }); err == nil {
								accepted.Add(1)
							} else if !errors.Is(err, sched.ErrClosed) {
								t.Errorf("spawn inside: %v", err)
							}
						}
					})
					if err != nil {
						if !errors.Is(err, sched.ErrClosed) {
							t.Errorf("spawn outside: %v", err)
						}
						return
					}
					accepted.Add(1)
				}
			})
		}
		require.NoError(t, s.Close())
		spawners.Wait()
		require.Equal(t, accepted.Load(), ran.Load(), "EveryTaskRuns")
		balanced(t, s)
	}
}

func TestCloseInsideATaskIsADefinedError(t *testing.T) {
	s := start(t, sched.Workers(5))
	var ran atomic.Int32
	for i := range 100 {
		err := s.Go(func(c sched.Ctx) {
			ran.Add(1)
			if i == 8 {
				if err := s.Close(); !errors.Is(err, sched.ErrInsideTask) {
					t.Errorf("Close inside a task: %v", err)
				}
			}
		})
		if err != nil {
			require.ErrorIs(t, err, sched.ErrClosed)
			ran.Add(1)
		}
	}
	require.NoError(t, s.Close())
	require.EqualValues(t, 100, ran.Load())
}

func TestWaitInsideATaskNeverHangs(t *testing.T) {
	s := start(t, sched.Workers(1))
	h, err := sched.Spawn(s, func(c sched.Ctx) (int, error) {
		child, err := sched.SpawnIn(c, func(sched.Ctx) (int, error) { return 1, nil })
		if err != nil {
			return 0, err
		}
		return child.Wait()
	})
	require.NoError(t, err)
	_, err = h.Wait()
	require.ErrorIs(t, err, sched.ErrWouldDeadlock)
	require.NoError(t, s.Close())
}

func TestWaitContextEndsWithItsContext(t *testing.T) {
	s := start(t, sched.Workers(1))
	release := make(chan struct{})
	h, err := sched.Spawn(s, func(sched.Ctx) (int, error) { <-release; return 3, nil })
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	_, err = h.WaitContext(ctx)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	close(release)
	v, err := h.Wait()
	require.NoError(t, err)
	require.Equal(t, 3, v)
	require.NoError(t, s.Close())
}

// ShutdownDrains
func TestShutdownDrainsAndReportsWhatItCancels(t *testing.T) {
	before := runtime.NumGoroutine()
	s := start(t, sched.Workers(2), sched.RingCapacity(4))
	var started, queued sync.WaitGroup
	started.Add(2)
	queued.Add(2)
	release := make(chan struct{})
	var stopped atomic.Int32
	for range 2 {
		require.NoError(t, s.Go(func(c sched.Ctx) {
			started.Done()
			started.Wait() // both workers are taken
			// Queued everywhere: the slot, the ring and, by overflow, inject.
			for range 9 {
				require.NoError(t, c.Go(func(sched.Ctx) { t.Error("ran a cancelled task") }))
			}
			queued.Done()
			<-c.Context().Done()
			stopped.Add(1)
			<-release
		}))
	}
	queued.Wait()
	h, err := sched.Spawn(s, func(sched.Ctx) (int, error) { return 0, nil })
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Millisecond)
	defer cancel()
	report, err := s.Shutdown(ctx)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.Equal(t, sched.ShutdownReport{Cancelled: 19, Running: 2}, report)
	_, err = h.Wait()
	require.ErrorIs(t, err, sched.ErrCancelled)
	close(release)
	require.NoError(t, s.Close())
	require.EqualValues(t, 2, stopped.Load())
	require.EqualValues(t, 21, balanced(t, s).Spawned)
	goroutinesBack(t, before)
}

func TestShutdownInTimeAbandonsNothing(t *testing.T) {
	s := start(t, sched.Workers(2))
	var ran atomic.Int32
	for range 1000 {
		require.NoError(t, s.Go(func(sched.Ctx) { ran.Add(1) }))
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	report, err := s.Shutdown(ctx)
	require.NoError(t, err)
	require.Zero(t, report)
	require.EqualValues(t, 1000, ran.Load())
}
