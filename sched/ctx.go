package sched

import (
	"context"

	"github.com/filch-sched/filch/loom/gid"
)

// Ctx is what a running task knows of the scheduler. It is bound to its task
// and to this run of it: use it in the goroutine that was given it, until the
// task returns. Elsewhere it would make a second owner of a worker's queue, so
// it is refused with a panic (ContextBound). To spawn from another goroutine
// use the methods of [Scheduler], which is what Scheduler returns.
type Ctx struct {
	seat *seat
	run  uint64
}

// seat is one goroutine's tenure as a worker.
type seat struct {
	w *worker
	// g is the goroutine. It never changes, so anyone may compare with it.
	g uintptr
	// run is odd while a task runs, and different for each. Only goroutine g
	// reads or writes it.
	run uint64
}

// enter begins a run and returns its context; leave ends it.
func (st *seat) enter() Ctx {
	st.run++
	return Ctx{seat: st, run: st.run}
}

func (st *seat) leave() { st.run++ }

// worker returns the worker whose owner the caller is. It panics if the caller
// is not the task that c was given to. On an architecture that cannot tell
// goroutines apart it returns nil: the caller then does as if from outside.
func (c Ctx) worker() *worker {
	if c.seat == nil {
		panic("sched: use of a zero Ctx")
	}
	if !gid.Known {
		return nil
	}
	// The order matters: run may be read by goroutine g only.
	if c.seat.g != gid.Get() {
		panic("sched: Ctx used by another goroutine than its task's")
	}
	if c.seat.run != c.run {
		panic("sched: Ctx used after its task has ended")
	}
	return c.seat.w
}

// Go spawns f on this worker, to be run once, by whoever gets to it first. It
// returns [ErrClosed] after Close; f will then not run. It recycles what it allocates.
func (c Ctx) Go(f func(Ctx)) error {
	if f == nil {
		panic("sched: Go of a nil function")
	}
	return c.GoTask(Func(f))
}

// GoTask is Go for a Task.
func (c Ctx) GoTask(t Task) error {
	w := c.worker()
	if w == nil {
		return c.seat.w.s.GoTask(t)
	}
	if t == nil {
		panic("sched: GoTask of a nil Task")
	}
	if w.s.closed.Load() { // edge close
		return ErrClosed
	}
	h := w.header()
	h.body = t
	w.spawn(h)
	return nil
}

// Scheduler returns the scheduler that runs the task. Anyone may call it.
func (c Ctx) Scheduler() *Scheduler {
	if c.seat == nil {
		panic("sched: use of a zero Ctx")
	}
	return c.seat.w.s
}

// Worker returns the number of the worker that runs the task, 0 to the number
// of workers less one.
func (c Ctx) Worker() int {
	c.worker()
	return c.seat.w.id
}

// Context returns a context that ends when Shutdown runs out of time, so that
// a long task can stop early. Anyone may call it.
func (c Ctx) Context() context.Context { return c.Scheduler().ctx }
