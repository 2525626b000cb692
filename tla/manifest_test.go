package tla_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/filch-sched/filch/tla"
	"github.com/stretchr/testify/require"
)

func manifest(t *testing.T) tla.Manifest {
	m, err := tla.Load(".")
	require.NoError(t, err)
	return m
}

func TestEveryConfigIsInTheManifestAndTheOtherWayRound(t *testing.T) {
	files, err := filepath.Glob("*/*.cfg")
	require.NoError(t, err)
	var there, listed []string
	for _, f := range files {
		there = append(there, filepath.ToSlash(f))
	}
	for _, m := range manifest(t).Models {
		listed = append(listed, m.Config)
	}
	// Those that recorded runs are looked at with have no counts.
	listed = append(listed, "traces/SchedTrace.cfg", "traces/SchedTraceBroken.cfg", "traces/RingTrace.cfg", "traces/RingTraceBroken.cfg",
		"traces/ParkTrace.cfg", "traces/ParkTraceBroken.cfg")
	require.ElementsMatch(t, there, listed)
	stray, err := filepath.Glob("*.cfg")
	require.NoError(t, err)
	require.Empty(t, stray)
}

func TestSetsAreAsTheManifestSays(t *testing.T) {
	m := manifest(t)
	require.Equal(t, m.Models, m.In(tla.Nightly))
	quick := m.In(tla.Quick)
	require.NotEmpty(t, quick)
	seconds := 0
	for _, model := range quick {
		require.Equal(t, tla.Quick, model.Set)
		seconds += model.Seconds
	}
	require.Less(t, seconds, 480, "quick is to end within four minutes on two cores")
	require.Less(t, len(quick), len(m.Models))
}

// TestIndicesDoNotMatter: the model that starts just below the wrap has exactly
// the states of the one that does not, with other numbers.
func TestIndicesDoNotMatter(t *testing.T) {
	counts := map[string][3]int{}
	for _, m := range manifest(t).Models {
		counts[m.Name] = [3]int{m.Generated, m.Distinct, m.Depth}
	}
	require.NotZero(t, counts["Wrap"][0])
	require.Equal(t, counts["Symmetric"], counts["Wrap"])
	wrap, symmetric := loadConfig(t, "models/Wrap.cfg"), loadConfig(t, "models/Symmetric.cfg")
	for _, name := range []string{"Start", "Modulus"} {
		require.NotEqual(t, symmetric.values[name], wrap.values[name])
		wrap.values[name] = symmetric.values[name]
	}
	require.Equal(t, symmetric.values, wrap.values)
}

func TestWrongManifestsAreRefused(t *testing.T) {
	good := `{"models":[{"name":"A","module":"M","config":"mutants/A.cfg","set":"quick",` +
		`"result":"invariant","violates":"FIFO","generated":1,"distinct":1,"depth":1,"seconds":1}]}`
	loadText := func(text string) error {
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, tla.ManifestName), []byte(text), 0o644))
		_, err := tla.Load(dir)
		return err
	}
	require.NoError(t, loadText(good))
	for _, c := range []struct{ old, new, want string }{
		{good, `{"models":[]}`, "there is no model"},
		{good, good[:40], "unexpected"},
		{`"depth"`, `"deep"`, `unknown field "deep"`},
		{`"name":"A"`, `"name":"../A"`, `"../A"`},
		{`"module":"M"`, `"module":""`, `the module ""`},
		{`mutants/A.cfg`, `elsewhere/A.cfg`, `"elsewhere/A.cfg" is not`},
		{`mutants/A.cfg`, `mutants/B.cfg`, `"mutants/B.cfg" is not`},
		{`mutants/A.cfg`, `models/A.cfg`, `result "invariant" of models/A.cfg`},
		{`"invariant"`, `"success"`, `result "success" of mutants/A.cfg`},
		{`"invariant"`, `"parse"`, `result "parse" is not success, invariant or property`},
		{`"quick"`, `"weekly"`, `set "weekly" is neither quick nor nightly`},
		{`"violates":"FIFO",`, ``, `with violates ""`},
		{`"generated":1`, `"coverage":true,"generated":1`, "coverage of a model that is to fail"},
		{`"violates":"FIFO",`, `"violates":"FIFO","bond":"B",`, `mutants/A.cfg with bond "B"`},
		{`"config":"mutants/A.cfg","set":"quick","result":"invariant","violates":"FIFO"`, `"config":"bonds/A.cfg","set":"quick","result":"success"`, `bonds/A.cfg with bond ""`},
		{`"config":"mutants/A.cfg","set":"quick","result":"invariant","violates":"FIFO"`, `"config":"broken/A.cfg","set":"quick","result":"success","bond":"A"`, `broken/A.cfg with bond "A"`},
		{`"distinct":1`, `"distinct":-1`, "below 0"},
	} {
		require.ErrorContains(t, loadText(strings.Replace(good, c.old, c.new, 1)), c.want)
	}
	one := good[len(`{"models":[`) : len(good)-2]
	require.ErrorContains(t, loadText(`{"models":[`+one+`,`+one+`]}`), "model A is there twice")
	_, err := tla.Load(t.TempDir())
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestSavedManifestIsTheOneInTheTree(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, manifest(t).Save(dir))
	saved, err := os.ReadFile(filepath.Join(dir, tla.ManifestName))
	require.NoError(t, err)
	require.Equal(t, read(t, tla.ManifestName), string(saved))
	require.ErrorContains(t, tla.Manifest{}.Save(dir), "there is no model")
}
