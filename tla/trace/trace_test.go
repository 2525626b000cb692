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

var update = flag.Bool("update", false, "write ../SchedTraceData.tla")

func recorder(t *testing.T) *trace.Recorder {
	r, err := trace.NewRecorder(context.Background(), root, "", t.TempDir())
	require.NoError(t, err)
	return r
}

// TestRunsAreTranslated: every operation of runs of the scheduler is known, and each
// run ends with End and has the steps that every run has.
func TestRunsAreTranslated(t *testing.T) {
	r := recorder(t)
	runs, err := r.Drawn(context.Background(), "random", 3, 9, 5, 1, false)
	require.NoError(t, err)
	require.Len(t, runs, 5)
	long, err := r.Machine(context.Background(), 4, 50, 1)
	require.NoError(t, err)
	for _, run := range append(runs, long) {
		require.Equal(t, trace.End, run.Steps[len(run.Steps)-1].Name)
		count := map[string]int{}
		for _, s := range run.Steps {
			require.Contains(t, trace.Names, s.Name)
			require.Regexp(t, `^([wsc]\d|-)$`, s.Thread)
			count[s.Name]++
		}
		require.Equal(t, 1, count["CloseFlag"])
		require.Equal(t, count["ParkT2"], count["ParkT3"])
		require.Equal(t, count["StealClaim"], count["StealRelease"])
		require.Equal(t, count["ParkT2"], count["Sleep"])
	}
	require.Equal(t, []int{3, 4}, []int{runs[0].Workers, long.Workers})
}

// TestSampleIsARunOfTheCode: the module that stands for recorded runs beside
// SchedTrace is what the code does in one execution that package loom draws.
func TestSampleIsARunOfTheCode(t *testing.T) {
	runs, err := recorder(t).Drawn(context.Background(), "random", 2, 2, 1, 1, false)
	require.NoError(t, err)
	var want strings.Builder
	require.NoError(t, trace.Write(&want, runs))
	name := filepath.Join("..", trace.Module+".tla")
	if *update {
		require.NoError(t, os.WriteFile(name, []byte(want.String()), 0o644))
	}
	got, err := os.ReadFile(name)
	require.NoError(t, err)
	require.Equal(t, want.String(), strings.ReplaceAll(string(got), "\r\n", "\n"), "go test ./tla/trace -update writes it")
}

// TestNamesAreThoseOfTheModule: SchedTrace expects each name somewhere and knows none
// that steps do not have.
func TestNamesAreThoseOfTheModule(t *testing.T) {
	text, err := os.ReadFile("../SchedTrace.tla")
	require.NoError(t, err)
	body, _, found := strings.Cut(string(text), "What TLC is to print")
	require.True(t, found)
	var names []string
	for _, m := range regexp.MustCompile(`"([A-Z][A-Za-z0-9]{3,})"`).FindAllStringSubmatch(body, -1) {
		names = append(names, m[1])
	}
	slices.Sort(names)
	want := slices.Clone(trace.Names)
	want = slices.DeleteFunc(want, func(n string) bool { return n == trace.End })
	slices.Sort(want)
	require.Equal(t, want, slices.Compact(names))
}

// TestCorruptionsBeginWhereTheySay: the steps before are those of the run.
func TestCorruptionsBeginWhereTheySay(t *testing.T) {
	runs, err := recorder(t).Drawn(context.Background(), "random", 3, 24, 8, 1, false)
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
	_, err = trace.Corruptions(trace.Trace{Workers: 2, Steps: good.Steps[:3]})
	require.ErrorContains(t, err, "trace: the run has no place for the corruption")
}
