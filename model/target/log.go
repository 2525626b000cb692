package target

import (
	"slices"
	"sync"

	"github.com/filch-sched/filch/model"
)

// log is what the workers of a target did. Its lock is no step of an
// exploration: no thread is ever stopped inside it.
type log struct {
	mu  sync.Mutex
	ops model.History
}

// add records an operation of a worker that was called at call and returns now.
func (l *log) add(thread int, k model.Kind, t model.Task, r model.Result, call int64, now func() int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ops = append(l.ops, model.Operation{Thread: thread, Op: model.Op{Kind: k, Args: []model.Task{t}},
		Result: r, Call: call, Return: now()})
}

func (l *log) all() model.History {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.ops)
}
