package linearizability_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/linearizability"
)

// Whatever the bytes are, they are refused by line or judged, and what can be read
// is written and read again as the same.
func FuzzHistory(f *testing.F) {
	f.Add([]byte(goodFile))
	f.Add([]byte(`{"history":"filch/1","target":"inject","threads":2,"operations":3}
{"thread":0,"op":"inject.push","args":[2147483647],"out":"kept","call":1,"return":3}
{"thread":1,"op":"inject.popn","max":2,"out":"took","tasks":[2147483647],"call":2,"return":4}
{"thread":1,"op":"inject.len","out":"counted","call":5,"return":5}
`)) // of tasks with large numbers nothing is as large
	f.Add([]byte(linearizability.ByteOrderMark + strings.ReplaceAll(goodFile, "\n", "\r\n")))
	f.Add([]byte(`{"history":"filch/1","target":"inject","threads":2,"capacity":9223372036854775807,"operations":2}
{"thread":1,"op":"inject.push","args":[1],"out":"kept","call":-9223372036854775808,"return":-9223372036854775808}
{"thread":0,"op":"inject.pop","out":"took","tasks":[1],"call":-3,"return":9223372036854775806}
`))
	for _, h := range []*linearizability.History{
		rings(push(1, 1, 1), stole(1, 2, 3, 1, 1)),
		bounded(given(at(0, 1, 2, 9, 2), 1)),
		stuck(parkers(at(0, 1, linearizability.Never, 15, 0))),
		deques(given(at(0, 1, 1, 30, 2), 1)),
	} {
		var b bytes.Buffer
		require.NoError(f, linearizability.Write(&b, h))
		f.Add(b.Bytes())
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		h, err := linearizability.Read(bytes.NewReader(file))
		if err != nil {
			var at *linearizability.LineError
			require.True(t, errors.As(err, &at) && at.Line > 0, "%v", err)
			return
		}
		var b bytes.Buffer
		require.NoError(t, linearizability.Write(&b, h))
		again, err := linearizability.Read(&b)
		require.NoError(t, err)
		require.Equal(t, len(h.Ops), len(again.Ops))
		v, err := linearizability.Judge(h)
		if err != nil || v == nil {
			return
		}
		w, err := linearizability.Judge(again)
		require.NoError(t, err)
		require.Equal(t, v.Claim, w.Claim)
		_, cut := linearizability.Shrink(h, v)
		require.Equal(t, v.Claim, cut.Claim)
	})
}
