package linearizability

import (
	"fmt"
	"math"

	"github.com/filch-sched/filch/model"
)

// Never is the Return of an operation that had not ended when the run was given
// up as stuck.
const Never = math.MaxInt64

// History is the operations of one run and what they ran on.
type History struct {
	Target model.Target
	// Threads is how many there are, numbered from 0. Each owns the ring and the
	// parker of its number.
	Threads int
	// Capacity is that of every ring, or of the inject queue or the deque, 0 if it
	// has none, as filch's own inject queue.
	Capacity int
	// Stuck says that the run stood still and was given up: operations that
	// return Never were not slow, they hung.
	Stuck bool
	// Setup is how many operations at the beginning were not recorded, but build
	// the state in which the others began.
	Setup int
	// Ops are the operations, in the order of their calls. A thread does one at
	// a time, except in a history of Sched, where the Run of a task encloses
	// what the task does.
	Ops model.History
}

// check reports why h cannot be judged. An error is about the history as a
// piece of input; it says nothing about the code that made it.
func (h *History) check() error {
	switch h.Target {
	case model.Ring, model.Inject, model.Park, model.Sched, model.Deque:
	default:
		return fmt.Errorf("linearizability: no judge for a history of %s", h.Target)
	}
	if h.Threads < 1 || h.Threads > MaxThreads {
		return fmt.Errorf("linearizability: %d threads, want 1 to %d", h.Threads, MaxThreads)
	}
	if h.Target == model.Ring && (h.Capacity < 2 || h.Capacity > 1<<16 || h.Capacity&(h.Capacity-1) != 0) {
		return fmt.Errorf("linearizability: capacity %d is not a power of two from 2 to 65536", h.Capacity)
	}
	if (h.Target == model.Inject || h.Target == model.Deque) && h.Capacity < 0 {
		return fmt.Errorf("linearizability: capacity %d is negative; 0 is none", h.Capacity)
	}
	if h.Setup < 0 || h.Setup > len(h.Ops) {
		return fmt.Errorf("linearizability: %d operations build the state, of %d", h.Setup, len(h.Ops))
	}
	if len(h.Ops) > math.MaxInt32 {
		return fmt.Errorf("linearizability: %d operations are too many for one history", len(h.Ops))
	}
	var last int64 = math.MinInt64
	var ended [MaxThreads]int64
	for t := range ended {
		ended[t] = math.MinInt64
	}
	for i := range h.Ops {
		o := &h.Ops[i]
		if err := h.checkOp(o); err != nil {
			return &OpError{Index: i, Err: err}
		}
		if o.Call < last {
			return &OpError{i, fmt.Errorf("called at %d, before the operation above it, at %d", o.Call, last)}
		}
		if o.Call < ended[o.Thread] && h.Target != model.Sched {
			return &OpError{i, fmt.Errorf("called at %d, before thread %d was done with its last, at %d",
				o.Call, o.Thread, ended[o.Thread])}
		}
		last, ended[o.Thread] = o.Call, o.Return
	}
	return nil
}

// OpError is what is wrong with one operation of a history.
type OpError struct {
	Index int // of History.Ops
	Err   error
}

func (e *OpError) Error() string {
	return fmt.Sprintf("linearizability: operation %d: %v", e.Index, e.Err)
}

func (e *OpError) Unwrap() error { return e.Err }

// checkOp reports why one operation makes no sense, whatever the others are.
func (h *History) checkOp(o *model.Operation) error {
	if o.Thread < 0 || o.Thread >= h.Threads {
		return fmt.Errorf("thread %d of %d", o.Thread, h.Threads)
	}
	if o.Return < o.Call {
		return fmt.Errorf("returns at %d, before its call at %d", o.Return, o.Call)
	}
	if o.Return == Never && !h.Stuck {
		return fmt.Errorf("does not return, and the history does not say that the run was stuck")
	}
	allowed := o.Kind.In(h.Target)
	if h.Target == model.Sched {
		allowed = allowed || o.Kind == model.Run || o.Kind == model.Spawned
	}
	if !allowed {
		return fmt.Errorf("%s is no operation of %s", o.Kind, h.Target)
	}
	return h.checkShape(o)
}
