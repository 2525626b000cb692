package linearizability_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/linearizability"
	"github.com/filch-sched/filch/model"
)

const goodFile = `{"history":"filch/1","target":"ring","threads":3,"capacity":4,"operations":3}
{"thread":0,"op":"push","args":[7],"out":"kept","call":1,"return":3}
{"thread":1,"op":"steal","out":"stole","tasks":[7],"n":1,"call":2,"return":4}
{"thread":2,"op":"steal","out":"empty","call":5,"return":5}
`

func TestFilesRoundTrip(t *testing.T) {
	for _, h := range []*linearizability.History{
		rings(), rings(push(1, 1, 1), stole(1, 2, 3, 1, 1)),
		injects(given(at(0, -5, -4, model.InjectBatch, model.Kept), 1, 2), most(at(1, 2, 2, model.InjectPopN, model.Empty), 3)),
		stuck(parkers(at(0, 1, linearizability.Never, model.ParkToken, 0))),
		{Target: model.Ring, Threads: 1, Capacity: 2, Setup: 1, Ops: []model.Operation{push(1, 1, 1)}},
		{Target: model.Inject, Threads: 1, Capacity: math.MaxInt, Ops: []model.Operation{given(at(0, 1, 1, model.InjectPush, model.Kept), 1)}},
		{Target: model.Deque, Threads: 1, Capacity: math.MaxInt, Ops: []model.Operation{given(at(0, 1, 1, model.DequePush, model.Kept), 1)}},
	} {
		var b bytes.Buffer
		require.NoError(t, linearizability.Write(&b, h))
		crlf := strings.ReplaceAll(b.String(), "\n", "\r\n")
		for _, text := range []string{b.String(), crlf, linearizability.ByteOrderMark + crlf, linearizability.ByteOrderMark + b.String()} {
			again, err := linearizability.Read(strings.NewReader(text))
			require.NoError(t, err, "%q", text)
			require.Equal(t, h, again)
		}
	}
	h, err := linearizability.Read(strings.NewReader(goodFile))
	require.NoError(t, err)
	v, err := linearizability.Judge(h)
	require.NoError(t, err)
	require.Nil(t, v)
}

func TestBadFilesAreRefusedWithTheirLine(t *testing.T) {
	lines := strings.SplitAfter(goodFile, "\n")
	change := func(old, new string) string { return strings.Replace(goodFile, old, new, 1) }
	for name, c := range map[string]struct {
		text string
		line int
		says string
	}{
		"empty":                {"", 1, "the file is empty"},
		"no header":            {strings.Join(lines[1:], ""), 1, "unknown field"},
		"another format":       {change("filch/1", "filch/9"), 1, `history is "filch/9"`},
		"another target":       {change(`"ring"`, `"stack"`), 1, `target is "stack"`},
		"cut at a line":        {strings.Join(lines[:3], ""), 4, "ends after 2 of the 3"},
		"cut in a line":        {goodFile[:len(goodFile)-20], 4, "is not what belongs here"},
		"one more":             {goodFile + lines[3], 5, "more than the 3 operations"},
		"an empty line":        {lines[0] + "\n" + strings.Join(lines[1:], ""), 2, "is empty"},
		"not UTF-8":            {change("kept", "k\xffpt"), 2, "is not UTF-8"},
		"two values":           {change(`"return":3}`, `"return":3} {}`), 2, "more than one JSON value"},
		"out of order":         {lines[0] + lines[2] + lines[1] + lines[3], 3, "called at 1, before the operation above it, at 2"},
		"twice the same line":  {lines[0] + lines[1] + lines[2] + lines[2], 4, "before thread 1 was done"},
		"an unknown key":       {change(`"n":1`, `"n":1,"who":2`), 3, `unknown field "who"`},
		"an unknown operation": {change(`"push"`, `"shove"`), 2, `op is "shove"`},
		"a wrong answer":       {change(`"kept"`, `"busy"`), 2, `out is "busy"`},
		"no call":              {change(`"call":1,`, ``), 2, "has no call"},
		"no return":            {change(`,"return":3`, ``), 2, "does not return"},
		"too large a number":   {change(`"call":1`, `"call":1e30`), 2, "is not what belongs here"},
		"a wrong type":         {change(`[7],"out"`, `"7","out"`), 2, "is not what belongs here"},
		"a negative count":     {change(`"operations":3`, `"operations":-3`), 1, "-3 operations"},
		"too many":             {change(`"operations":3`, `"operations":3000000`), 1, "want 0 to"},
		"a mark in the middle": {lines[0] + linearizability.ByteOrderMark + strings.Join(lines[1:], ""), 2, "is not what belongs here"},
		"two marks":            {linearizability.ByteOrderMark + linearizability.ByteOrderMark + goodFile, 1, "is not what belongs here"},
		"UTF-16":               {"\xff\xfe{\x00", 1, "is not UTF-8"},
		"a negative capacity":  {strings.ReplaceAll(change(`"capacity":4`, `"capacity":-4`), "ring", "inject"), 1, "is negative"},
		"too large a capacity": {change(`"capacity":4`, `"capacity":9223372036854775808`), 1, "cannot unmarshal number 9223372036854775808"},
		"capacity":             {change(`"capacity":4`, `"capacity":5`), 1, "capacity 5 is not a power of two"},
		"a line without end":   {lines[0] + strings.Repeat(" ", linearizability.MaxLine+1), 2, "token too long"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := linearizability.Read(strings.NewReader(c.text))
			var at *linearizability.LineError
			require.ErrorAs(t, err, &at)
			require.Equal(t, c.line, at.Line, "%v", err)
			require.ErrorContains(t, err, c.says)
		})
	}
}

