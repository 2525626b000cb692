package linearizability_test

import (
	"math"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/linearizability"
	"github.com/filch-sched/filch/model"
)

// crowded is a bounded queue that holds so many tasks when pushes come that all
// overlap: there are many ways in which it can have come to that.
func crowded(held, pushes int) *linearizability.History {
	h := &linearizability.History{Target: model.Inject, Threads: pushes + 1, Capacity: held + pushes/2}
	for i := range held {
		h.Ops = append(h.Ops, given(at(0, int64(2*i), int64(2*i), model.InjectPush, model.Kept), model.Task(i+1)))
	}
	from := int64(2 * held)
	for i := range pushes / 2 {
		h.Ops = append(h.Ops, given(at(i+1, from+int64(i), from+1000, model.InjectPush, model.Kept), model.Task(held+i+1)))
	}
	n := at(0, from+500, from+500, model.InjectLen, model.Counted)
	n.N = held + pushes/2
	h.Ops = append(h.Ops, n)
	return h
}

// Too many ways to explain a history are an error and no verdict, before they take
// the memory of the machine: here each takes as much as the queue is long.
func TestALongQueueTakesBoundedMemory(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	v, err := linearizability.Judge(crowded(20_000, 24))
	runtime.ReadMemStats(&after)
	require.Nil(t, v)
	require.ErrorContains(t, err, "linearizability: the ways to explain the history take more than 268435456 bytes")
	require.Less(t, after.Sys-min(after.Sys, before.Sys), uint64(1)<<30)

	v, err = linearizability.Judge(crowded(20, 12))
	require.NoError(t, err)
	require.Nil(t, v)
}

// The time for an operation may grow with the length of the queue, but by no more
// than it takes to copy that.
func TestALongBoundedQueueIsJudged(t *testing.T) {
	h := crowded(20_000, 0)
	begin := time.Now()
	v, err := linearizability.Judge(h)
	require.NoError(t, err)
	require.Nil(t, v)
	t.Logf("%d pushes that stay, judged in %v", len(h.Ops), time.Since(begin))
	require.Less(t, time.Since(begin), 20*time.Second)
}

// A capacity that the pushes of a history do not reach makes no difference, not to
// the time either.
func TestACapacityThatIsNotReachedMakesNoDifference(t *testing.T) {
	h := longInject(300_000, 4, 100_000)
	pushes := 0
	for _, o := range h.Ops {
		pushes += len(o.Args)
	}
	for _, capacity := range []int{0, pushes, math.MaxInt} {
		h.Capacity = capacity
		begin := time.Now()
		v, err := linearizability.Judge(h)
		require.NoError(t, err)
		require.Nil(t, v)
		require.Less(t, time.Since(begin), 20*time.Second, "capacity %d", capacity)
	}
}

// Stamps are any whole numbers: only their order matters.
func TestStampsMayBeNegative(t *testing.T) {
	for _, from := range []int64{-1000, math.MinInt64, 0, 1 << 40} {
		h := injects(
			given(at(0, 0, 1, model.InjectBatch, model.Kept), 1, 2),
			took(at(1, 2, 3, model.InjectPop, model.Took), 1),
			given(at(0, 4, 5, model.InjectPush, model.Kept), 3),
			took(at(1, 6, 7, model.InjectPop, model.Took), 2),
			took(at(1, 8, 9, model.InjectPop, model.Took), 3))
		for i := range h.Ops {
			h.Ops[i].Call += from
			h.Ops[i].Return += from
		}
		v, err := linearizability.Judge(h)
		require.NoError(t, err)
		require.Nil(t, v, "from %d", from)
		h.Ops[3].Tasks, h.Ops[4].Tasks = h.Ops[4].Tasks, h.Ops[3].Tasks
		v, err = linearizability.Judge(h)
		require.NoError(t, err)
		require.Equal(t, model.InjectFIFO, v.Claim, "from %d", from)
	}
}
