package linearizability_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/linearizability"
	"github.com/filch-sched/filch/model"
)

// longInject is a history of n operations by threads that take turns, each
// overlapping the next three, on a queue that holds about depth tasks.
func longInject(n, threads, depth int) *linearizability.History {
	h := &linearizability.History{Target: model.Inject, Threads: threads}
	var queue []model.Task
	next := model.Task(0)
	for i := range n {
		o := model.Operation{Thread: i % threads, Call: int64(i + 1), Return: int64(i + min(4, threads))}
		if len(queue) < depth && i < n/2 || i%2 == 0 && len(queue) < depth {
			next++
			o.Kind, o.Args, o.Outcome = model.InjectPush, []model.Task{next}, model.Kept
			queue = append(queue, next)
		} else if len(queue) > 0 {
			o.Kind, o.Tasks, o.Outcome = model.InjectPop, queue[:1:1], model.Took
			queue = queue[1:]
		} else {
			o.Kind, o.Outcome = model.InjectPop, model.Empty
		}
		h.Ops = append(h.Ops, o)
	}
	return h
}

func TestAMillionInjectOperationsAreJudged(t *testing.T) {
	for _, depth := range []int{16, 500_000} {
		h := longInject(1_000_000, 4, depth)
		begin := time.Now()
		v, err := linearizability.Judge(h)
		require.NoError(t, err)
		require.Nil(t, v)
		t.Logf("%d operations, up to %d tasks in the queue, judged in %v", len(h.Ops), depth, time.Since(begin))
	}
}
