package pairs_test

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/linearizability"
	"github.com/filch-sched/filch/linearizability/pairs"
)

// Whatever the bytes are, they are refused by line or judged.
func FuzzPairs(f *testing.F) {
	f.Add([]byte(file("register", "0 invoke write 4", "1 invoke cas [4,5]", "0 ok write 4", "1 fail cas [4,5]")))
	f.Add([]byte(file("kv", `0 invoke append k "a"`, `0 info append k "a"`, `1 invoke get k null`, `1 ok get k "a"`)))
	f.Add([]byte(file("queue", "0 invoke enqueue 1", "0 ok enqueue 1", "1 invoke dequeue null", "1 ok dequeue 1")))
	f.Add([]byte(file("deque", "0 invoke push 1", "0 ok push 1", "1 invoke steal null", "1 fail steal null", "0 invoke pop null", "0 ok pop 1")))
	f.Fuzz(func(t *testing.T, text []byte) {
		var at *linearizability.LineError
		h, err := pairs.Read(bytes.NewReader(text), "")
		if err == nil {
			_, err = h.Judge(time.Second)
		}
		if err != nil {
			require.True(t, errors.As(err, &at) && at.Line > 0, "%v", err)
		}
	})
}
