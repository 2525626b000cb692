package main

import (
	"context"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/filch-sched/filch/ci/tla/tlc"
	"github.com/filch-sched/filch/tla"
	"github.com/filch-sched/filch/tla/trace"
	"github.com/stretchr/testify/require"
)

func TestWrongRunMustBeRejectedWhereItIsWrong(t *testing.T) {
	run := trace.Trace{File: "run.jsonl", Workers: 2, Steps: []trace.Step{
		{Line: 10, Name: "WakeW1", Thread: "w0", Args: []any{0, 2}}, {Line: 12, Name: "ParkT2", Thread: "w1"}, {Line: 15, Name: trace.End, Thread: "-"},
	}}
	for _, c := range []struct {
		at       int
		said     []tlc.Explained
		failed   bool
		rejected int
		says     string
	}{
		{1, []tlc.Explained{{Steps: 1, Why: "pc"}}, false, 1, "rejected at line 12, ParkT2"},
		{1, []tlc.Explained{{Steps: 0, Why: "pc"}}, true, 1, "FAILED, at line 10, not 12"},
		{1, []tlc.Explained{{Steps: 3}}, true, 0, "FAILED, explained to the end"},
		{-1, []tlc.Explained{{Steps: 3}, {Steps: 2, Why: "pc"}}, false, 1, "rejected at line 15, End"},
		{-1, []tlc.Explained{{Steps: 3}, {Steps: 3}}, true, 0, "FAILED, explained to the end"},
	} {
		out := new(strings.Builder)
		x := &tracing{out: out}
		runs := make([]wrong, len(c.said))
		for i := range runs {
			runs[i] = wrong{"mistake", run, c.at}
		}
		x.reject(runs, c.said, 0.001)
		require.Contains(t, out.String(), c.says)
		require.Equal(t, c.failed, len(x.failed) > 0, c.says)
		require.Equal(t, c.rejected, x.wrong, c.says)
	}
}

func TestPlantThatIsNoneIsAFailure(t *testing.T) {
	x := &tracing{root: "../..", tmp: t.TempDir(), out: io.Discard, built: map[string]*trace.Recorder{}}
	_, err := x.recorder(context.Background(), "no-such-bug")
	require.ErrorContains(t, err, "no-such-bug")
	for _, s := range subjects {
		for _, name := range s.plants {
			require.FileExists(t, "../mutants/"+name+".txt")
		}
		require.Positive(t, s.atOnce)
		require.Greater(t, len(s.plants), s.atOnce)
		require.FileExists(t, filepath.Join(specs, s.config()))
		require.FileExists(t, filepath.Join(specs, s.broken()))
	}
}

func TestQuickestModelIsThatWithFewestStates(t *testing.T) {
	require.Equal(t, "Small", quickest([]tla.Model{{Name: "Large", Generated: 9}, {Name: "Small", Generated: 2}, {Name: "Same", Generated: 2}}).Name)
}
