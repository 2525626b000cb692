package sched

import (
	"errors"
	"fmt"
)

// Task is work to be run once. A pointer to a type of yours that has a Run
// method is spawned without an allocation; see [Scheduler.GoTask].
type Task interface {
	// Run does the work. c is valid until Run returns, in this goroutine only.
	Run(c Ctx)
}

// Func is a function as a Task.
type Func func(Ctx)

// Run calls f.
func (f Func) Run(c Ctx) { f(c) }

// Errors of this package. Compare with errors.Is.
var (
	// ErrClosed: the scheduler takes no more tasks; the task was not accepted.
	ErrClosed = errors.New("sched: scheduler is closed")
	// ErrCancelled: the task was accepted, and Shutdown ran out of time before it started.
	ErrCancelled = errors.New("sched: task cancelled by Shutdown before it ran")
	// ErrGoexit: the task called runtime.Goexit, as testing's FailNow does.
	ErrGoexit = errors.New("sched: task called runtime.Goexit")
	// ErrWouldDeadlock: a task waited for another in a way that would take its
	// worker out of service.
	ErrWouldDeadlock = errors.New("sched: Wait inside a task for a task that has not ended")
	// ErrInsideTask: Close or Shutdown was called by a task, which it would
	// have to wait for.
	ErrInsideTask = errors.New("sched: called inside a task: admission is closed, nothing was waited for")
)

// PanicError is the result of a task that panicked.
type PanicError struct {
	Value any    // what was given to panic
	Stack []byte // the stack of the panic, as by debug.Stack
}

// Error gives the value, not the stack.
func (p *PanicError) Error() string { return fmt.Sprintf("sched: task panicked: %v", p.Value) }

// Unwrap returns the value if it is an error.
func (p *PanicError) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}

// task is the header of everything that is queued. Who holds the pointer owns
// it: the spawner until it has queued it, then whoever takes it out.
type task struct {
	body Task
	// fin hears how the task ended; nil if nobody has a handle.
	fin finisher
	// next links free headers.
	next *task
}

// finisher resolves a handle, once.
type finisher interface{ finish(err error) }

// reset readies a header for another use, and forgets what it held.
func (t *task) reset() { t.body, t.fin = nil, nil }
