package tlc_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/filch-sched/filch/ci/tla/tlc"
	"github.com/filch-sched/filch/tla"
	"github.com/stretchr/testify/require"
)

// recorded returns what TLC 2.18 printed on testdata/Count.tla with the .cfg of
// that name, and its exit status, which is the first line of the file.
func recorded(t *testing.T, name string) (text string, status int) {
	all, err := os.ReadFile(filepath.Join("testdata", name+".txt"))
	require.NoError(t, err)
	first, text, _ := strings.Cut(string(all), "\n")
	_, err = fmt.Sscanf(first, "exit %d", &status)
	require.NoError(t, err)
	return text, status
}

func TestEveryEndOfTLCIsToldApart(t *testing.T) {
	for _, c := range []struct {
		name                       string
		result                     tla.Result
		violated                   string
		generated, distinct, depth int
		path                       int
	}{
		{"success", tla.Success, "", 4, 4, 4, 0},
		{"invariant", tla.Invariant, "Small", 3, 3, 3, 3},
		{"initial", tla.Invariant, "NotZero", 0, 0, 0, 0},
		{"action", tla.Property, "Stopped", 2, 2, 2, 2},
		{"refinement", tla.Property, "Up:6", 4, 4, 3, 3},
		{"temporal", tla.Property, "", 4, 4, 0, 4},
		{"deadlock", tlc.Deadlock, "", 4, 4, 4, 4},
		{"assert", tlc.Assert, "", 2, 2, 0, 2},
		{"evaluation", tlc.Evaluation, "", 1, 1, 0, 1},
		{"assumption", tlc.Assumption, "", 0, 0, 0, 0},
		{"parse", tlc.Parse, "", 0, 0, 0, 0},
		{"config", tlc.Config, "", 0, 0, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, err := tlc.ParseOutput(recorded(t, c.name))
			require.NoError(t, err)
			require.Equal(t, c.result, out.Result)
			require.Equal(t, c.violated, out.Violated)
			require.Equal(t, [3]int{c.generated, c.distinct, c.depth}, [3]int{out.Generated, out.Distinct, out.Depth})
			require.Len(t, out.Path, c.path)
			require.Equal(t, c.result == tla.Success, out.Message == "", "message %q", out.Message)
		})
	}
}

func TestPathAndMessageAreTLCs(t *testing.T) {
	out, err := tlc.ParseOutput(recorded(t, "refinement"))
	require.NoError(t, err)
	require.Equal(t, []string{
		"1: <Initial predicate>\nn = 0",
		"2: <Inc line 5, col 8 to line 5, col 26 of module Count>\nn = 1",
		"3: <Jump line 7, col 9 to line 7, col 23 of module Count>\nn = 3",
	}, out.Path)
	out, err = tlc.ParseOutput(recorded(t, "assert"))
	require.NoError(t, err)
	require.Contains(t, out.Message, "n is too large")
}

func TestCoverageTellsTheActionsThatWereNotTaken(t *testing.T) {
	out, err := tlc.ParseOutput(recorded(t, "success"))
	require.NoError(t, err)
	require.Equal(t, map[string]int{"Count!Inc": 3, "Count!Skip": 0}, out.Taken)

	untaken, actions := tlc.Untaken("Count", []tlc.Output{out})
	require.Equal(t, []string{"Count!Skip"}, untaken)
	require.Equal(t, 2, actions)

	other := out
	other.Taken = map[string]int{"Count!Skip": 1}
	untaken, _ = tlc.Untaken("Count", []tlc.Output{out, other})
	require.Empty(t, untaken, "one model takes it")

	other.Result = tla.Invariant
	untaken, _ = tlc.Untaken("Count", []tlc.Output{out, other})
	require.Equal(t, []string{"Count!Skip"}, untaken, "a model that is to fail does not count")

	_, actions = tlc.Untaken("Elsewhere", []tlc.Output{out})
	require.Zero(t, actions)
}

func TestOutputsThatCannotBeTrustedAreErrors(t *testing.T) {
	success, _ := recorded(t, "success")
	invariant, _ := recorded(t, "invariant")
	half := success[:strings.Index(success, "@!@!@STARTMSG 2193")]
	for name, c := range map[string]struct {
		text   string
		status int
		want   string
	}{
		"nothing":               {"", 0, "no end in its output"},
		"no end":                {half, 0, "no end in its output"},
		"killed":                {half, -1, "no end in its output"},
		"a violation, status 0": {invariant, 0, "exit status 0, but its output says invariant"},
		"a success, status 12":  {success, 12, "exit status 12, but its output says success"},
		"a success, unknown":    {success, 3, "exit status 3, but its output says success"},
		"states left": {strings.Replace(success, ", 0 states left on queue", ", 7 states left on queue", -1), 0,
			"7 states were left"},
		"no count of states":   {strings.Replace(success, "states left on queue", "states", -1), 0, "states were left"},
		"Java's own":           {"Error: Could not find or load main class tlc2.TLC", 1, "Could not find or load main class"},
		"a message in another": {strings.Replace(success, "ENDMSG 2193", "ENDMSG 2194", 1), 0, "message 2193 ends as 2194"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := tlc.ParseOutput(c.text, c.status)
			require.ErrorContains(t, err, c.want)
		})
	}
}
