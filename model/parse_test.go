package model_test

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/filch-sched/filch/model"
	"github.com/stretchr/testify/require"
)

// whole has every key and every operation of its target.
var whole = map[string]string{
	"ring": `# What happens.
#
#   indented
target: ring
capacity: 4
start: -2147483648
setup: push 1, batch 2 3, inject.push 4
setup thief: pop, steal owner
setup: inject.close
owner: push 5, pop, len, free
thief: steal owner, peek owner, vacant owner, inject.batch 6 7, inject.pop, inject.popn 3, inject.len
claims: NoLostTask FIFO
run: nightly
traces: 12
`,
	"inject": `target: inject
a: inject.push 1
b2: inject.batch 2 3, inject.close, inject.pop, inject.popn 1, inject.len
claims: InjectFIFO
`,
	"park": `target: park
setup: unpark a, write 7
setup b: park.timed
a: park, park.timed, unpark b, park.close b, write 7, read
b: unpark a
claims: TokenKept
`,
	"idle": `target: idle
workers: 3
asleep: 2
task 1: spawns 2 3, waits 2
task 3: waits 4
a: submit 1, wake.all, wake.worker 2, nudge 0
b: submit 4
claims: WorkConserving
`,
	"sched": `target: sched
workers: 1
a: submit 1, await 1, close
claims: EveryTaskRuns
traces: 1
`,
}

func TestEveryKeyAndOperationRoundTrips(t *testing.T) {
	for name, text := range whole {
		s, err := model.Parse(name, text)
		require.NoError(t, err)
		require.Equal(t, text, model.Format(s))
		again, err := model.Parse(name, model.Format(s))
		require.NoError(t, err)
		require.Equal(t, s, again)
		for _, k := range model.Kinds(s.Target) {
			require.Contains(t, text, k.String(), "no example of %v", k)
		}
	}
}

func TestParsedScenarioSaysWhatItsTextSays(t *testing.T) {
	s, err := model.Parse("x", whole["ring"])
	require.NoError(t, err)
	require.Equal(t, model.Scenario{
		Name: "x", Doc: []string{"What happens.", "", "  indented"},
		Target: model.Ring, Capacity: 4, Start: -1 << 31,
		Setup: []model.Step{
			{Op: model.Op{Kind: model.Push, Args: []model.Task{1}}},
			{Op: model.Op{Kind: model.Batch, Args: []model.Task{2, 3}}},
			{Op: model.Op{Kind: model.InjectPush, Args: []model.Task{4}}},
			{Thread: 1, Op: model.Op{Kind: model.Pop}},
			{Thread: 1, Op: model.Op{Kind: model.Steal}},
			{Op: model.Op{Kind: model.InjectClose}},
		},
		Threads: []model.Thread{
			{Name: "owner", Ops: []model.Op{{Kind: model.Push, Args: []model.Task{5}}, {Kind: model.Pop},
				{Kind: model.Len}, {Kind: model.Free}}},
			{Name: "thief", Ops: []model.Op{{Kind: model.Steal}, {Kind: model.Peek}, {Kind: model.Vacant},
				{Kind: model.InjectBatch, Args: []model.Task{6, 7}}, {Kind: model.InjectPop},
				{Kind: model.InjectPopN, Max: 3}, {Kind: model.InjectLen}}},
		},
		Claims: []model.Claim{model.NoLostTask, model.FIFO}, Nightly: true, Traces: 12,
	}, s)
}

func TestCommentBehindAValueIsNoPartOfTheScenario(t *testing.T) {
	plain, err := model.Parse("x", whole["sched"])
	require.NoError(t, err)
	s, err := model.Parse("x", strings.ReplaceAll(whole["sched"], "\n", "   # why: because\n"))
	require.NoError(t, err)
	require.Equal(t, plain, s)
}

func TestCorpusRoundTripsAndIsDocumented(t *testing.T) {
	corpus, err := model.Corpus()
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(corpus), 24)
	for _, s := range corpus {
		again, err := model.Parse(s.Name, model.Format(s))
		require.NoError(t, err)
		require.Equal(t, s, again)
		require.NoError(t, s.Validate())
		require.Len(t, s.Doc, 2, "%s: one line for what happens, one for what it catches", s.Name)
		loaded, err := model.Load("scenarios/" + s.Name + ".txt")
		require.NoError(t, err)
		require.Equal(t, s, loaded)
	}
}

// Git on Windows ends lines so if it is told to, and some editors write the mark.
func TestLineEndsAndMarksOfWindowsSayNothing(t *testing.T) {
	texts := maps.Clone(whole)
	corpus, err := model.Corpus()
	require.NoError(t, err)
	for _, s := range corpus {
		texts[s.Name] = model.Format(s)
	}
	for name, text := range texts {
		plain, err := model.Parse(name, text)
		require.NoError(t, err)
		crlf := strings.ReplaceAll(text, "\n", "\r\n")
		for _, other := range []string{crlf, "\ufeff" + crlf, "\ufeff" + text, strings.Replace(text, "\n", "\r\n", 1)} {
			s, err := model.Parse(name, other)
			require.NoError(t, err, "%q", other)
			require.Equal(t, plain, s)
			require.Equal(t, text, model.Format(s))
			file := filepath.Join(t.TempDir(), name+".txt")
			require.NoError(t, os.WriteFile(file, []byte(other), 0o600))
			s, err = model.Load(file)
			require.NoError(t, err)
			require.Equal(t, plain, s)
		}
	}
}

// What is wrong with a file is told with its path, the line and the reason.
func TestLoadNamesTheFile(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "x.txt")
	require.NoError(t, os.WriteFile(file, []byte("target: ring\ncapacity: 3\n"), 0o600))
	_, err := model.Load(file)
	require.EqualError(t, err, "model: scenario "+file+":2:11: capacity 3 is not a power of two")
	_, err = model.Load(dir)
	require.ErrorContains(t, err, "model: scenario ")
	require.ErrorContains(t, err, dir)
}

func TestLoadOfNoFile(t *testing.T) {
	_, err := model.Load("scenarios/none.txt")
	require.ErrorContains(t, err, "model: open scenarios/none.txt")
}

func TestValidateRefusesWhatCannotBeWritten(t *testing.T) {
	s, err := model.Parse("x", whole["inject"])
	require.NoError(t, err)
	require.NoError(t, s.Validate())
	s.Threads[0].Ops[0].Args = []model.Task{2}
	require.EqualError(t, s.Validate(), "model: scenario x:3:18: task 2 comes twice")
}
