package pairs_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/linearizability"
	"github.com/filch-sched/filch/linearizability/pairs"
)

// file is a history of an object: each event is "process type f value", or
// "process type f key value" of a kv.
func file(object string, events ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "{\"history\":\"pairs/1\",\"object\":%q,\"capacity\":1}\n", object)
	for _, e := range events {
		w := strings.Fields(e)
		fmt.Fprintf(&b, `{"process":%s,"type":%q,"f":%q`, w[0], w[1], w[2])
		if object == "kv" {
			fmt.Fprintf(&b, `,"key":%q`, w[3])
			w = w[1:]
		}
		fmt.Fprintf(&b, ",\"value\":%s,\"time\":7}\n", w[3])
	}
	return b.String()
}

func TestVerdicts(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		claim string
		lines []int
	}{
		"a register": {file("register", "0 invoke write 4", "1 invoke read null", "0 ok write 4", "1 ok read 4"), "", nil},
		"too late": {file("register", "0 invoke write 4", "0 ok write 4", "1 invoke read null", "1 ok read null"),
			pairs.Linearizable, []int{4}},
		"an unknown write": {file("register", "0 invoke write 4", "0 info write 4", "1 invoke read null", "1 ok read 4"), "", nil},
		"out of nowhere":   {file("register", "1 invoke read null", "1 ok read 4"), pairs.Linearizable, []int{2}},
		"a failed write":   {file("register", "0 invoke write 4", "0 fail write 4", "1 invoke read null", "1 ok read 4"), pairs.Linearizable, []int{4}},
		"swapped":          {file("register", "0 invoke write 4", "0 ok write 4", "0 invoke cas [4,5]", "0 ok cas [4,5]", "1 invoke read null", "1 ok read 5"), "", nil},
		"could be swapped": {file("register", "0 invoke write 4", "0 ok write 4", "0 invoke cas [4,5]", "0 fail cas [4,5]"), pairs.Linearizable, []int{4}},

		"keys": {file("kv", `0 invoke append k "a"`, `0 ok append k "a"`, `0 invoke append k "b"`, `0 ok append k "b"`,
			`1 invoke get l null`, `1 ok get l ""`, `1 invoke get k null`, `1 ok get k "ab"`), "", nil},
		"the wrong key": {file("kv", `0 invoke put k "a"`, `0 ok put k "a"`, `1 invoke get k null`, `1 ok get k ""`), pairs.Linearizable, []int{4}},

		"a queue":       {file("queue", "0 invoke enqueue 1", "0 ok enqueue 1", "1 invoke enqueue 2", "1 fail enqueue 2", "0 invoke dequeue null", "0 ok dequeue 1"), "", nil},
		"taken twice":   {file("queue", "0 invoke enqueue 1", "0 ok enqueue 1", "1 invoke dequeue null", "1 ok dequeue 1", "0 invoke dequeue null", "0 ok dequeue 1"), "NoDuplicateTask", []int{6, 4, 2}},
		"full for none": {file("queue", "0 invoke enqueue 1", "0 fail enqueue 1"), "BusyIsHonest", []int{2}},
		"an unknown enqueue": {file("queue", "0 invoke enqueue 1", "0 info enqueue 1", "1 invoke dequeue null", "1 fail dequeue null",
			"1 invoke dequeue null", "1 ok dequeue 1"), "", nil},
		"a deque":    {file("deque", `0 invoke push "a"`, `0 ok push "a"`, "0 invoke pop null", `0 ok pop "a"`, "1 invoke steal null", "1 fail steal null"), "", nil},
		"a bad pop":  {file("deque", `0 invoke push "a"`, `0 ok push "a"`, "1 invoke steal null", `1 ok steal "a"`, "0 invoke pop null", `0 ok pop "a"`), "NoDuplicateTask", []int{6, 4, 2}},
		"an escape":  {file("queue", `0 invoke enqueue "\u0061"`, `0 ok enqueue "a"`, "1 invoke dequeue null", `1 ok dequeue "a"`), "", nil},
		"all opened": {file("queue", "0 invoke enqueue 1", "1 invoke dequeue null"), "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			h, err := pairs.Read(strings.NewReader(c.text), "")
			require.NoError(t, err, c.text)
			windows := linearizability.ByteOrderMark + strings.ReplaceAll(c.text, "\n", "\r\n")
			again, err := pairs.Read(strings.NewReader(windows), "")
			require.NoError(t, err)
			require.Equal(t, h, again)
			first, _, _ := strings.Cut(windows, "\n")
			require.True(t, pairs.IsFirst([]byte(first)))
			v, err := h.Judge(time.Minute)
			require.NoError(t, err)
			require.Empty(t, v.Unknown)
			require.Equal(t, c.claim, v.Claim, "%s\n%s", v.Message, c.text)
			require.Equal(t, c.lines, v.Lines)
		})
	}
}

