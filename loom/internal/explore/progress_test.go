package explore

import (
	"bytes"
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestProgressOnATerminal: one line that is written over every second, and taken
// away in the end.
func TestProgressOnATerminal(t *testing.T) {
	var out bytes.Buffer
	p := NewProgress(func() {}, Options{})
	p.Sampling = true // nothing to estimate
	p.Open = func() (io.Writer, bool, string) { return &out, true, "TestX" }
	r := &Result{Executions: 1, Traces: 1}
	require.Nil(t, p.Ran(r, false, 0))
	for tenths := range 35 {
		r.Executions, r.Traces = 1+100_000*tenths, 1+tenths
		require.Nil(t, p.at(p.begin.Add(time.Duration(tenths)*100*time.Millisecond), r))
	}
	require.Equal(t, "\r\x1b[Kloom: TestX: 1s, 1.0 million executions, 11 traces, 1.0 million/s"+
		"\r\x1b[Kloom: TestX: 2s, 2.0 million executions, 21 traces, 1.0 million/s"+
		"\r\x1b[Kloom: TestX: 3s, 3.0 million executions, 31 traces, 1.0 million/s", out.String())
	out.Reset()
	p.End(r)
	require.Equal(t, "\r\x1b[K", out.String())
}

// TestProgressInALog: lines add up, so after a while there are fewer.
func TestProgressInALog(t *testing.T) {
	var out bytes.Buffer
	p := NewProgress(func() {}, Options{})
	p.Sampling = true
	p.Open = func() (io.Writer, bool, string) { return &out, false, "TestX" }
	r := &Result{Executions: 1}
	require.Nil(t, p.Ran(r, false, 0))
	for second := range 60 {
		require.Nil(t, p.at(p.begin.Add(time.Duration(second)*time.Second), r))
	}
	require.Equal(t, 10+4, bytes.Count(out.Bytes(), []byte("\n")))
	require.NotContains(t, out.String(), "\r")
}

// TestProgressAfterAResume: what an earlier process has done does not count for
// the rate.
func TestProgressAfterAResume(t *testing.T) {
	var out bytes.Buffer
	p := NewProgress(func() {}, Options{})
	p.Sampling = true
	p.Open = func() (io.Writer, bool, string) { return &out, false, "TestX" }
	require.Nil(t, p.Ran(&Result{Executions: 1_000_001, Traces: 900_001}, true, 0))
	require.Nil(t, p.at(p.begin.Add(2*time.Second), &Result{Executions: 1_002_000, Traces: 901_000}))
	require.Equal(t, "loom: TestX: 2s, 1.0 million executions, 900 thousand traces, 1000/s\n", out.String())
}

func TestRoughTimes(t *testing.T) {
	for d, want := range map[time.Duration]string{
		400 * time.Millisecond: "0s", 59 * time.Second: "59s", 3*time.Minute + 44*time.Second: "3m40s",
		90 * time.Minute: "1h30m0s", 5000 * time.Hour: "208 days", -1: "very long",
	} {
		require.Equal(t, want, roughTime(d), fmt.Sprint(d))
	}
}