func TestErrorsOfFilesNameThem(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a history.jsonl")
	_, err := linearizability.ReadFile(file)
	require.ErrorContains(t, err, "linearizability: open "+file)
	require.NoError(t, os.WriteFile(file, []byte(goodFile[:len(goodFile)-20]), 0o600))
	_, err = linearizability.ReadFile(file)
	require.ErrorContains(t, err, "linearizability: "+file+": line 4: is not what belongs here")
	_, err = linearizability.ReadFile(filepath.Dir(file))
	require.ErrorContains(t, err, "linearizability: "+filepath.Dir(file)+": line 1: cannot be read")
	h := rings(push(1, 1, 1))
	require.NoError(t, linearizability.WriteFile(file, h))
	again, err := linearizability.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, h, again)
}

// endless is a history file that never ends.
type endless struct{ n int }

func (e *endless) Read(b []byte) (int, error) {
	if e.n++; e.n == 1 {
		return copy(b, "{\"history\":\"filch/1\",\"target\":\"inject\",\"threads\":1,\"operations\":2}\n"), nil
	}
	if e.n > 10_000 {
		return 0, errors.New("read on and on")
	}
	return copy(b, fmt.Sprintf("{\"thread\":0,\"op\":\"inject.len\",\"out\":\"counted\",\"call\":%d,\"return\":%d}\n", e.n, e.n)), nil
}

func TestReadingStopsWhereTheHistoryShould(t *testing.T) {
	_, err := linearizability.Read(&endless{})
	require.ErrorContains(t, err, "line 4: there is more than the 2 operations")
	_, err = linearizability.Read(io.MultiReader(strings.NewReader(goodFile[:40]), &failing{}))
	require.ErrorContains(t, err, "the disk is on fire")
}

type failing struct{}

func (*failing) Read([]byte) (int, error) { return 0, errors.New("the disk is on fire") }

// flood is a file of so many bytes: a beginning, and then the same line over and
// over.
type flood struct {
	begin, line string
	size, at    int64
}

func (f *flood) Read(b []byte) (int, error) {
	if f.at >= f.size {
		return 0, io.EOF
	}
	if n := copy(b, f.begin); n > 0 {
		f.begin = f.begin[n:]
		return n, nil
	}
	n := 0
	for n < len(b) {
		n += copy(b[n:], f.line[(f.at+int64(n))%int64(len(f.line)):])
	}
	f.at += int64(n)
	return n, nil
}

// A file of a gigabyte, whatever is in it, is refused by the line where it is too
// long, without being kept.
func TestAGigabyteIsRefusedInBoundedMemory(t *testing.T) {
	const header = `{"history":"filch/1","target":"inject","threads":1,"operations":2097152}` + "\n"
	many := `{"thread":0,"op":"inject.batch","out":"kept","call":1,"return":1,"args":[` + strings.Repeat("1,", 400_000) + "1]}\n"
	one := `{"thread":0,"op":"inject.len","out":"counted","call":1,"return":1}` + "\n"
	for name, c := range map[string]struct {
		begin, line string
		size        int64
		says        string
	}{
		"one line":        {"", "{", 1 << 30, "line 1: cannot be read: bufio.Scanner: token too long"},
		"nothing":         {"", "\x00", 1 << 30, "line 1: cannot be read"},
		"empty lines":     {header, "\n", 1 << 30, "line 2: is empty"},
		"tasks":           {header, many, 1 << 30, "more than 8388608 tasks in all"},
		"operations":      {strings.Replace(header, "2097152", "1000", 1), one, 1 << 30, "line 1002: there is more than the 1000 operations"},
		"truncated":       {header, one, 1 << 16, "is not what belongs here: unexpected EOF"},
		"too many to say": {strings.Replace(header, "2097152", "2097153", 1), one, 1 << 30, "line 1: 2097153 operations, want 0 to 2097152"},
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			f := &flood{begin: c.begin, line: c.line, size: c.size}
			_, err := linearizability.Read(f)
			var at *linearizability.LineError
			require.ErrorAs(t, err, &at)
			require.ErrorContains(t, err, c.says)
			runtime.ReadMemStats(&after)
			require.Less(t, f.at, int64(64<<20), "read on")
			require.Less(t, int64(after.HeapSys)-int64(before.HeapSys), int64(512<<20), "kept what it read")
		})
	}
}
