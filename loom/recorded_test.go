//go:build loom

package loom_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/cell"
	"github.com/filch-sched/filch/loom/sync"
)

// recordedBody has every kind of value that a record can have.
func recordedBody() {
	var i atomic.Int32
	var b atomic.Bool
	var mu sync.Mutex
	var p atomic.Pointer[int]
	for range 2 {
		loom.Go(func() {
			i.Add(5)
			i.CompareAndSwap(5, 3)
			b.Store(i.Load() == 3)
			mu.Lock()
			p.Swap(nil)
			mu.Unlock()
		})
	}
}

func recordOf(t *testing.T, algorithm string, runs int) (text string, events []recorded) {
	var file bytes.Buffer
	r, err := loom.Explore(recordedBody, loom.Algorithm(algorithm), loom.Runs(runs), loom.Seed(3), loom.Record(&file))
	require.NoError(t, err)
	require.Equal(t, runs, r.Executions)
	text = file.String()
	for d := json.NewDecoder(&file); d.More(); {
		var e recorded
		d.DisallowUnknownFields()
		require.NoError(t, d.Decode(&e))
		events = append(events, e)
	}
	return text, events
}

// TestRecordOfExecutions: the lines of each execution are all that its threads did, in
// an order in which it could have happened, with what operations returned.
func TestRecordOfExecutions(t *testing.T) {
	const runs = 20
	text, events := recordOf(t, "random", runs)
	again, _ := recordOf(t, "random", runs)
	require.Equal(t, text, again, "the same seed gives the same record")
	other, _ := recordOf(t, "pct", runs)
	require.NotEqual(t, text, other)
	var run, seq uint64
	var state replayed
	ops, orders := map[string]int{}, map[string]bool{}
	order := ""
	for _, e := range events {
		if e.PID != run {
			require.Equal(t, run+1, e.PID)
			orders[order] = true
			run, seq, order, state = e.PID, 0, "", replayed{value: map[uint64]int{}, held: map[uint64]int{}}
		}
		seq++
		require.Equal(t, seq, e.Seq)
		order += e.Op + string(rune('0'+e.Goroutine))
		ops[e.Kind+" "+e.Op+" "+e.In]++
		require.Empty(t, state.step(e), "%v", e)
		if e.Kind == "int" {
			require.Regexp(t, `^recorded_test\.go:\d+$`, e.Place)
		}
	}
	require.EqualValues(t, runs, run)
	require.Greater(t, len(orders), 2, "executions differ")
	for op, n := range map[string]int{
		"int Add +5": 2, "int CompareAndSwap 5 -> 3": 2, "int Load ": 2, "mutex Lock ": 2, "mutex Unlock ": 2, "pointer Swap nil": 2,
	} {
		require.Equal(t, n*runs, ops[op], op)
	}
	require.Equal(t, 2*runs, ops["bool Store true"]+ops["bool Store false"])
}

// TestRecordTellsCellsApart: each has one number, whatever order they are used in.
func TestRecordTellsCellsApart(t *testing.T) {
	var file bytes.Buffer
	_, err := loom.Explore(func() {
		var cells [3]cell.Cell[int]
		for i := range 6 {
			cells[i%3].Store(i % 3)
		}
	}, loom.Algorithm("random"), loom.Runs(1), loom.Record(&file))
	require.NoError(t, err)
	values := map[uint64]string{}
	for d := json.NewDecoder(&file); d.More(); {
		var e recorded
		require.NoError(t, d.Decode(&e))
		require.Equal(t, "cell", e.Kind)
		if first, again := values[e.Object]; again {
			require.Equal(t, first, e.In)
		}
		values[e.Object] = e.In
	}
	require.Len(t, values, 3)
}

type full struct{}

var errFull = errors.New("the disk is full")

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestRecordThatCannotBeWrittenIsAnError(t *testing.T) {
	_, err := loom.Explore(recordedBody, loom.Algorithm("random"), loom.Runs(5), loom.Record(full{}))
	require.ErrorIs(t, err, errFull)
	require.ErrorContains(t, err, "loom: Record: ")
}
