package sched

import (
	"context"
	"fmt"

	"github.com/filch-sched/filch/idle"
	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/gid"
	"github.com/filch-sched/filch/loom/sync"
	"github.com/filch-sched/filch/queue"
)

// Scheduler runs tasks on a fixed number of workers. It must be made by [New]
// and ended by Close or Shutdown. Its methods may be called from anywhere,
// inside tasks too.
type Scheduler struct {
	// These never change after New.
	opts    options
	workers []*worker
	strides []int // what a worker can step by to visit every other one
	idle    *idle.Tracker
	ctx     context.Context
	cancel  context.CancelFunc

	// inject is the global queue. late takes its place for what rings overflow
	// with after it has been closed; it is never closed itself.
	inject, late queue.Inject[*task]

	// headers are free task headers, for spawns from outside.
	headers sync.Pool
	// spawned counts the tasks accepted from outside.
	spawned atomic.Uint64

	// closed is set once, after inject is closed: from then on no task comes in
	// from anywhere, and the worker that is the last to sleep sets over.
	closed atomic.Bool
	// over is set when the last task has ended: workers leave.
	over atomic.Bool
	// cancelling is set once, when Shutdown has run out of time: tasks that
	// have not started are resolved and not run.
	cancelling atomic.Bool
	// cancelled counts those.
	cancelled atomic.Uint64

	// alive counts the workers that have not left; the last one opens ended.
	alive atomic.Int64
	ended latch
	// live holds the goroutines of the workers.
	live sync.WaitGroup
}

// New starts a scheduler. An option with a bad value is an error, and nothing
// has been started.
func New(opts ...Option) (*Scheduler, error) {
	o := defaults()
	for i, opt := range opts {
		if opt == nil {
			return nil, fmt.Errorf("sched: option %d of New is nil", i)
		}
		if err := opt(&o); err != nil {
			return nil, err
		}
	}
	s, err := build(o)
	if err != nil {
		return nil, fmt.Errorf("sched: %w", err)
	}
	s.alive.Store(int64(o.workers))
	for _, w := range s.workers {
		s.live.Go(w.start)
	}
	return s, nil
}

// build makes a scheduler whose workers have not been started.
func build(o options) (*Scheduler, error) {
	s := &Scheduler{opts: o, strides: coprimes(o.workers - 1)}
	s.headers.New = func() any { return new(task) }
	var err error
	s.idle, err = idle.New(o.workers, func(i int) { s.workers[i].parker.Unpark() })
	if err != nil {
		return nil, err
	}
	for i := range o.workers {
		w, err := newWorker(s, i)
		if err != nil {
			return nil, err
		}
		s.workers = append(s.workers, w)
	}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	return s, nil
}

// Workers returns the number of workers.
func (s *Scheduler) Workers() int { return len(s.workers) }

// Go spawns f, to be run once. It returns [ErrClosed] after Close; f will then
// not run. Inside a task [Ctx.Go] is faster. Nothing is promised about the order
// in which tasks start.
func (s *Scheduler) Go(f func(Ctx)) error {
	if f == nil {
		panic("sched: Go of a nil function")
	}
	return s.GoTask(Func(f))
}

// GoTask is Go for a Task. The scheduler keeps t until it has run and no
// longer: it can be spawned again then.
func (s *Scheduler) GoTask(t Task) error {
	if t == nil {
		panic("sched: GoTask of a nil Task")
	}
	h := s.headers.Get().(*task)
	h.body = t
	if err := s.submit(h); err != nil {
		h.reset()
		s.headers.Put(h)
		return err
	}
	return nil
}

// submit queues a task from outside and sees to it that somebody looks.
func (s *Scheduler) submit(t *task) error {
	s.spawned.Add(1) // before the push: no task runs that was not counted
	if !s.inject.Push(t) {
		s.spawned.Add(^uint64(0))
		return ErrClosed
	}
	// Wrong: looking at the idle word before the push. The worker that parks in
	// between is woken by nobody. See ci/mutants/sched-notify-first.txt.
	s.idle.Wake(idle.Publish)
	return nil
}

// onWorker reports whether the calling goroutine is one of the workers.
func (s *Scheduler) onWorker() bool {
	if !gid.Known {
		return false
	}
	g := gid.Get()
	for _, w := range s.workers {
		if w.g.Load() == g {
			return true
		}
	}
	return false
}
