package trace_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/tla/trace"
)

func TestRecordWithAGapIsRefused(t *testing.T) {
	line := `{"pid":7,"seq":1,"goroutine":1,"kind":"int","object":1,"op":"Load","out":"0","place":"x.go:1"}` + "\n"
	second := strings.Replace(line, `"seq":1`, `"seq":2`, 1)
	other := strings.Replace(line, `"pid":7`, `"pid":8`, 1)
	runs, err := trace.Read(strings.NewReader(line + second + other))
	require.NoError(t, err)
	require.Len(t, runs, 2)
	require.Len(t, runs[0], 2)
	require.Equal(t, 3, runs[1][0].Line)
	for text, want := range map[string]string{
		"":                           "trace: the record is empty",
		second:                       "trace: line 1 is event 2 of run 7, after event 0",
		line + line:                  "trace: line 2 is event 1 of run 7, after event 1",
		line + other + second:        "trace: line 3 is event 2 of run 7, after event 0",
		line + "{":                   "trace: line 2: unexpected end of JSON input",
		line + strings.ToUpper("no"): "trace: line 2: invalid character 'N' looking for beginning of value",
	} {
		_, err := trace.Read(strings.NewReader(text))
		require.EqualError(t, err, want)
	}
}

// source finds the line of a text in a file of production.
func place(t *testing.T, s trace.Source, file, function string) string {
	for line := 1; line < 500; line++ {
		at := file + ":" + strconv.Itoa(line)
		if f, err := s.Function(at); err == nil && f == function {
			return at
		}
	}
	require.Failf(t, "no such function", "%s in %s", function, file)
	return ""
}

func TestOperationThatIsNotKnownIsRefused(t *testing.T) {
	s, err := trace.Sched.Source(root, nil)
	require.NoError(t, err)
	ring := place(t, s, "ring.go", "NewRing")
	begin := []trace.Event{
		{Line: 1, Op: "Store", Object: 1, In: "0", Kind: "uint", Place: ring},
		{Line: 2, Op: "Store", Object: 2, In: "0", Kind: "uint", Place: ring},
	}
	got, err := trace.Sched.Translate(begin, s)
	require.NoError(t, err)
	require.Equal(t, trace.Trace{Of: trace.Sched, Workers: 1, Steps: []trace.Step{{Line: 3, Name: trace.End, Thread: "-"}}}, got)
	park := place(t, s, "idle.go", "Tracker.Park")
	for _, c := range []struct {
		event trace.Event
		want  string
	}{
		{trace.Event{Op: "Swap", Place: park}, "trace: line 3: Tracker.Park Swap, at " + park + ", is an operation that the trace specification does not know"},
		{trace.Event{Op: "Load", Place: "idle.go:1"}, "trace: line 3: idle.go:1 is in no function: the record is of another version of the source"},
		{trace.Event{Op: "Add", Out: "x", Place: park}, `trace: line 3: strconv.ParseUint: parsing "x": invalid syntax`},
		{trace.Event{Op: "CompareAndSwap", In: "1", Out: "true", Place: place(t, s, "idle.go", "Tracker.TrySearch")}, `trace: line 3: "1" with result "true" is no compare-and-swap`},
		{trace.Event{Op: "Load", Out: "2", Place: place(t, s, "ctx.go", "Ctx.GoTask")}, `trace: line 3: "2" is no flag`},
		{trace.Event{Op: "Store", Object: 9, In: "1", Place: place(t, s, "ring.go", "Ring.append")}, "trace: line 3: object 9 belongs to no worker that uses it"},
	} {
		c.event.Line = 3
		_, err := trace.Sched.Translate(append(begin, c.event), s)
		require.EqualError(t, err, c.want)
	}
	_, err = trace.Sched.Translate([]trace.Event{{Line: 1, Op: "Load", Place: "main.go:3"}}, s)
	require.EqualError(t, err, "trace: the record has no scheduler")
}
