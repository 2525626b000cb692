package sched

import (
	"context"
	"time"

	"github.com/filch-sched/filch/idle"
	"github.com/filch-sched/filch/queue"
)

// grace is how long Shutdown, out of time, waits for workers that are not
// inside a task to find that nothing is left.
const grace = 10 * time.Millisecond

// ShutdownReport says what became of the tasks that Shutdown did not wait for.
type ShutdownReport struct {
	// Cancelled tasks had not started. They never will, and their handles say
	// ErrCancelled.
	Cancelled int
	// Running tasks had not returned. Their workers leave when they do, and
	// their handles are resolved then. Ctx.Context tells them to hurry.
	Running int
}

// Close stops admission, waits until every accepted task has run, and ends the
// workers. Spawns are refused from now on, also those of tasks that still run: a
// tree of tasks that is to grow to its end must have ended before. It may be called any number of times and always returns nil, but
// for [ErrInsideTask] when a task calls it: admission is then stopped, and
// somebody outside must call it too if the end is to be waited for.
func (s *Scheduler) Close() error {
	_, err := s.Shutdown(context.Background())
	return err
}

// Shutdown is Close until ctx ends. Then the tasks that have not started are
// cancelled, and those that run are left to end by themselves; the report
// counts both, and the error is that of ctx.
func (s *Scheduler) Shutdown(ctx context.Context) (ShutdownReport, error) {
	s.stop()
	if s.onWorker() {
		return ShutdownReport{}, ErrInsideTask
	}
	if s.ended.wait(ctx) == nil {
		s.live.Wait()
		s.cancel()
		return s.report(), nil
	}
	s.cancelling.Store(true)
	s.cancel()
	s.reap()
	soon, stop := context.WithTimeout(context.Background(), grace)
	defer stop()
	if s.ended.wait(soon) == nil {
		s.live.Wait()
	}
	return s.report(), ctx.Err()
}

func (s *Scheduler) report() ShutdownReport {
	r := ShutdownReport{Cancelled: int(s.cancelled.Load())}
	if !s.ended.ready() {
		_, r.Running = s.idle.Counts() // who does not sleep is in a task
	}
	return r
}

// stop ends admission and makes every worker look for what is left. Wrong:
// setting closed before inject is closed. Every worker could leave, and a task
// come in after them.
func (s *Scheduler) stop() {
	if s.inject.Close() {
		s.closed.Store(true) // edge close: pairs with the loads of closed
		s.idle.WakeAll(idle.Shutdown)
	}
}

// reap cancels what is queued anywhere. Workers do so too, but all of them may
// be inside tasks that do not return.
func (s *Scheduler) reap() {
	hand, err := queue.NewRing[*task](s.opts.capacity)
	if err != nil {
		panic(err) // the workers have rings of this capacity
	}
	for {
		found := false
		cancel := func(t *task) {
			found = true
			s.cancelled.Add(1)
			if t.fin != nil {
				t.fin.finish(ErrCancelled)
			}
		}
		for _, q := range []*queue.Inject[*task]{&s.inject, &s.late} {
			for t, ok := q.Pop(); ok; t, ok = q.Pop() {
				cancel(t)
			}
		}
		for _, w := range s.workers {
			if t := w.takeLIFO(); t != nil {
				cancel(t)
			}
			if t, _, out := w.stealer.StealInto(hand); out == queue.Stole {
				cancel(t)
			} else if out == queue.Busy {
				found = true // by another thief, who may be another Shutdown
			}
			for t, ok := hand.Pop(); ok; t, ok = hand.Pop() {
				cancel(t)
			}
		}
		if !found {
			return
		}
	}
}

// drained reports whether a closed scheduler has no task left, queued or
// running. Nothing enters inject any more; a worker that is listed as asleep runs
// no task and has none, nor can it get one but by waking; and whoever put one in
// late has looked there again before it was listed.
//
// Wrong: a worker that leaves when it finds nothing for itself. A running task
// may yet publish one, and wait for it.
func (s *Scheduler) drained() bool {
	if s.queued() {
		return false
	}
	_, up := s.idle.Counts()
	return up == 0
}

// end lets every worker leave.
func (s *Scheduler) end() {
	s.over.Store(true) // edge over: pairs with the loads of over
	s.idle.WakeAll(idle.Shutdown)
}

// leave ends a worker for good.
func (w *worker) leave() {
	if w.searching {
		w.searching = false
		w.s.idle.StopSearch()
	}
	w.publish()
	if w.s.alive.Add(-1) == 0 {
		w.s.ended.open()
	}
}
