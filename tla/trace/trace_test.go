package trace_test

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/tla/trace"
)

const root = "../.."

var update = flag.Bool("update", false, "write the modules that stand for recorded runs")

func recorder(t *testing.T) *trace.Recorder {
	r, err := trace.NewRecorder(context.Background(), root, "", t.TempDir())
	require.NoError(t, err)
	return r
}

// program is of a subject, with the seed 1.
func program(of *trace.Subject, workers, tasks int) trace.Program {
	return trace.Program{Of: of, Workers: workers, Tasks: tasks, Seed: 1}
}

// counts returns how often the run has each step, and sees that it ends with End.
func counts(t *testing.T, run trace.Trace) map[string]int {
	require.Equal(t, trace.End, run.Steps[len(run.Steps)-1].Name)
	count := map[string]int{}
	for _, s := range run.Steps {
		require.Contains(t, run.Of.Names, s.Name)
		require.Regexp(t, `^([wsc]\d|-)$`, s.Thread)
		count[s.Name]++
	}
	return count
}

// TestRunsAreTranslated: every operation of runs of the scheduler is known, and each
// run ends with End and has the steps that every run has.
func TestRunsAreTranslated(t *testing.T) {
	r := recorder(t)
	runs, err := r.Drawn(context.Background(), "random", program(trace.Sched, 3, 9), 5, false)
	require.NoError(t, err)
	require.Len(t, runs, 5)
	long, err := r.Machine(context.Background(), program(trace.Sched, 4, 50))
	require.NoError(t, err)
	for _, run := range append(runs, long) {
		count := counts(t, run)
		require.Equal(t, 1, count["CloseFlag"])
		require.Equal(t, count["ParkT2"], count["ParkT3"])
		require.Equal(t, count["StealClaim"], count["StealRelease"])
		require.Equal(t, count["ParkT2"], count["Sleep"])
	}
	require.Equal(t, []int{3, 4}, []int{runs[0].Workers, long.Workers})
}

// TestRunsOfRingsAreTranslated: as those of the scheduler. Each task that is taken is
// cleared, and each call returns.
func TestRunsOfRingsAreTranslated(t *testing.T) {
	r := recorder(t)
	runs, err := r.Drawn(context.Background(), "pct", program(trace.Rings, 3, 20), 5, false)
	require.NoError(t, err)
	require.Len(t, runs, 5)
	long, err := r.Machine(context.Background(), program(trace.Rings, 4, 200))
	require.NoError(t, err)
	for _, run := range append(runs, long) {
		count := counts(t, run)
		require.Equal(t, count["Call"], count["Return"])
		require.Equal(t, count["Take"], count["Clear"])
		require.Positive(t, count["StealS5"])
	}
	require.Equal(t, []int{3, 4}, []int{runs[0].Workers, long.Workers})
	require.Greater(t, len(long.Steps), 4*200*3)
}

// TestSamplesAreRunsOfTheCode: the modules that stand for recorded runs are what the code
// does in one execution that package loom draws.
func TestSamplesAreRunsOfTheCode(t *testing.T) {
	r := recorder(t)
	for of, tasks := range map[*trace.Subject]int{trace.Sched: 2, trace.Rings: 8, trace.Parker: 3} {
		runs, err := r.Drawn(context.Background(), "random", program(of, 2, tasks), 1, false)
		require.NoError(t, err)
		var want strings.Builder
		require.NoError(t, trace.Write(&want, runs))
		name := filepath.Join("..", of.Data()+".tla")
		if *update {
			require.NoError(t, os.WriteFile(name, []byte(want.String()), 0o644))
		}
		got, err := os.ReadFile(name)
		require.NoError(t, err)
		require.Equal(t, want.String(), strings.ReplaceAll(string(got), "\r\n", "\n"), "go test ./tla/trace -update writes it")
	}
}

// TestNamesAreThoseOfTheModule: the module expects each name somewhere and knows none
// that steps do not have.
func TestNamesAreThoseOfTheModule(t *testing.T) {
	for _, of := range trace.Subjects() {
		text, err := os.ReadFile("../" + of.Spec + ".tla")
		require.NoError(t, err)
		_, body, found := strings.Cut(string(text), "\nEXTENDS")
		require.True(t, found)
		body, _, found = strings.Cut(body, "What TLC is to print")
		require.True(t, found)
		var names []string
		for _, m := range regexp.MustCompile(`"([A-Z][A-Za-z0-9]{3,})"`).FindAllStringSubmatch(body, -1) {
			names = append(names, m[1])
		}
		slices.Sort(names)
		want := slices.Clone(of.Names)
		want = slices.DeleteFunc(want, func(n string) bool { return n == trace.End })
		slices.Sort(want)
		require.Equal(t, want, slices.Compact(names), of.Spec)
	}
}

// TestCorruptionsBeginWhereTheySay: the steps before are those of the run.
func TestCorruptionsBeginWhereTheySay(t *testing.T) {
	r := recorder(t)
	for of, p := range map[*trace.Subject]trace.Program{trace.Sched: program(trace.Sched, 3, 24), trace.Rings: program(trace.Rings, 4, 80), trace.Parker: program(trace.Parker, 3, 30)} {
		runs, err := r.Drawn(context.Background(), "random", p, 8, false)
		require.NoError(t, err)
		var wrong []trace.Corrupted
		var good trace.Trace
		for _, good = range runs {
			if wrong, err = trace.Corruptions(good); err == nil {
				break
			}
		}
		require.NoError(t, err)
		require.GreaterOrEqual(t, len(wrong), 6)
		names := map[string]bool{}
		for _, c := range wrong {
			names[c.Name] = true
			require.NotEqual(t, good.Steps, c.Run.Steps, c.Name)
			same := 0 // a corruption may make a step later than it stood
			for same < len(c.Run.Steps) && c.Run.Steps[same].String() == good.Steps[same].String() {
				same++
			}
			require.LessOrEqual(t, same, c.At, c.Name)
			require.Greater(t, c.At, len(good.Steps)/20, "%s comes to nothing", c.Name)
		}
		require.Len(t, names, len(wrong))
		_, err = trace.Corruptions(trace.Trace{Of: of, Workers: 2, Steps: good.Steps[:3]})
		require.ErrorContains(t, err, "trace: the run has no place for the corruption")
	}
}
