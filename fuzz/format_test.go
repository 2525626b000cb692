package fuzz_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/filch-sched/filch/fuzz"
	"github.com/filch-sched/filch/model"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// scenarios draws scenarios of every target, with all that the format has.
func scenarios() *rapid.Generator[model.Scenario] {
	return rapid.Custom(func(t *rapid.T) model.Scenario {
		var s model.Scenario
		switch rapid.IntRange(0, 2).Draw(t, "family") {
		case 0:
			s = fuzz.Programs(fuzz.Bytes).Draw(t, "program").Scenario
			s.Start = rapid.Int32().Draw(t, "start") * int32(min(1, s.Capacity))
		case 1:
			s = crewScenario(t)
		case 2:
			s = model.Scenario{Target: model.Sched, Workers: rapid.IntRange(1, 64).Draw(t, "workers"),
				Threads: []model.Thread{{Name: "caller", Ops: []model.Op{
					{Kind: model.Submit, Args: []model.Task{1}}, {Kind: model.Close}}}}}
		}
		s.Name = "drawn"
		s.Doc = rapid.SliceOfN(rapid.StringMatching(`([!-~]( [!-~])?){0,20}`), 0, 3).Draw(t, "doc")
		if len(s.Doc) == 0 {
			s.Doc = nil
		}
		s.Traces = rapid.IntRange(0, 1<<31-1).Draw(t, "traces")
		s.Claims = rapid.SliceOfNDistinct(rapid.SampledFrom(model.Claims()), 1, 5, rapid.ID).Draw(t, "claims")
		return s
	})
}

// crewScenario draws a scenario on the idle protocol: some tasks are submitted,
// and some of those publish others, or wait for one.
func crewScenario(t *rapid.T) model.Scenario {
	s := model.Scenario{Target: model.Idle, Workers: rapid.IntRange(1, 3).Draw(t, "workers")}
	s.Asleep = rapid.IntRange(0, s.Workers).Draw(t, "asleep")
	next := model.Task(0)
	fresh := func() model.Task { next++; return next }
	submit := model.Op{Kind: model.Submit, Args: []model.Task{fresh()}}
	s.Threads = []model.Thread{{Name: "caller", Ops: []model.Op{submit}}}
	if rapid.Bool().Draw(t, "spawns") {
		l := model.Law{Task: submit.Args[0]}
		for range rapid.IntRange(1, 3).Draw(t, "spawned") {
			l.Spawns = append(l.Spawns, fresh())
		}
		if rapid.Bool().Draw(t, "waits") {
			l.Waits = l.Spawns[0]
		}
		s.Tasks = []model.Law{l}
	}
	if rapid.Bool().Draw(t, "second thread") {
		s.Threads = append(s.Threads, model.Thread{Name: "other", Ops: []model.Op{
			{Kind: model.Submit, Args: []model.Task{fresh()}},
			{Kind: model.WakeAll},
			{Kind: model.WakeWorker, On: s.Workers - 1}}})
	}
	return s
}

func TestFormatAndParseAreInverse(t *testing.T) {
	effort(t, 2000, 30)
	rapid.Check(t, func(t *rapid.T) {
		s := scenarios().Draw(t, "scenario")
		text := model.Format(s)
		back, err := model.Parse(s.Name, text)
		require.NoError(t, err, "%s", text)
		require.Equal(t, s, back, "%s", text)
		requireParses(t, text)
	})
}

// TestParseOfMutatedText changes a good text in a few places.
func TestParseOfMutatedText(t *testing.T) {
	effort(t, 3000, 30)
	refused, taken := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		text := model.Format(scenarios().Draw(t, "scenario"))
		for range rapid.IntRange(1, 4).Draw(t, "mutations") {
			text = mutate(t, text)
		}
		requireParses(t, text)
		if _, err := model.Parse("text", text); err != nil {
			refused++
		} else {
			taken++
		}
	})
	require.Positive(t, refused)
	require.Positive(t, taken)
}

// mutate changes a text in one place.
func mutate(t *rapid.T, text string) string {
	from := rapid.IntRange(0, len(text)).Draw(t, "from")
	to := rapid.IntRange(from, min(len(text), from+8)).Draw(t, "to")
	lines := strings.SplitAfter(text, "\n")
	line := rapid.IntRange(0, len(lines)-1).Draw(t, "line")
	switch rapid.IntRange(0, 4).Draw(t, "mutation") {
	case 0: // cut out
		return text[:from] + text[to:]
	case 1: // put in
		word := rapid.SampledFrom([]string{" ", ":", ",", "#", "\n", "\r\n", "\r", "\ufeff", "\t", "0", "-1", "99999999999", "\xff", "é",
			"steal owner", "setup: ", "park", "task 1: waits 1"}).Draw(t, "word")
		return text[:from] + word + text[from:]
	case 2: // repeat
		return text[:to] + text[from:]
	case 3: // a line twice
		return strings.Join(slices.Insert(lines, line, lines[line]), "")
	default: // a line to the end
		return strings.Join(append(slices.Delete(slices.Clone(lines), line, line+1), lines[line]), "")
	}
}

// TestLoadNamesTheFile: what is wrong with the file of a program is told with its path;
// that a line ends as on Windows is not wrong.
func TestLoadNamesTheFile(t *testing.T) {
	const good = "# Found.\n# order: first second\n# schedule: 0a\ntarget: inject\nfirst: inject.push 1\nsecond: inject.pop\nclaims: NoLostTask\n"
	file := filepath.Join(t.TempDir(), "x.txt")
	load := func(text string) (fuzz.Program, error) {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		return fuzz.Load(file)
	}
	want, err := load(good)
	require.NoError(t, err)
	got, err := load("\ufeff" + strings.ReplaceAll(good, "\n", "\r\n"))
	require.NoError(t, err)
	require.Equal(t, want, got)
	require.Equal(t, []byte{0x0a}, got.Schedule)
	for says, change := range map[string][2]string{
		": order: it cannot be the turn of \"third\" after 1 operations": {"first second", "first third"},
		": schedule \" 0x\" is not of hexadecimal digits":                {"0a", "0x"},
		":4:9: target \"queue\" is none of":                              {"target: inject", "target: queue"},
	} {
		_, err := load(strings.Replace(good, change[0], change[1], 1))
		require.ErrorContains(t, err, file+says)
	}
}
