package main

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/filch-sched/filch/ci/tla/tlc"
	"github.com/filch-sched/filch/tla/trace"
	"github.com/stretchr/testify/require"
)

func TestChoiceOfRunsIsChecked(t *testing.T) {
	for text, want := range map[string]string{
		"-seed 3":                       "-seed, -kind, -workers and -execution are of recorded runs: they need -traces",
		"-workers 3":                    "-seed, -kind, -workers and -execution are of recorded runs: they need -traces",
		"file.jsonl":                    `the set is quick or nightly, not ["file.jsonl"]`,
		"-traces f -seed 3":             "the record of a FILE has its own kind, workers and order",
		"-traces -kind sched":           `-kind is "sched", not one of sched-machine, sched-random, sched-pct, rings-machine, rings-random, rings-pct, parker-machine, parker-random, parker-pct`,
		"-traces -workers -1":           "-workers is -1",
		"-traces -execution 1":          "-execution needs -seed: each seed has other executions",
		"-traces -seed 1 -execution 21": "-execution is 21, not from 1 to 20",
		"-traces -seed x":               `invalid value "x" for flag -seed: strconv.ParseUint: parsing "x": invalid syntax; usage: ` + usage,
		"-traces quick nightly":         `the set is quick or nightly, not ["quick" "nightly"]`,
	} {
		_, err := parse(strings.Fields(text))
		require.EqualError(t, err, want, text)
	}
	c, err := parse(strings.Fields("-traces a.jsonl nightly b.jsonl"))
	require.NoError(t, err)
	require.Equal(t, []string{"a.jsonl", "b.jsonl"}, c.choice.files)
	require.Equal(t, "nightly", c.set)
	c, err = parse(strings.Fields("-traces -seed 0"))
	require.NoError(t, err)
	require.True(t, c.choice.all(), "a seed leaves nothing out")
	require.Zero(t, c.choice.seed)
}

// printed returns the command of a report, as the arguments of this program.
func printed(t *testing.T, text string) []string {
	m := regexp.MustCompile(`(?m)^    again: go run \./ci/tla (.*)$`).FindStringSubmatch(text)
	require.NotNil(t, m, text)
	return strings.Fields(m[1])
}

// rejected has the last of some runs rejected at its second step, and returns the report.
func rejected(t *testing.T, x *tracing, r *trace.Recorder, g group) string {
	out := new(strings.Builder)
	x.out, x.seen = out, map[string]bool{}
	said := make([]tlc.Explained, len(g.runs))
	for i := range said {
		said[i].Steps = len(g.runs[i].Steps)
	}
	said[len(said)-1] = tlc.Explained{Steps: 1, Why: "[pc |-> 1]"}
	require.NoError(t, x.judge(r, subject{Subject: g.runs[0].Of}, g, said, 0))
	require.Equal(t, []string{g.String()}, x.failed)
	return out.String()
}

// TestPrintedCommandChoosesThatExecution and no other run, whatever was chosen before.
func TestPrintedCommandChoosesThatExecution(t *testing.T) {
	for _, dir := range []string{"", "a/tla"} {
		for _, before := range []int{0, 7} {
			x := &tracing{choice: choice{dir: dir, execution: before}}
			p := trace.Program{Of: trace.Rings, Workers: 3, Seed: 12}
			run := trace.Trace{Of: trace.Rings, File: "x/run.jsonl", Workers: 3, Steps: []trace.Step{
				{Line: 10, Name: "Call", Thread: "w0", Args: []any{"pop", 0}}, {Line: 12, Name: "PopL1", Thread: "w1"}}}
			g := group{"pct", p, []trace.Trace{run, run, run, run, run}}
			want := 5
			if before != 0 {
				g.runs, want = g.runs[:1], before
			}
			text := rejected(t, x, nil, g)
			require.Contains(t, text, "    1 steps of run.jsonl are explained, the last of them:\n      line 10     <<\"Call\", \"w0\", \"pop\", 0>>\n"+
				"    line 12 of run.jsonl: no action explains <<\"PopL1\", \"w1\">>\n    [pc |-> 1]\n")
			c, err := parse(printed(t, text))
			require.NoError(t, err)
			require.True(t, c.traces)
			require.Equal(t, choice{seed: 12, seeded: true, kind: "rings-pct", workers: 3, execution: want, dir: c.dir}, c.choice)
			require.True(t, dir == "" && c.dir == specifications || c.dir == dir)
			chosen := 0
			for _, s := range subjects {
				for _, how := range append([]string{machine}, algorithms...) {
					for workers := range 6 {
						if c.choice.has(s.Name, how, workers) {
							chosen++
						}
					}
				}
			}
			require.Equal(t, 1, chosen)
			require.Len(t, c.choice.executionsOf(make([]trace.Trace, executions)), 1)
		}
	}
}

// TestRunOnTheMachineIsKept: the command has the file, and that has the run.
func TestRunOnTheMachineIsKept(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	r, err := trace.NewRecorder(context.Background(), "../..", "", t.TempDir())
	require.NoError(t, err)
	p := trace.Program{Of: trace.Rings, Workers: 2, Tasks: 10, Seed: 3}
	run, err := r.Machine(context.Background(), p)
	require.NoError(t, err)
	text := rejected(t, &tracing{}, r, group{machine, p, []trace.Trace{run}})
	c, err := parse(printed(t, text))
	require.NoError(t, err)
	require.Len(t, c.choice.files, 1)
	require.Equal(t, os.Getenv("TMPDIR"), filepath.Dir(c.choice.files[0]))
	require.Contains(t, text, "of "+filepath.Base(c.choice.files[0])+": no action explains")
	again, err := r.Recorded(c.choice.files[0], nil)
	require.NoError(t, err)
	require.Equal(t, run.Steps, again[0].Steps)

	// That it is judged once more prints the same, and makes no second file.
	text = rejected(t, &tracing{}, r, group{"", trace.Program{}, again})
	c, err = parse(printed(t, text))
	require.NoError(t, err)
	require.Equal(t, []string{again[0].File}, c.choice.files)
}

func TestPathsAreQuotedForAShell(t *testing.T) {
	require.Equal(t, "/tmp/a-b_1.jsonl", quoted("/tmp/a-b_1.jsonl"))
	require.Equal(t, `'/tmp/my file'\''s'`, quoted("/tmp/my file's"))
}
