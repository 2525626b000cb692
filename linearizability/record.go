package linearizability

import (
	"fmt"
	"sync/atomic"

	"github.com/filch-sched/filch/model"
)

// Log records the operations of one thread. Begin and End belong to that
// thread; they allocate nothing while there is room.
//
// What they do besides stamping is outside the interval that they record, but
// for the store that publishes the stamp of the call.
type Log struct {
	clock  *Clock
	thread int
	ops    []model.Operation
	tasks  []model.Task
	// begun and ended count operations, for whoever looks at a log whose thread
	// does not come back: everything before the last Begin or End is readable.
	begun, ended atomic.Int64
	full         atomic.Bool
	_            [64]byte
}

// NewLog returns an empty log of a thread with room for n operations.
func NewLog(c *Clock, thread, n int) *Log {
	return &Log{clock: c, thread: thread, ops: make([]model.Operation, n), tasks: make([]model.Task, 0, 4*n)}
}

// Room returns how many operations there is room for.
func (l *Log) Room() int { return len(l.ops) - int(l.begun.Load()) }

// Full reports whether an operation was to be recorded for which there was no room.
// Its panic may have been taken for that of what was recorded.
func (l *Log) Full() bool { return l.full.Load() }

// Begin records that an operation is about to begin. It must be the last thing
// before the operation, and End the first after it. It panics if there is no
// room.
func (l *Log) Begin(op model.Op) {
	n := l.begun.Load()
	if n >= int64(len(l.ops)) {
		l.overflow()
	}
	o := &l.ops[n]
	o.Thread, o.Op, o.Result, o.Return = l.thread, op, model.Result{}, Never
	o.Call = l.clock.Call()
	l.begun.Store(n + 1)
}

func (l *Log) overflow() {
	l.full.Store(true)
	panic(fmt.Sprintf("linearizability: the log of thread %d has room for %d operations, and more begin", l.thread, len(l.ops)))
}

// End records that the operation begun last has ended, and how.
func (l *Log) End(r model.Result) {
	at := l.clock.Return()
	n := l.ended.Load()
	o := &l.ops[n]
	o.Result, o.Return = r, at
	l.ended.Store(n + 1)
}

// Amend replaces the result of the operation that ended last, for what is better
// worked out after its interval. Nobody else may be looking at the log.
func (l *Log) Amend(r model.Result) { l.ops[l.ended.Load()-1].Result = r }

// Drop forgets the operation that ended last, which then says nothing. Nobody else
// may be looking at the log.
func (l *Log) Drop() {
	n := l.ended.Load() - 1
	l.begun.Store(n)
	l.ended.Store(n)
}

// Tasks returns a copy of tasks that lives as long as the log is not reset.
func (l *Log) Tasks(tasks ...model.Task) []model.Task {
	if len(l.tasks)+len(tasks) > cap(l.tasks) {
		l.tasks = make([]model.Task, 0, max(cap(l.tasks), len(tasks)))
	}
	at := len(l.tasks)
	l.tasks = append(l.tasks, tasks...)
	return l.tasks[at:len(l.tasks):len(l.tasks)]
}

// Reset empties the log. Histories that were made of it become invalid.
func (l *Log) Reset() {
	l.begun.Store(0)
	l.ended.Store(0)
	l.full.Store(false)
	l.tasks = l.tasks[:0]
}

// Merge returns the operations of logs in the order of their calls. An
// operation that has not ended returns Never.
func Merge(into []model.Operation, logs []*Log) []model.Operation {
	ops := make([][]model.Operation, len(logs))
	ended := make([]int, len(logs))
	for i, l := range logs {
		ops[i] = l.ops[:l.begun.Load()]
		ended[i] = int(l.ended.Load())
	}
	for {
		first := none
		for i := range ops {
			if len(ops[i]) > 0 && (first == none || ops[i][0].Call < ops[first][0].Call) {
				first = i
			}
		}
		if first == none {
			return into
		}
		if o := &ops[first][0]; ended[first] > 0 {
			into = append(into, *o)
		} else { // End may be writing to the rest of it
			into = append(into, model.Operation{Thread: o.Thread, Op: o.Op, Call: o.Call, Return: Never})
		}
		ended[first]--
		ops[first] = ops[first][1:]
	}
}
