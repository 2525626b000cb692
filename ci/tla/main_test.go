package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/filch-sched/filch/ci/tla/tlc"
	"github.com/filch-sched/filch/tla"
	"github.com/stretchr/testify/require"
)

func TestCommandLine(t *testing.T) {
	for _, c := range []struct {
		args []string
		set  string
		name string
	}{
		{nil, tla.Quick, ""},
		{[]string{"nightly"}, tla.Nightly, ""},
		{[]string{"-run", "Wrap"}, tla.Quick, "Wrap"},
		{[]string{"nightly", "-run", "Wrap"}, tla.Nightly, "Wrap"},
		{[]string{"-run", "Wrap", "nightly"}, tla.Nightly, "Wrap"},
	} {
		got, err := parse(c.args)
		require.NoError(t, err, c.args)
		require.Equal(t, c.set, got.set, c.args)
		require.Equal(t, c.name, got.name.String(), c.args)
	}
	for _, args := range [][]string{
		{"weekly"}, {"quick", "nightly"}, {"-run", "("}, {"-jobs", "0"}, {"-jobs", "x"}, {"-fast"},
		{"-traces", "-run", "Wrap"}, {"-traces", "-update"},
	} {
		_, err := parse(args)
		require.Error(t, err, args)
	}
}

func TestWhatIsMissingIsAFailure(t *testing.T) {
	_, err := run(context.Background(), []string{"-dir", t.TempDir()}, io.Discard)
	require.ErrorContains(t, err, tla.ManifestName)

	_, err = run(context.Background(), []string{"-dir", specs, "-run", "^NoSuchModel$"}, io.Discard)
	require.ErrorContains(t, err, `no model of the set quick matches "^NoSuchModel$"; there are OwnerThief, `)

	t.Setenv("PATH", "")
	_, err = run(context.Background(), []string{"-dir", specs}, io.Discard)
	require.EqualError(t, err, "tlc: java is missing; install it: apt-get install -y openjdk-17-jre-headless")

	t.Setenv("TLA2TOOLS", filepath.Join(t.TempDir(), "no.jar"))
	_, err = findJar(io.Discard)
	require.ErrorContains(t, err, "TLA2TOOLS")
}

const specs = "../../tla"

func verdict(name string, r tla.Result, taken map[string]int, complaints ...string) tlc.Verdict {
	return tlc.Verdict{
		Model:      tla.Model{Name: name, Result: r},
		Output:     tlc.Output{Result: r, Taken: taken, Generated: 9, Distinct: 8, Depth: 7},
		Complaints: complaints,
	}
}

func TestOneFailureFailsTheRun(t *testing.T) {
	all := map[string]int{"RingQueue!PushP1": 3, "Park!ParkK1": 3, "Inject!PushI1": 3, "Idle!WakeW1": 3}
	good := verdict("Good", tla.Success, all)
	require.NoError(t, sumUp(io.Discard, []tlc.Verdict{good}, true))
	require.EqualError(t, sumUp(io.Discard, []tlc.Verdict{good, verdict("Bad", tla.Success, all, "wrong")}, true),
		"1 of 2 models: Bad")
}

func TestActionNeverTakenFailsTheRun(t *testing.T) {
	never := verdict("Never", tla.Success, map[string]int{"RingQueue!PushP1": 3, "RingQueue!PushO1": 0})
	require.EqualError(t, sumUp(io.Discard, []tlc.Verdict{never}, true), "no model takes RingQueue!PushO1")
	require.EqualError(t, sumUp(io.Discard, []tlc.Verdict{verdict("Blind", tla.Success, nil)}, true),
		"TLC's coverage names no action of RingQueue")

	said := new(strings.Builder)
	require.NoError(t, sumUp(said, []tlc.Verdict{never}, false))
	require.Contains(t, said.String(), "not judged: -run chose a part")
}

func TestUpdateWritesTheCountsOfModelsThatEndedWell(t *testing.T) {
	before, err := tla.Load(specs)
	require.NoError(t, err)
	a, b := before.Models[0].Name, before.Models[1].Name
	dir := t.TempDir()
	require.NoError(t, update(before, dir, []tlc.Verdict{
		verdict(a, tla.Success, nil), verdict(b, tla.Success, nil, "want no violation, got parse"),
	}))
	after, err := tla.Load(dir)
	require.NoError(t, err)
	want, err := tla.Load(specs)
	require.NoError(t, err)
	want.Models[0].Generated, want.Models[0].Distinct, want.Models[0].Depth, want.Models[0].Seconds = 9, 8, 7, 0
	require.Equal(t, want, after)
	text, err := os.ReadFile(filepath.Join(dir, tla.ManifestName))
	require.NoError(t, err)
	require.Equal(t, len(after.Models)+4, strings.Count(string(text), "\n"), "a line for each model")
}
