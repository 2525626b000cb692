package fuzz_test

import (
	"flag"
	"strconv"
	"testing"
	"time"

	"github.com/filch-sched/filch/fuzz"
	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/model"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// totals is what many concurrent runs came to.
type totals struct{ programs, exhausted, executions, traces int }

func (n *totals) add(r loom.Report) {
	n.programs++
	n.executions += r.Executions
	n.traces += r.Traces
	if r.Exhausted {
		n.exhausted++
	}
}

// explored draws programs of a shape and explores each to its end, or for a
// moment. What fails is shrunk: under exploration it fails again.
func explored(t *testing.T, shape fuzz.Shape, checks int, moment, budget time.Duration) {
	effort(t, checks, 30)
	var n totals
	failed := false
	begin := time.Now()
	rapid.Check(t, func(t *rapid.T) {
		p := fuzz.Programs(shape).Draw(t, "program")
		if !failed && time.Since(begin) > budget {
			return
		}
		r, err := fuzz.Concurrently(p, 1, moment)
		failed = failed || err != nil
		require.NoError(t, err)
		n.add(r)
	})
	t.Logf("%d programs, %d explored to the end, %d traces in %d executions, %v",
		n.programs, n.exhausted, n.traces, n.executions, time.Since(begin).Round(time.Millisecond))
	require.Positive(t, n.exhausted, "no program was explored to its end")
}

// stressed draws programs of a shape and runs each some rounds on goroutines.
// What fails is not shrunk: most often it would not fail again.
func stressed(t *testing.T, shape fuzz.Shape, checks, rounds int, budget time.Duration) {
	effort(t, checks, 30)
	seed, err := strconv.ParseUint(flag.Lookup("rapid.seed").Value.String(), 10, 64)
	require.NoError(t, err)
	var n totals
	begin := time.Now()
	programs := fuzz.Programs(shape)
	for i := 0; i < checks && (i == 0 || time.Since(begin) < budget); i++ {
		p := programs.Example(int(uint(seed) + uint(i)))
		_, err := fuzz.InOrder(p)
		require.NoError(t, err)
		r, err := fuzz.Concurrently(p, rounds, budget)
		require.NoError(t, err)
		n.add(r)
	}
	t.Logf("%d programs, %d runs on goroutines, nothing explored, %v",
		n.programs, n.executions, time.Since(begin).Round(time.Millisecond))
}

// TestConcurrently runs small programs with their threads at the same time,
// under the tag loom in every interleaving.
func TestConcurrently(t *testing.T) {
	for _, target := range []model.Target{model.Ring, model.Inject, model.Park, model.Tracker} {
		t.Run(target.String(), func(t *testing.T) {
			shape := fuzz.Small
			shape.Target = target
			if loom.Enabled {
				explored(t, shape, 80, time.Second, 8*time.Second)
			} else {
				stressed(t, shape, 400, 25, 2*time.Second)
			}
		})
	}
}

// TestOverlappingPushesAreJudgedAtOnce: on goroutines most of these pushes
// overlap, and a judge that guesses their orders one by one does not come to an
// end.
func TestOverlappingPushesAreJudgedAtOnce(t *testing.T) {
	s := model.Scenario{Target: model.Inject, Name: "pushes"}
	v := model.Task(0)
	for i := range 3 {
		th := model.Thread{Name: strconv.Itoa(i)}
		for range 40 {
			v++
			th.Ops = append(th.Ops, model.Op{Kind: model.InjectPush, Args: []model.Task{v}})
		}
		s.Threads = append(s.Threads, th)
	}
	p, err := fuzz.Of(s)
	require.NoError(t, err)
	_, err = fuzz.Concurrently(p, 300, time.Second)
	require.NoError(t, err)
}
