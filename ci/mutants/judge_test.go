package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/filch-sched/filch/linearizability/plant"
	"github.com/stretchr/testify/require"
)

// judged returns the verdict on events as go test -json writes them.
func judged(t *testing.T, claims []string, events ...event) verdict {
	j := judge{claims: claims}
	for _, e := range events {
		text, err := json.Marshal(e)
		require.NoError(t, err)
		if v, clear := j.line(string(text) + "\n"); clear {
			return v
		}
	}
	return j.end()
}

func failing(test string, lines ...string) []event {
	es := []event{{Action: "run", Package: "p", Test: test}}
	for _, line := range lines {
		es = append(es, event{Action: "output", Package: "p", Test: test, Output: line + "\n"})
	}
	return append(es,
		event{Action: "output", Package: "p", Test: test, Output: "--- FAIL: " + test + " (0.00s)\n"},
		event{Action: "fail", Package: "p", Test: test},
		event{Action: "output", Package: "p", Output: "FAIL\n"},
		event{Action: "fail", Package: "p"})
}

func TestOnlyANamedClaimOfTheMutantIsAKill(t *testing.T) {
	claims := []string{"NoLostTask", "NoSlotRace", "LockFree"}
	race := []string{"WARNING: DATA RACE", "Write at 0x1 by goroutine 7:",
		"  github.com/filch-sched/filch/loom/cell.(*Cell[go.shape.int]).Store()"}
	for name, c := range map[string]struct {
		events []event
		want   string // what killed it, or "" for a survivor
	}{
		"claim in a line":        {failing("TestScenario/x", "loom: NoLostTask violated: task 3 is nowhere"), "NoLostTask in TestScenario/x"},
		"claim in the test name": {failing("TestNoLostTaskAcrossTheWrap", "got 2"), "NoLostTask in TestNoLostTaskAcrossTheWrap"},
		"race on a slot":         {failing("TestStress", race...), "NoSlotRace in TestStress"},
		"race on something else": {failing("TestStress", "WARNING: DATA RACE", "  queue.(*Inject[...]).Push()"), ""},
		"a thread that spins": {failing("TestScenario/x", "loom: an execution of more than 100000 steps (option MaxSteps). The last of them:",
			"  thread 3 loops, and nothing has changed for 99973 steps: a loop that waits"), "LockFree in TestScenario/x"},
		"an execution that is long": {failing("TestScenario/x", "loom: an execution of more than 100000 steps (option MaxSteps). The last of them:"), ""},
		"claim of another mutant":   {failing("TestScenario/x", "loom: FIFO violated: 2 before 1"), ""},
		"part of a word":            {failing("TestScenario/x", "NoLostTasks"), ""},
		"no claim":                  {failing("TestScenario/x", "got 2, want 3"), ""},
		"pinned count":              {failing("TestScenario/x", "NoLostTask: 40 traces, pinned 41"), ""},
		"golden file":               {failing("TestAPI", "golden file differs: NoLostTask"), ""},
		"disassembly":               {failing("TestX", "disassembly differs after NoLostTask"), ""},
		"the scenario's own text":   {failing("TestScenario/x", "  claims: NoLostTask FIFO", "deadlock"), ""},
		"another test's output": {append([]event{{Action: "output", Package: "p", Test: "TestOther", Output: "NoLostTask\n"}},
			failing("TestScenario/x", "got 2")...), ""},
		"a passing test": {[]event{{Action: "output", Package: "p", Test: "TestA", Output: "NoLostTask violated\n"},
			{Action: "pass", Package: "p", Test: "TestA"}}, ""},
		"never ends": {[]event{{Action: "output", Package: "p", Output: "panic: test timed out after 1s\n"},
			{Action: "output", Package: "p", Output: "\trunning tests:\n"},
			{Action: "output", Package: "p", Output: "\t\tTestOther (1s)\n"},
			{Action: "output", Package: "p", Output: "\t\tTestNoLostTask (1s)\n"}}, "NoLostTask in TestNoLostTask, which never ends"},
		"only says so": {[]event{{Action: "output", Package: "p", Output: "\t\tTestNoLostTask (1s)\n"}}, ""},
		"timed out": {[]event{{Action: "output", Package: "p", Output: "panic: test timed out after 1s NoLostTask\n"},
			{Action: "fail", Package: "p"}}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			v := judged(t, claims, c.events...)
			require.Empty(t, v.err)
			require.Equal(t, c.want, v.by)
			require.Equal(t, c.want != "", v.killed)
			require.Equal(t, c.want == "", v.why != "", "a survivor says why")
		})
	}
}

