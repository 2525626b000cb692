package fuzz

import (
	"cmp"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/model"
)

// recorder keeps the history of one run, and what is under way.
type recorder struct {
	machine
	// quit, if not nil, is told on goroutines of an operation that has ended its own.
	quit func(o model.Operation)
	mu   sync.Mutex // is held for no step of a thread
	ops  model.History
	open model.History
	// fell are operations that have panicked, on goroutines: while others go on.
	fell model.History
}

// perform does one operation and records it.
func (r *recorder) perform(thread int, op model.Op) model.Result {
	o := model.Operation{Thread: thread, Op: op, Call: loom.Call()}
	r.mu.Lock()
	r.open = append(r.open, o)
	r.mu.Unlock()
	o.Result = r.guarded(o)
	o.Return = loom.Return()
	r.mu.Lock()
	r.ops = append(r.ops, o)
	r.open = slices.DeleteFunc(r.open, func(p model.Operation) bool { return p.Thread == thread && p.Call == o.Call })
	r.mu.Unlock()
	return o.Result
}

// guarded does one operation, which may end its goroutine.
func (r *recorder) guarded(o model.Operation) model.Result {
	if r.quit == nil || loom.Enabled {
		return r.do(o.Thread, o.Op)
	}
	returned := false
	defer func() {
		if p := recover(); p != nil {
			r.mu.Lock()
			r.fell = append(r.fell, o)
			r.mu.Unlock()
			panic(p)
		}
		if !returned {
			r.quit(o)
		}
	}()
	result := r.do(o.Thread, o.Op)
	returned = true
	return result
}

// history is all that was done.
func (r *recorder) history() model.History {
	r.mu.Lock()
	h := slices.Clone(r.ops)
	r.mu.Unlock()
	if r.also != nil {
		h = append(h, r.also()...)
	}
	return h
}

// recorded is the latest run of a program, nil before the first.
type recorded struct{ atomic.Pointer[recorder] }

// moved is how many operations have returned.
func (l *recorded) moved() int {
	r := l.Load()
	if r == nil {
		return 0
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.ops)
}

// left is what was done, and what had not returned, in the order of threads; or what had
// panicked first.
func (l *recorded) left() (done, open model.History) {
	r := l.Load()
	if r == nil {
		return nil, nil
	}
	done = r.history()
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.fell) > 0 {
		return done, r.fell[:1:1]
	}
	open = slices.Clone(r.open)
	slices.SortFunc(open, func(a, b model.Operation) int { return cmp.Compare(a.Thread, b.Thread) })
	return done, open
}
