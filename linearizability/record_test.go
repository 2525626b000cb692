package linearizability_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/linearizability"
	"github.com/filch-sched/filch/model"
)

// If A returned before B was called, then B sees what A did. The other way
// round, operations that did overlap are never told apart: each thread here
// shows between its stamps that it is inside.
func TestStampsSayExactlyWhatHappened(t *testing.T) {
	const threads, rounds = 4, 5000
	type interval struct {
		call, ret int64
		sum       int64 // how many operations had ended in between
	}
	var clock linearizability.Clock
	var ended atomic.Int64
	all := make([][]interval, threads)
	var wg sync.WaitGroup
	for i := range threads {
		wg.Go(func() {
			for range rounds {
				at := interval{call: clock.Call()}
				at.sum = ended.Add(1)
				at.ret = clock.Return()
				all[i] = append(all[i], at)
			}
		})
	}
	wg.Wait()
	var flat []interval
	for _, a := range all {
		flat = append(flat, a...)
	}
	// After sorting by what the additions saw, no operation may have returned
	// before an earlier one was called.
	bySum := make([]interval, len(flat)+1)
	for _, a := range flat {
		bySum[a.sum] = a
	}
	latest := int64(0)
	calls := map[int64]bool{}
	for _, a := range bySum[1:] {
		require.LessOrEqual(t, latest, a.ret, "an operation whose effect was earlier was called after this one returned")
		latest = max(latest, a.call)
		require.False(t, calls[a.call], "two calls have one stamp")
		require.LessOrEqual(t, a.call, a.ret)
		calls[a.call] = true
	}
}

func TestLogsMergeInTheOrderOfCalls(t *testing.T) {
	var clock linearizability.Clock
	a, b := linearizability.NewLog(&clock, 0, 4), linearizability.NewLog(&clock, 1, 4)
	a.Begin(model.Op{Kind: model.Pop})
	b.Begin(model.Op{Kind: model.Pop})
	b.End(model.Result{Outcome: model.Empty})
	a.End(model.Result{Outcome: model.Empty})
	a.Amend(model.Result{Outcome: model.Took, Tasks: a.Tasks(7)})
	b.Begin(model.Op{Kind: model.Unpark})
	require.Equal(t, 3, a.Room())
	require.Equal(t, 2, b.Room())

	ops := linearizability.Merge(nil, []*linearizability.Log{a, b})
	require.Len(t, ops, 3)
	require.Equal(t, []int{0, 1, 1}, []int{ops[0].Thread, ops[1].Thread, ops[2].Thread})
	require.Equal(t, []model.Task{7}, ops[0].Tasks)
	require.Equal(t, int64(linearizability.Never), ops[2].Return, "an operation that has not ended")
	require.Equal(t, []int64{1, 2, 3}, []int64{ops[0].Call, ops[1].Call, ops[2].Call})

	a.Reset()
	require.Empty(t, linearizability.Merge(nil, []*linearizability.Log{a}))
}

func TestRecordingAllocatesNothing(t *testing.T) {
	var clock linearizability.Clock
	log := linearizability.NewLog(&clock, 0, 8)
	require.Zero(t, testing.AllocsPerRun(100, func() {
		log.Reset()
		log.Begin(model.Op{Kind: model.Push, Args: log.Tasks(1)})
		log.End(model.Result{Outcome: model.Kept})
	}))
}

// Recording an operation costs no more than asking for the time once, so that it
// does not spoil the timing. A machine that does much else makes both slow: the
// best of some tries counts.
func TestRecordingCostsAtMostOneTimeNow(t *testing.T) {
	if slowBuild {
		t.Skip("the race detector and the tag loom make atomic operations slow, and not time.Now")
	}
	var c linearizability.Cost
	for range 20 {
		c = linearizability.RecorderCost()
		if c.Record <= c.Now {
			break
		}
	}
	t.Logf("recording an operation takes %.1f ns, time.Now %.1f ns, with %d threads", c.Record, c.Now, c.Threads)
	require.LessOrEqual(t, c.Record, c.Now)
}

// The price of recording, beside that of one time.Now, with all processors
// recording.
func BenchmarkRecord(b *testing.B) {
	var clock linearizability.Clock
	var threads atomic.Int64
	b.Run("record", func(b *testing.B) {
		b.RunParallel(func(pb *testing.PB) {
			log := linearizability.NewLog(&clock, int(threads.Add(1)), 1000)
			for pb.Next() {
				if log.Room() == 0 {
					log.Reset()
				}
				log.Begin(model.Op{Kind: model.Pop})
				log.End(model.Result{Outcome: model.Empty})
			}
		})
	})
	b.Run("time.Now", func(b *testing.B) {
		b.RunParallel(func(pb *testing.PB) {
			var last time.Time
			for pb.Next() {
				last = time.Now()
			}
			_ = last
		})
	})
}

// A log that is full says so, also when its panic has been taken for another's.
func TestAFullLogSaysSo(t *testing.T) {
	var clock linearizability.Clock
	log := linearizability.NewLog(&clock, 3, 1)
	log.Begin(model.Op{Kind: model.Pop})
	log.End(model.Result{Outcome: model.Empty})
	require.Zero(t, log.Room())
	require.False(t, log.Full())
	require.PanicsWithValue(t, "linearizability: the log of thread 3 has room for 1 operations, and more begin",
		func() { log.Begin(model.Op{Kind: model.Pop}) })
	require.True(t, log.Full())
	require.Len(t, linearizability.Merge(nil, []*linearizability.Log{log}), 1)
	log.Reset()
	require.False(t, log.Full())
}