func TestWhatDoesNotBuildIsAnErrorAndNoKill(t *testing.T) {
	v := judged(t, []string{"NoLostTask"},
		event{Action: "build-output", ImportPath: "p", Output: "# p\n"},
		event{Action: "build-output", ImportPath: "p", Output: "queue/ring.go:3:1: undefined: NoLostTask\n"},
		event{Action: "build-fail", ImportPath: "p"},
		event{Action: "output", Package: "p", Output: "FAIL p [build failed]\n"},
		event{Action: "fail", Package: "p", FailedBuild: "p"})
	require.False(t, v.killed)
	require.Equal(t, "does not build: queue/ring.go:3:1: undefined: NoLostTask", v.err)

	j := judge{claims: []string{"NoLostTask"}}
	_, clear := j.line("go: no such tool NoLostTask\n")
	require.False(t, clear)
	v = j.end()
	require.False(t, v.killed)
	require.Equal(t, "no test ran: go: no such tool NoLostTask", v.err)
}

func TestAuditKillsByItsVerdictLine(t *testing.T) {
	claims := []string{"NoLostTask", "StealHalf"}
	for name, c := range map[string]struct {
		out    string
		status int
		killed bool
	}{
		"named":         {"...\nverdict: violation StealHalf\n", 1, true},
		"one of two":    {"verdict: violation FIFO StealHalf\n", 1, true},
		"another claim": {"verdict: violation FIFO\n", 1, false},
		"clean":         {"verdict: clean\n", 0, false},
		"inconclusive":  {"verdict: inconclusive no contention on StealHalf\n", 3, false},
		"crash":         {"panic: StealHalf\n", 2, false},
		"lie":           {"verdict: violation StealHalf\n", 0, false},
	} {
		v := judgeAudit(c.out, c.status, claims)
		require.Equal(t, c.killed, v.killed, name)
		require.Equal(t, !c.killed, v.why != "", name)
	}
}

func TestSampleDependsOnTheSeedAlone(t *testing.T) {
	mutants := []plant.Mutant{{Name: "a"}, {Name: "b"}, {Name: "c"}, {Name: "d"}, {Name: "e"}, {Name: "f"}}
	require.Equal(t, mutants, pick(mutants, 0, "x"))
	require.Equal(t, mutants, pick(mutants, 9, "x"))
	require.Equal(t, pick(mutants, 2, "x"), pick(mutants, 2, "x"))
	seen := map[string]bool{}
	for _, seed := range strings.Fields("p q r s t u v w x y z 1 2 3 4 5 6 7 8 9") {
		two := pick(mutants, 2, seed)
		require.Len(t, two, 2)
		require.Less(t, two[0].Name, two[1].Name)
		seen[two[0].Name], seen[two[1].Name] = true, true
	}
	require.Len(t, seen, len(mutants), "every mutant has its turn")
}

func TestTableIsCleanOnlyIfAllAreKilled(t *testing.T) {
	kill, survivor, broken := verdict{killed: true, by: "x"}, verdict{why: "y"}, verdict{err: "z"}
	for _, c := range []struct {
		verdicts []verdict
		all, any bool
	}{
		{[]verdict{kill, kill}, true, true},
		{[]verdict{kill, survivor}, false, true},
		{[]verdict{survivor}, false, false},
		{[]verdict{kill, broken}, false, false},
	} {
		table := newTable(nil, true)
		for _, v := range c.verdicts {
			table.add(job{mutant: "m"}, v, 0)
		}
		require.Equal(t, c.all, table.finish(false))
		require.Equal(t, c.any, table.finish(true))
	}
}