// A message has the values and the words of the file, not those of the judge.
func TestMessagesAreInTheWordsOfTheFile(t *testing.T) {
	for want, text := range map[string]string{
		`value "seven" is dequeued, and value "five", which was enqueued before it, is never dequeued`: file("queue", `0 invoke enqueue "five"`, `0 ok enqueue "five"`,
			`0 invoke enqueue "seven"`, `0 ok enqueue "seven"`, "1 invoke dequeue null", `1 ok dequeue "seven"`),
		"value 99999 is returned and was never enqueued: the one that was is lost": file("queue", "0 invoke enqueue 2000", "0 ok enqueue 2000", "1 invoke dequeue null", "1 ok dequeue 99999"),
		`value "a 1" is returned twice`: file("deque", `0 invoke push "b"`, `0 ok push "b"`, `0 invoke push "a_1"`, `0 ok push "a_1"`,
			"1 invoke steal null", `1 ok steal "a_1"`, "0 invoke pop null", `0 ok pop "a_1"`),
		`line 6, process 7: steal = ok 20 cannot be explained`: file("deque", "0 invoke push 10", "0 ok push 10", "0 invoke push 20", "0 ok push 20", "7 invoke steal null", "7 ok steal 20"),
		`line 4, process 0: enqueue "y" = ok cannot be explained at any moment of its call, if this claim holds; before, the queue had 1 value`: file("queue",
			`0 invoke enqueue "x"`, `0 ok enqueue "x"`, `0 invoke enqueue "y"`, `0 ok enqueue "y"`, "1 invoke dequeue null", `1 ok dequeue "x"`),
	} {
		text = strings.ReplaceAll(text, `"capacity":1`, `"capacity":4`)
		if strings.Contains(want, `"y"`) {
			text = strings.ReplaceAll(text, `"capacity":4`, `"capacity":1`)
		}
		text = strings.ReplaceAll(text, `"a_1"`, `"a 1"`)
		h, err := pairs.Read(strings.NewReader(text), "")
		require.NoError(t, err)
		v, err := h.Judge(time.Minute)
		require.NoError(t, err)
		require.Contains(t, v.Message, want)
		require.NotRegexp(t, `task|inject|pushed before`, v.Message)
	}
}

func TestWhatNobodyKnowsIsNotDecided(t *testing.T) {
	h, err := pairs.Read(strings.NewReader(file("queue", "0 invoke enqueue 1", "0 ok enqueue 1", "1 invoke dequeue null", "1 info dequeue null",
		"0 invoke dequeue null", "0 fail dequeue null")), "")
	require.NoError(t, err)
	v, err := h.Judge(time.Minute)
	require.NoError(t, err)
	require.Empty(t, v.Claim)
	require.Contains(t, v.Unknown, "nobody knows what they took")
}

