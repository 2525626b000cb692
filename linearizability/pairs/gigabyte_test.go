//go:build !race && !loom

package pairs_test

import (
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/linearizability"
	"github.com/filch-sched/filch/linearizability/pairs"
)

// flood is a file of a gigabyte: one line over and over.
type flood struct {
	line string
	at   int64
}

func (f *flood) Read(b []byte) (n int, err error) {
	if f.at >= 1<<30 {
		return 0, io.EOF
	}
	for n < len(b) {
		n += copy(b[n:], f.line[(f.at+int64(n))%int64(len(f.line)):])
	}
	f.at += int64(n)
	return n, nil
}

func TestAGigabyteIsRefused(t *testing.T) {
	const header = `{"history":"pairs/1","object":"register"}` + "\n"
	big := `{"process":0,"type":"invoke","f":"write","value":"` + strings.Repeat("x", 1<<19) + `"}` + "\n" +
		`{"process":0,"type":"ok","f":"write"}` + "\n"
	for name, c := range map[string]struct{ line, says string }{
		"one line": {"{", "line 1: cannot be read: bufio.Scanner: token too long"},
		"headers":  {header, "line 2: has no process"},
		"values":   {big, "bytes of keys and values"},
	} {
		t.Run(name, func(t *testing.T) {
			f := &flood{line: c.line}
			_, err := pairs.Read(f, "register")
			var at *linearizability.LineError
			require.ErrorAs(t, err, &at)
			require.ErrorContains(t, err, c.says)
			require.Less(t, f.at, int64(128<<20), "read on")
		})
	}
}
