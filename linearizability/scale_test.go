package linearizability_test

import (
	"path/filepath"
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

// A million operations are judged in a second or two, however long the queue is. The
// bound here is far from that, and farther from what a quadratic judge would take.
func TestAMillionInjectOperationsAreJudged(t *testing.T) {
	for _, depth := range []int{16, 500_000} {
		h := longInject(1_000_000, 4, depth)
		begin := time.Now()
		v, err := linearizability.Judge(h)
		took := time.Since(begin)
		require.NoError(t, err)
		require.Nil(t, v)
		t.Logf("%d operations, up to %d tasks in the queue, judged in %v", len(h.Ops), depth, took)
		require.Less(t, took, 30*time.Second)
	}
}

// What is wrong among a million operations is found, and cut to few enough for
// porcupine to draw.
func TestAWindowOfAMillionOperationsIsDrawn(t *testing.T) {
	for name, spoil := range map[string]func(pops []*model.Operation){
		"overtaken": func(pops []*model.Operation) {
			a, b := pops[len(pops)/2], pops[len(pops)/2+1000]
			a.Tasks, b.Tasks = b.Tasks, a.Tasks
		},
		"twice": func(pops []*model.Operation) { pops[len(pops)/2].Tasks = pops[len(pops)/3].Tasks },
		"empty": func(pops []*model.Operation) { pops[len(pops)/2].Outcome, pops[len(pops)/2].Tasks = model.Empty, nil },
	} {
		t.Run(name, func(t *testing.T) {
			h := longInject(1_000_000, 4, 2000)
			var pops []*model.Operation
			for i := range h.Ops {
				if h.Ops[i].Outcome == model.Took {
					pops = append(pops, &h.Ops[i])
				}
			}
			spoil(pops)
			v, err := linearizability.Judge(h)
			require.NoError(t, err)
			require.NotNil(t, v)
			cut, w := linearizability.Shrink(h, v)
			require.Equal(t, v.Claim, w.Claim)
			t.Logf("%s: %d operations are left", w.Claim, len(cut.Ops))
			lawful, err := linearizability.Porcupine(cut, time.Minute)
			require.NoError(t, err)
			require.False(t, lawful)
			drawn, err := linearizability.DrawFile(filepath.Join(t.TempDir(), "x.html"), cut)
			require.NoError(t, err)
			require.True(t, drawn)
		})
	}
}
