package pairs

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// openWrites is a register that so many processes write at the same time, and that
// has a value in between which none of them writes.
func openWrites(n int) string {
	var b strings.Builder
	b.WriteString(`{"history":"pairs/1","object":"register"}` + "\n")
	for i := range n {
		fmt.Fprintf(&b, `{"process":%d,"type":"invoke","f":"write","value":%d}`+"\n", i, i)
	}
	b.WriteString(`{"process":-1,"type":"invoke","f":"read"}` + "\n" + `{"process":-1,"type":"ok","f":"read","value":-5}` + "\n")
	for i := range n {
		fmt.Fprintf(&b, `{"process":%d,"type":"ok","f":"write"}`+"\n", i)
	}
	return b.String()
}

// Porcupine is stopped when it takes too much memory, long before its time is up.
func TestPorcupineIsStoppedWhenItTakesTooMuchMemory(t *testing.T) {
	h, err := Read(strings.NewReader(openWrites(3000)), "")
	require.NoError(t, err)
	byKey, _ := h.byKey()
	begin := time.Now()
	decided, why := inMemory(h.model(), byKey[""], time.Hour, 1<<20)
	require.Regexp(t, `^porcupine did not decide within \d+s, in which it took \d+ MiB$`, why)
	require.NotEqual(t, "Ok", decided)
	require.Less(t, time.Since(begin), time.Minute)
	_, why = inMemory(h.model(), byKey[""], time.Millisecond, mostMemory)
	require.Equal(t, "porcupine did not decide within 1ms", why)
}

// Values that are appended to are kept by porcupine, one for each operation.
func TestLongValuesAreNotGivenToPorcupine(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"history":"pairs/1","object":"kv"}` + "\n")
	long := strings.Repeat("x", 60_000)
	for range 1000 {
		fmt.Fprintf(&b, `{"process":0,"type":"invoke","f":"append","key":"k","value":%q}`+"\n"+`{"process":0,"type":"ok","f":"append"}`+"\n", long)
	}
	h, err := Read(strings.NewReader(b.String()), "")
	require.NoError(t, err)
	v, err := h.Judge(time.Minute)
	require.NoError(t, err)
	require.Empty(t, v.Claim)
	require.Contains(t, v.Unknown, `1000 operations on "k" append 60002000 bytes: porcupine keeps a value for each`)
}

// More operations at a time than can be judged are told at once, however many.
func TestManyProcessesTakeNoLonger(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"history":"pairs/1","object":"queue"}` + "\n")
	for i := range 100_000 {
		fmt.Fprintf(&b, `{"process":%d,"type":"invoke","f":"enqueue","value":%d}`+"\n", i, i)
	}
	h, err := Read(strings.NewReader(b.String()), "")
	require.NoError(t, err)
	for i := range h.Ops { // as if all were dequeued later
		h.Ops[i].Return = Open - 1
	}
	begin := time.Now()
	v, err := h.Judge(time.Minute)
	require.NoError(t, err)
	require.Equal(t, "more than 32 operations at a time", v.Unknown)
	require.Less(t, time.Since(begin), 5*time.Second)
}
