package sched

import (
	"context"

	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/sync"
)

// Handle is the result of a task to come. It may be copied, and used by any
// number of goroutines. The zero Handle belongs to no task and must not be
// used.
type Handle[R any] struct{ j *job[R] }

// Spawn runs f once on s and returns the handle of its result. After Close it
// returns [ErrClosed], and so does the handle. It may be called from anywhere; inside a task SpawnIn
// is faster.
func Spawn[R any](s *Scheduler, f func(Ctx) (R, error)) (Handle[R], error) {
	j := newFunc(s, f)
	return j.handle(s.submit(&j.task))
}

// SpawnIn is Spawn from inside the task that c was given to: the new task
// enters this worker's own queue.
func SpawnIn[R any](c Ctx, f func(Ctx) (R, error)) (Handle[R], error) {
	j := newFunc(c.Scheduler(), f)
	return j.handle(c.submit(&j.task))
}

// SpawnWith is Spawn for a function with an argument: f can be a plain function
// where Spawn would need a closure.
func SpawnWith[A, R any](s *Scheduler, f func(Ctx, A) (R, error), arg A) (Handle[R], error) {
	j := newCall(s, f, arg)
	return j.handle(s.submit(&j.task))
}

// SpawnInWith is SpawnIn for a function with an argument.
func SpawnInWith[A, R any](c Ctx, f func(Ctx, A) (R, error), arg A) (Handle[R], error) {
	j := newCall(c.Scheduler(), f, arg)
	return j.handle(c.submit(&j.task))
}

// submit queues a task on the worker that the caller is, if it can.
func (c Ctx) submit(t *task) error {
	w := c.worker()
	if w == nil {
		return c.seat.w.s.submit(t)
	}
	if w.s.closed.Load() { // edge close
		return ErrClosed
	}
	w.spawn(t)
	return nil
}

// Wait returns what the task returned. If the task panicked the error is a
// [*PanicError]; it is [ErrGoexit] or [ErrCancelled] if the task ended so.
//
// Inside a task of the same scheduler it does not wait, for that would take the
// worker out of service: if the other task has not ended yet the error is
// [ErrWouldDeadlock].
func (h Handle[R]) Wait() (R, error) { return h.WaitContext(context.Background()) }

// WaitContext is Wait until ctx ends; the error is then that of ctx, and the
// task goes on.
func (h Handle[R]) WaitContext(ctx context.Context) (R, error) {
	if !h.j.done.ready() {
		var none R
		if h.j.s.onWorker() {
			return none, ErrWouldDeadlock
		}
		if err := h.j.done.wait(ctx); err != nil {
			return none, err
		}
	}
	return h.j.val, h.j.err
}

// Ready reports whether the task has ended, so that Wait returns at once.
func (h Handle[R]) Ready() bool { return h.j.done.ready() }

// job is a task with a result. val and err are written by the worker that runs
// the task and may be read when done is ready.
type job[R any] struct {
	task
	s    *Scheduler
	val  R
	err  error
	done latch
}

// handle returns the handle of a job after the attempt to submit it: if that has
// failed the handle is resolved, with the same error.
func (j *job[R]) handle(err error) (Handle[R], error) {
	if err != nil {
		j.finish(err)
	}
	return Handle[R]{j}, err
}

// finish is called once, after the task's last step or in place of its first.
func (j *job[R]) finish(err error) {
	if err != nil {
		j.err = err
	}
	j.done.open()
}

type funcJob[R any] struct {
	job[R]
	f func(Ctx) (R, error)
}

func newFunc[R any](s *Scheduler, f func(Ctx) (R, error)) *funcJob[R] {
	if f == nil {
		panic("sched: Spawn of a nil function")
	}
	j := &funcJob[R]{f: f}
	j.s, j.body, j.fin = s, j, j
	return j
}

// Run forgets the function first: a handle may be kept for long.
func (j *funcJob[R]) Run(c Ctx) {
	f := j.f
	j.f = nil
	j.val, j.err = f(c)
}

type callJob[A, R any] struct {
	job[R]
	f   func(Ctx, A) (R, error)
	arg A
}

func newCall[A, R any](s *Scheduler, f func(Ctx, A) (R, error), arg A) *callJob[A, R] {
	if f == nil {
		panic("sched: Spawn of a nil function")
	}
	j := &callJob[A, R]{f: f, arg: arg}
	j.s, j.body, j.fin = s, j, j
	return j
}

// Run forgets the function and its argument first: a handle may be kept for long.
func (j *callJob[A, R]) Run(c Ctx) {
	var none A
	f, arg := j.f, j.arg
	j.f, j.arg = nil, none
	j.val, j.err = f(c, arg)
}

// latch opens once. Who waits makes a door; most latches never have one.
type latch struct {
	// door is nil, or the door of those who wait, or opened.
	door atomic.Pointer[door]
}

type door struct {
	mu   sync.Mutex
	cond *sync.Cond
}

// opened is the door of every open latch.
var opened = new(door)

func (l *latch) ready() bool {
	return l.door.Load() == opened // edge done: pairs with open's swap
}

// open opens the latch and wakes those who wait.
func (l *latch) open() {
	d := l.door.Swap(opened) // edge done: pairs with the loads of door
	if d == nil || d == opened {
		return
	}
	// Who has seen the latch shut holds mu until it waits.
	d.mu.Lock()
	d.cond.Broadcast()
	d.mu.Unlock()
}

// wait waits until the latch is open, or ctx ends and its error is returned.
func (l *latch) wait(ctx context.Context) error {
	d := l.door.Load()
	if d == nil {
		d = new(door)
		d.cond = sync.NewCond(&d.mu)
		if !l.door.CompareAndSwap(nil, d) {
			d = l.door.Load()
		}
	}
	if d == opened {
		return nil
	}
	if ctx.Done() != nil {
		stop := context.AfterFunc(ctx, func() {
			d.mu.Lock()
			d.cond.Broadcast()
			d.mu.Unlock()
		})
		defer stop()
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for !l.ready() {
		if err := ctx.Err(); err != nil {
			return err
		}
		d.cond.Wait()
	}
	return nil
}
