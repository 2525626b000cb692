package bond_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/tla"
	"github.com/filch-sched/filch/tla/bond"
)

const specs = ".."

// TestGoldenGraphsAreOfTheseFiles: a specification that has changed since is noticed
// without TLC.
func TestGoldenGraphsAreOfTheseFiles(t *testing.T) {
	m, err := tla.Load(specs)
	require.NoError(t, err)
	var there, listed []string
	for _, model := range m.Models {
		if model.Bond != model.Name {
			continue
		}
		golden, err := bond.Load(specs, model.Name)
		require.NoError(t, err)
		source, err := bond.SourceOf(specs, model.Name, model.Module, model.Config)
		require.NoError(t, err)
		assert.Equal(t, source, golden.Source, "go run ./ci/tla -run '^%s$' -update makes it again", model.Name)
		listed = append(listed, bond.GoldenName(model.Name))
	}
	files, err := filepath.Glob(specs + "/golden/*")
	require.NoError(t, err)
	for _, f := range files {
		there = append(there, "golden/"+filepath.Base(f))
	}
	require.ElementsMatch(t, listed, there)
	var compared []string
	for _, b := range bond.Bonds() {
		compared = append(compared, bond.GoldenName(b.Model))
	}
	require.ElementsMatch(t, listed, compared)
}

// TestSourcesEndWithTheirModule: counts that are written behind one do not make a graph
// another's.
func TestSourcesEndWithTheirModule(t *testing.T) {
	dir := t.TempDir()
	source := func(text string) []string {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "M.tla"), []byte(text), 0o600))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "M.cfg"), []byte("SPECIFICATION S\n"), 0o600))
		s, err := bond.SourceOf(dir, "M", "M", "M.cfg")
		require.NoError(t, err)
		return s.Files
	}
	first := source("---- MODULE M ----\nA == 1\n====\n")
	require.Len(t, first, 2)
	require.Equal(t, first, source("---- MODULE M ----\nA == 1\n====\nM 12 13\n"))
	require.NotEqual(t, first, source("---- MODULE M ----\nA == 2\n====\n"))
}

// TestGoldenGraphsAreCanonical: a file is what is made of what is read of it.
func TestGoldenGraphsAreCanonical(t *testing.T) {
	for _, b := range bond.Bonds() {
		golden, err := bond.Load(specs, b.Model)
		require.NoError(t, err)
		dir := t.TempDir()
		require.NoError(t, golden.Save(dir))
		again, err := bond.Load(dir, b.Model)
		require.NoError(t, err)
		require.Equal(t, golden, again)
		image, err := bond.Compare(golden.Graph, golden.Graph)
		require.NoError(t, err)
		for n, m := range image {
			require.Equal(t, n, m)
		}
	}
}
