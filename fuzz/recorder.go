package fuzz

import (
	"cmp"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/model"
)

// recorder keeps the history of one run, and what is under way.
type recorder struct {
	machine
	// quit, if not nil, is told on goroutines of an operation that has ended its own.
	quit func(o model.Operation)
	logs []log // by thread
}

func newRecorder(m machine, threads int, quit func(o model.Operation)) *recorder {
	return &recorder{machine: m, quit: quit, logs: make([]log, threads)}
}

// log is what one thread has done. Each thread has its own: one for all would have them
// wait for each other between their operations, and they would meet less often.
type log struct {
	mu   sync.Mutex // is held for no step of a thread, and but for a report by its own alone
	ops  model.History
	open []model.Operation
	fell []model.Operation // by a panic, on goroutines: while others go on
	_    [64]byte          // a line of the cache to itself
}

// note changes a log.
func (l *log) note(change func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	change()
}

// perform does one operation and records it.
func (r *recorder) perform(thread int, op model.Op) model.Result {
	l := &r.logs[thread]
	o := model.Operation{Thread: thread, Op: op, Call: loom.Call()}
	l.note(func() { l.open = append(l.open, o) })
	o.Result = r.guarded(o)
	o.Return = loom.Return()
	l.note(func() {
		l.ops = append(l.ops, o)
		l.open = slices.DeleteFunc(l.open, func(p model.Operation) bool { return p.Call == o.Call })
	})
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
			l := &r.logs[o.Thread]
			l.note(func() { l.fell = append(l.fell, o) })
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

// all are the operations that of says of a log, in the order of their calls.
func (r *recorder) all(of func(l *log) []model.Operation) (ops model.History) {
	for i := range r.logs {
		l := &r.logs[i]
		l.note(func() { ops = append(ops, of(l)...) })
	}
	slices.SortFunc(ops, func(a, b model.Operation) int { return cmp.Compare(a.Call, b.Call) })
	return ops
}

// history is all that was done: by the threads, and then by others.
func (r *recorder) history() (threads, others model.History) {
	threads = r.all(func(l *log) []model.Operation { return l.ops })
	if r.also != nil {
		others = r.also()
	}
	return threads, others
}

// recorded is the latest run of a program, nil before the first.
type recorded struct{ atomic.Pointer[recorder] }

// moved is how many operations have returned.
func (l *recorded) moved() int {
	if r := l.Load(); r != nil {
		return len(r.all(func(l *log) []model.Operation { return l.ops }))
	}
	return 0
}

// standstill is for how long no operation returns in a run that does not go on.
const standstill = time.Second

// stands waits until the run comes to its end, or does not go on: whether that.
func (l *recorded) stands() bool {
	at, since := l.moved(), time.Now()
	for time.Since(since) < standstill {
		time.Sleep(patience)
		if now := l.moved(); now != at {
			at, since = now, time.Now()
		} else if _, open := l.left(); len(open) == 0 {
			return false
		}
	}
	return true
}

// left is what was done, and what had not returned; or what had panicked first.
func (l *recorded) left() (done, open model.History) {
	r := l.Load()
	if r == nil {
		return nil, nil
	}
	done, others := r.history()
	open = r.all(func(l *log) []model.Operation { return l.open })
	if fell := r.all(func(l *log) []model.Operation { return l.fell }); len(fell) > 0 {
		open = fell[:1]
	}
	return append(done, others...), open
}