func TestWhatIsNoHistoryIsRefusedByLine(t *testing.T) {
	good := file("register", "0 invoke write 4", "0 ok write 4", "1 invoke read null", "1 ok read 4")
	lines := strings.SplitAfter(good, "\n")
	change := func(from, to string) string { return strings.Replace(good, from, to, 1) }
	for name, c := range map[string]struct {
		text string
		line int
		says string
	}{
		"nothing":         {"", 1, "is empty"},
		"no header":       {strings.Join(lines[1:], ""), 1, "does not say what the history is of: want a first line such as {"},
		"no object":       {"{\"history\":\"pairs/1\"}\n", 1, `object is "", want register`},
		"another history": {change("pairs/1", "pairs/9"), 1, `history is "pairs/9"`},
		"another object":  {change(`"register"`, `"stack"`), 1, `object is "stack"`},
		"not UTF-8":       {change(`"write"`, "\"wr\xffte\""), 2, "is not UTF-8"},
		"cut in a line":   {good[:len(good)-9], 5, "is cut: it ends in the middle"},
		"an empty line":   {lines[0] + "\n" + lines[1], 2, "is empty, and others follow"},
		"empty at first":  {"\n" + good, 1, "is empty, and others follow"},
		"only empty":      {"\n\n", 1, "the file is empty"},
		"a wrong process": {change(`"process":0`, `"process":"0"`), 2, "process is a JSON string, want a whole number"},
		"a wrong f":       {change(`"f":"write"`, `"f":7`), 2, "f is a JSON number, want a string"},
		"text capacity":   {change(`"capacity":1`, `"capacity":"4"`), 1, "capacity is a JSON string, want a whole number"},
		"a large process": {change(`"process":0`, `"process":99999999999999999999`), 2, "process is a JSON number 99999999999999999999, want a whole number of 64 bits"},
		"not JSON":        {change(`{"process":0,`, `process 0 `), 2, "is not what belongs here"},
		"an array":        {lines[0] + "[]\n", 2, "is not what belongs here"},
		"twice a call":    {lines[0] + lines[1] + lines[1], 3, "process 0 calls write, and its write of line 2 has not returned"},
		"reordered":       {lines[0] + lines[2] + lines[1], 2, "process 0 returns from nothing"},
		"twice a return":  {lines[0] + lines[1] + lines[2] + lines[2], 4, "process 0 returns from nothing"},
		"another return":  {lines[0] + lines[1] + strings.Replace(lines[2], "write", "read", 1), 3, "returns from read, and has called write in line 2"},
		"no such f":       {change(`"write"`, `"push"`), 2, `"push" is no operation of a register`},
		"no such type":    {change(`"ok"`, `"done"`), 3, `type is "done"`},
		"no process":      {change(`"process":0,`, ``), 2, "has no process"},
		"no value":        {change(`,"value":4`, ``), 2, "value is missing"},
		"a list":          {change(`"value":4`, `"value":[4]`), 2, "value is [4], want a number or a string"},
		"two values":      {strings.Replace(good, lines[1], strings.TrimSuffix(lines[1], "\n")+" {}\n", 1), 2, "more than one JSON value"},
		"a long line":     {lines[0] + strings.Repeat(" ", pairs.MaxLine+1), 2, "token too long"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := pairs.Read(strings.NewReader(c.text), "")
			var at *linearizability.LineError
			require.ErrorAs(t, err, &at)
			require.Equal(t, c.line, at.Line, "%v", err)
			require.ErrorContains(t, err, c.says)
			require.NotContains(t, err.Error(), "EOF")
			require.NotContains(t, err.Error(), "Go struct")
		})
	}
	_, err := pairs.Read(strings.NewReader(good+"\n \r\n"), "")
	require.NoError(t, err, "empty lines at the end")
	for _, first := range []string{`{"history":"pairs/2","object":"queue"}`, `{"history":"pairs/1","object":"queue","capacity":"4"}`, lines[0], lines[1], `{"process":"1"}`} {
		require.True(t, pairs.IsFirst([]byte(first)), first)
	}
	for _, first := range []string{"", "[]", `{"history":"filch/1","target":"ring"}`} {
		require.False(t, pairs.IsFirst([]byte(first)), first)
	}
	_, err = pairs.Read(io.MultiReader(strings.NewReader(good), broken{}), "")
	require.ErrorContains(t, err, "the disk is on fire")
	h, err := pairs.Read(strings.NewReader(file("queue", "0 invoke enqueue 1", "0 ok enqueue 1", "0 invoke enqueue 1", "0 ok enqueue 1")), "")
	require.NoError(t, err)
	_, err = h.Judge(time.Minute)
	require.ErrorContains(t, err, "line 4: value 1 is put in a second time")
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, errors.New("the disk is on fire") }
