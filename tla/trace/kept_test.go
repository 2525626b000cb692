package trace_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/tla/trace"
)

// TestKeptRunIsThatRun: also after it was kept again, and of its subject by itself.
func TestKeptRunIsThatRun(t *testing.T) {
	r, dir := recorder(t), t.TempDir()
	for _, of := range trace.Subjects() {
		run, err := r.Machine(context.Background(), program(of, 2, 20))
		require.NoError(t, err)
		file, err := r.Keep(run, dir)
		require.NoError(t, err)
		require.Regexp(t, `^filch-rejected-\d+\.jsonl$`, filepath.Base(file))
		for range 2 {
			again, err := r.Recorded(file, nil)
			require.NoError(t, err)
			require.Len(t, again, 1)
			require.Same(t, of, again[0].Of)
			require.Equal(t, file, again[0].File)
			require.Equal(t, run.Steps, again[0].Steps)
			file, err = r.Keep(again[0], dir)
			require.NoError(t, err)
		}
		plain, err := r.Recorded(run.File, of)
		require.NoError(t, err)
		require.Equal(t, run, plain[0])
	}
}

func TestRecordOfAnotherVersionIsRefused(t *testing.T) {
	r, dir := recorder(t), t.TempDir()
	run, err := r.Machine(context.Background(), program(trace.Rings, 2, 5))
	require.NoError(t, err)
	file, err := r.Keep(run, dir)
	require.NoError(t, err)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	s, err := trace.Rings.Source(root, nil)
	require.NoError(t, err)
	require.True(t, strings.HasSuffix(string(text), `{"source":"`+s.Sum()+`"}`+"\n"))
	other := strings.Replace(string(text), s.Sum(), strings.Repeat("0", len(s.Sum())), 1)
	require.NoError(t, os.WriteFile(file, []byte(other), 0o644))
	_, err = r.Recorded(file, nil)
	require.EqualError(t, err, "trace: "+file+" is a record of source files with the sum "+strings.Repeat("0", 64)+", and those here have "+s.Sum())

	_, err = r.Recorded(filepath.Join(dir, "none.jsonl"), nil)
	require.ErrorIs(t, err, os.ErrNotExist)
	require.NoError(t, os.WriteFile(file, []byte("{}\n"), 0o644))
	_, err = r.Recorded(file, nil)
	require.ErrorContains(t, err, "trace: line 1 is event 0 of run 0")
	_, err = trace.Of([]trace.Event{{Place: "main.go:3"}})
	require.EqualError(t, err, "trace: the record has no operation of a scheduler or a parker, nor a call of a ring's method")
	_, err = trace.Find("inject")
	require.EqualError(t, err, `trace: "inject" is not one of sched, rings, parker`)
}

func TestRunsOfTwoSubjectsAreNoModule(t *testing.T) {
	two := trace.Trace{Of: trace.Sched, Workers: 2}
	for _, other := range []trace.Trace{{Of: trace.Sched, Workers: 3}, {Of: trace.Rings, Workers: 2}} {
		require.ErrorContains(t, trace.Write(new(strings.Builder), []trace.Trace{two, other}), "in one module")
	}
	require.NoError(t, trace.Write(new(strings.Builder), []trace.Trace{{Of: trace.Rings, Workers: 2}, {Of: trace.Rings, Workers: 3}}))
}

func TestRecordOfRingsThatContradictsItselfIsRefused(t *testing.T) {
	s, err := trace.Rings.Source(root, nil)
	require.NoError(t, err)
	made, begin := place(t, s, "ring.go", "NewRing"), place(t, s, "calls.go", "calls.begin")
	good := []trace.Event{
		{Line: 1, Goroutine: 1, Op: "Store", Object: 1, In: "0", Place: made},
		{Line: 2, Goroutine: 1, Op: "Store", Object: 2, In: "0", Place: made},
		{Line: 3, Goroutine: 2, Op: "Store", Object: 3, In: "0x1000001_00000007", Place: begin},
	}
	run, err := trace.Rings.Translate(good, s)
	require.NoError(t, err)
	require.Equal(t, []trace.Step{{Line: 3, Name: "Call", Thread: "w0", Args: []any{"push", 1}}, {Line: 4, Name: trace.End, Thread: "-"}}, run.Steps)
	push, take := place(t, s, "ring.go", "Ring.Push"), place(t, s, "ring.go", "Ring.take")
	for _, c := range []struct {
		event trace.Event
		want  string
	}{
		{trace.Event{Goroutine: 2, Op: "Swap", Place: push}, "trace: line 4: Ring.Push Swap, at " + push + ", is an operation that the trace specification does not know"},
		{trace.Event{Goroutine: 1, Op: "Load", Place: push}, "trace: line 4: an operation of nobody that has called a method"},
		{trace.Event{Goroutine: 2, Op: "Load", Out: "x", Place: push}, `trace: line 4: strconv.ParseUint: parsing "x": invalid syntax`},
		{trace.Event{Goroutine: 2, Op: "Store", In: "0x9000001_00000007", Place: begin}, `trace: line 4: "0x9000001_00000007" is no call`},
		{trace.Event{Goroutine: 3, Op: "Store", In: "0x1090001_00000007", Place: begin}, `trace: line 4: "0x1090001_00000007" is no call`},
		{trace.Event{Goroutine: 2, Op: "Store", In: "0", Place: place(t, s, "calls.go", "calls.end")}, `trace: line 4: "0" is no answer`},
		{trace.Event{Goroutine: 3, Op: "Store", In: "7", Place: place(t, s, "calls.go", "calls.Push")}, `trace: line 4: "7" is no task of an overflow`},
	} {
		c.event.Line = 4
		_, err := trace.Rings.Translate(append(good[:3:3], c.event), s)
		require.EqualError(t, err, c.want)
	}
	free := trace.Event{Line: 1, Goroutine: 2, Op: "Load", Out: "0", Object: 1, Place: place(t, s, "ring.go", "Ring.Free")}
	before, err := trace.Rings.Translate([]trace.Event{good[0], good[1], free, good[2]}, s)
	require.NoError(t, err)
	require.Equal(t, run, before, "a look before the first call is no step")
	unwritten := trace.Event{Line: 4, Goroutine: 2, Kind: "cell", Object: 9, Op: "Load", Out: "5", Place: take}
	run, err = trace.Rings.Translate(append(good[:3:3], unwritten), s)
	require.NoError(t, err)
	require.Equal(t, trace.Step{Line: 4, Name: "Take", Thread: "w0", Args: []any{"-", 0, -1}}, run.Steps[1], "which no ring has")
	_, err = trace.Rings.Translate([]trace.Event{{Line: 1, Op: "Load", Place: "main.go:3"}}, s)
	require.EqualError(t, err, "trace: the record has no ring")
}
