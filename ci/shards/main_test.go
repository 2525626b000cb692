package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	one = `{"Package":"./a","Test":"TestX#1","Shard":1,"Shards":2,"Report":{"Executions":5,"Traces":4,"Elsewhere":1,"Exhausted":true}}`
	two = `{"Package":"./a","Test":"TestX#1","Shard":2,"Shards":2,"Report":{"Executions":3,"Traces":3,"Exhausted":true}}`
)

// added is what sum prints for some lines.
func added(t *testing.T, text ...string) (string, bool) {
	lines, err := read(strings.NewReader(strings.Join(text, "\n")), nil)
	require.NoError(t, err)
	var b strings.Builder
	ok := sum(&b, lines)
	return b.String(), ok
}

func TestAllSharesMakeUpTheWhole(t *testing.T) {
	out, ok := added(t, two, one)
	require.True(t, ok)
	require.Equal(t, "./a TestX#1: 7 traces in 8 executions, 1 of them of other shares: exhausted\nshards: ok, 1 explorations\n", out)
}

func TestWhatIsNotTheWholeFails(t *testing.T) {
	for want, lines := range map[string][]string{
		"share 2 of 2 is missing":       {one},
		"share 1 of 2 comes 2 times":    {one, one, two},
		"share 2 of 2 is not exhausted": {one, strings.Replace(two, "true", "false", 1)},
		"share 2 of 2: X violated, replay: r": {one, strings.TrimSuffix(two, "}") +
			`,"Violation":{"Claim":"X","Command":"r"}}`},
		"share 2 of 2: no time":              {one, strings.TrimSuffix(two, "}") + `,"Error":"no time"}`},
		"share 2 of 3 beside one of 2":       {one, strings.Replace(two, `"Shards":2`, `"Shards":3`, 1)},
		"FAILED, no exploration is reported": nil,
	} {
		out, ok := added(t, lines...)
		require.False(t, ok, out)
		require.Contains(t, out, want)
	}
	_, err := read(strings.NewReader("no"), nil)
	require.ErrorContains(t, err, `line 1 is no report`)
}
