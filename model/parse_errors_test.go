package model_test

import (
	"strings"
	"testing"

	"github.com/filch-sched/filch/model"
	"github.com/stretchr/testify/require"
)

const (
	ring = "target: ring\ncapacity: 2\n"
	end  = "claims: FIFO\n"
)

// badScenarios are refused, each at a place and for a reason.
var badScenarios = []struct{ text, want string }{
	{"", "1:1: the text does not end with a newline"},
	{"# \xff\n", "1:3: not UTF-8"},
	{"# é\xc3\n", "1:5: not UTF-8"},
	{ring + "a: pop # \xe2\x82\n" + end, "3:10: not UTF-8"},
	{"# " + strings.Repeat("x", model.MaxText-3) + "\n#\n", "2:1: the text is longer than 65536 bytes"},
	{strings.Repeat("#\n", model.MaxText), "32769:1: the text is longer than 65536 bytes"},
	{"target: ring\ncapacity: 2", "2:1: the text does not end with a newline"},
	{"\n", "1:1: no colon: a line is KEY: VALUE"},
	{"# only a comment\n", "2:1: no target"},
	{"target:ring\n", "1:8: no space after the colon"},
	{"target: \n", "1:9: no value for target"},
	{"target: # ring\n", "1:9: no value for target"},
	{"target: queue\n", "1:9: target \"queue\" is none of ring inject park idle sched deque tracker"},
	{"target: ring\t\n", "1:13: control character '\\t'"},
	{"target: ring\r\r\n", "1:13: control character '\\r'"},
	{"target: \rring\n", "1:9: control character '\\r'"},
	{"target: ring\rcapacity: 2\n", "1:13: control character '\\r'"},
	{"target: ring\r\ncapacity: 3\r\n", "2:11: capacity 3 is not a power of two"},
	{"target: ring\r", "1:1: the text does not end with a newline"},
	{"\ufefftarget: queue\n", "1:9: target \"queue\" is none of ring inject park idle sched deque tracker"},
	{"\ufeff\ufefftarget: ring\n", "1:1: the first key is \"\\ufefftarget\", not target"},
	{"\ufeff", "1:1: the text does not end with a newline"},
	{"\ufeff\n", "1:1: no colon: a line is KEY: VALUE"},
	{" target: ring\n", "1:1: malformed key \" target\""},
	{"setup  x: pop\n", "1:1: malformed key \"setup  x\""},
	{"capacity: 2\n", "1:1: the first key is \"capacity\", not target"},
	{"target: ring\n# late\n", "2:1: a comment line after the first key: comments stand at the top, or behind a value"},
	{"target: ring\n\ncapacity: 2\n", "2:1: no colon: a line is KEY: VALUE"},
	{"target: ring\ntarget: ring\n", "2:1: a second line target"},
	{ring + "capacity: 2\n", "3:1: a second line capacity"},
	{ring + "start: 1\ncapacity: 2\n", "4:1: capacity comes too late: the order is target capacity start workers asleep task setup THREADS claims run traces"},
	{"target: ring\ncapacity: 3\n", "2:11: capacity 3 is not a power of two"},
	{"target: ring\ncapacity: 02\n", "2:11: \"02\" is not a number from 2 to 65536"},
	{"target: ring\ncapacity: 131072\n", "2:11: \"131072\" is not a number from 2 to 65536"},
	{"target: ring\ncapacity 2: 2\n", "2:10: \"2\" after the key capacity"},
	{"target: inject\ncapacity: 2\n", "2:1: target inject has no capacity"},
	{"target: ring\nworkers: 2\n", "2:1: target ring has no workers"},
	{ring + "start: 0\n", "3:8: start 0 is left out"},
	{ring + "start: 2147483648\n", "3:8: \"2147483648\" is not a number from -2147483648 to 2147483647"},
	{"target: idle\nworkers: 2\nasleep: 3\n", "3:9: \"3\" is not a number from 1 to 2"},
	{ring + "task 1: waits 2\n", "3:1: target ring has no task"},
	{"target: idle\nworkers: 2\ntask: waits 2\n", "3:1: which task? the key is task NUMBER"},
	{"target: idle\nworkers: 2\ntask 0: waits 2\n", "3:6: \"0\" is not a number from 1 to 1073741824"},
	{"target: idle\nworkers: 2\ntask 1: sleeps 2\n", "3:9: \"sleeps 2\" is not: spawns TASK..., waits TASK"},
	{"target: idle\nworkers: 2\ntask 1: waits 2, spawns 3\n", "3:18: \"spawns 3\" is not: spawns TASK..., waits TASK"},
	{"target: idle\nworkers: 2\ntask 1: waits 1\n", "3:15: a task cannot wait for itself"},
	{"target: idle\nworkers: 2\ntask 1: waits 2\ntask 1: waits 3\n", "4:6: a second line for task 1"},
	{"target: idle\nworkers: 2\ntask 1: waits 2,\n", "3:17: nothing between commas"},
	{"target: idle\nworkers: 2\ntask 1: waits 2\na: submit 1\n" + end, "3:15: task 2 never comes"},
	{"target: idle\nworkers: 2\ntask 3: spawns 2\na: submit 1\n" + end, "3:6: task 3 never comes"},
	{"target: idle\nworkers: 2\ntask 2: spawns 3\ntask 3: spawns 2\na: submit 1\n" + end, "3:6: task 2 never comes"},
	{"target: idle\nworkers: 2\na: wake.all\n" + end, "5:1: target idle needs a task: the run ends when all are over"},
	{"target: idle\nworkers: 2\na: wake.worker 2\n", "3:16: \"2\" is not a number from 0 to 1"},
	{"target: idle\nworkers: 2\nworker0: submit 1\n", "3:1: worker0 is the name of a worker"},
	{"target: idle\na: submit 1\n" + end, "4:1: target idle needs workers"},
	{"target: ring\na: pop\n" + end, "4:1: target ring needs a capacity"},
	{"target: tracker\na: wake\n" + end, "4:1: target tracker needs workers"},
	{"target: tracker\nworkers: 1\na: wake\nb: wake\n" + end, "6:1: 1 workers for 2 threads: every thread is one"},
	{ring + "capactiy: 2\n", "3:11: \"2\" is not an operation of target ring"},
	{ring + "a: park\n", "3:4: \"park\" is not an operation of target ring"},
	{ring + "a: run 1\n", "3:4: \"run\" is not an operation of target ring"},
	{ring + "a: pop,, pop\n", "3:8: nothing between commas"},
	{ring + "a: push\n", "3:4: push takes one task"},
	{ring + "a: push 1 2\n", "3:4: push takes one task"},
	{ring + "a: batch\n", "3:4: batch takes one task or more"},
	{ring + "a: pop 1\n", "3:4: pop takes nothing"},
	{ring + "a: steal\n", "3:4: steal takes a thread"},
	{ring + "a: inject.popn 0\n", "3:16: \"0\" is not a number from 1 to 65536"},
	{ring + "a: push 0\n", "3:9: \"0\" is not a number from 1 to 1073741824"},
	{ring + "a: push -1\n", "3:9: \"-1\" is not a number from 1 to 1073741824"},
	{ring + "a: push 1, push 1\n", "3:17: task 1 comes twice"},
	{ring + "setup: push 1\na: push 1\n", "4:9: task 1 comes twice"},
	{ring + "A: pop\n", "3:1: \"A\" is neither a key nor a name of a thread: a small letter, then small letters and digits"},
	{ring + "a: pop\na: pop\n", "4:1: a second thread a"},
	{ring + "a: pop\nclaims: FIFO\nrun: daily\n", "5:6: run \"daily\" is not nightly"},
	{ring + "a: pop\nsetup: pop\n", "4:1: setup comes too late: the order is target capacity start workers asleep task setup THREADS claims run traces"},
	{ring + "a: steal b\n" + end, "3:10: there is no thread \"b\""},
	{ring + "a: steal a\n" + end, "3:10: a ring cannot steal from itself"},
	{ring + "setup: steal a\na: pop\n" + end, "3:14: a ring cannot steal from itself"},
	{ring + "setup b: steal b\na: pop\nb: pop\n" + end, "3:16: a ring cannot steal from itself"},
	{ring + "setup b: pop\na: pop\n" + end, "3:7: there is no thread \"b\""},
	{ring + "setup a: pop\na: pop\n" + end, "3:7: setup without a name is for the first thread, a"},
	{"target: park\nsetup: park\n", "2:8: park in a setup may wait for ever"},
	{"target: sched\nworkers: 1\nsetup: submit 1, await 1\n", "3:18: await in a setup may wait for ever"},
	{"target: sched\nworkers: 1\na: submit 1, await 2\n" + end, "3:20: task 2 never comes"},
	{ring + "a: pop\nb: pop\nc: pop\nd: pop\ne: pop\nf: pop\ng: pop\nh: pop\ni: pop\n", "11:1: more than 8 threads"},
	{ring + end, "4:1: no thread"},
	{ring + "a: pop\n", "4:1: no claims"},
	{ring + "a: pop\nclaims: Fifo\n", "4:9: there is no claim \"Fifo\""},
	{ring + "a: pop\nclaims: FIFO FIFO\n", "4:14: FIFO is named twice"},
	{ring + "a: pop\n" + end + "traces: 0\n", "5:9: \"0\" is not a number from 1 to 2147483647"},
}

func TestParseErrorsNameLineAndColumn(t *testing.T) {
	for _, c := range badScenarios {
		_, err := model.Parse("x", c.text)
		require.EqualError(t, err, "model: scenario x:"+c.want, "%q", c.text)
		var at *model.SyntaxError
		require.ErrorAs(t, err, &at)
		require.Equal(t, "x", at.Name)
	}
}
