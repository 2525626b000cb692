package ci_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	testify   = "github.com/stretchr/testify"
	porcupine = "github.com/anishathalye/porcupine"
	rapid     = "pgregory.net/rapid"
)

// mayImport reports whether a file may import a package, given from the
// module's root if it is filch's own.
func mayImport(s source, imported string, tagged bool) bool {
	own, isOwn := strings.CutPrefix(imported, module+"/")
	if !isOwn {
		return mayImportForeign(s, imported)
	}
	switch {
	case under(own, "ci"):
		return under(s.dir, "ci")
	case under(s.dir, "ci"):
		return true
	case s.test:
		return !ships(s.dir) || !under(own, "linearizability", "fuzz", "tla")
	case s.dir == "sched":
		return under(own, "queue", "idle", "park") || under(own, shim...)
	case ships(s.dir):
		return under(own, shim...)
	case under(s.dir, production...):
		return under(own, production...)
	case under(s.dir, shim...):
		return under(own, shim...) || tagged && under(own, "loom")
	case s.dir == "model":
		return false
	case s.dir == "model/words":
		return own == "model"
	case under(s.dir, "loom"):
		return under(own, "loom")
	case under(s.dir, "model/target"):
		return under(own, production...) || under(own, "model", "loom")
	case under(s.dir, "linearizability", "fuzz", "tla"):
		return !under(own, "linearizability", "fuzz", "tla") || under(own, strings.Split(s.dir, "/")[0])
	}
	return false
}

// mayImportForeign is mayImport for the standard library and other modules.
func mayImportForeign(s source, imported string) bool {
	first, _, _ := strings.Cut(imported, "/")
	switch {
	case imported == "C":
		return false
	case !strings.Contains(first, "."):
		return s.test || !slicedOff(s, imported)
	case under(imported, testify):
		return s.test
	case under(imported, "example.com/stranger"):
		return under(s.dir, "ci/stranger") // a module of its own
	case under(s.dir, "linearizability/others"):
		return true // a module of its own, of other people's code
	case under(imported, porcupine):
		return under(s.dir, "linearizability", "ci")
	case under(imported, rapid):
		return under(s.dir, "fuzz", "ci")
	}
	return false
}

// slicedOff reports whether a package of the standard library is one that
// production and the model do without: what is shared goes through the shim,
// and the model shares nothing.
func slicedOff(s source, imported string) bool {
	switch imported {
	case "sync", "sync/atomic", "unsafe", "testing":
		return ships(s.dir) || s.dir == "model"
	case "time":
		return ships(s.dir) && s.dir != "sched" || s.dir == "model"
	}
	return false
}

func TestImportsFollowTheArrows(t *testing.T) {
	seen := 0
	for _, s := range sources(t) {
		tagged := !inBuild(t, s) && inBuild(t, s, "loom")
		for _, spec := range s.ast.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			require.NoError(t, err)
			seen++
			if !mayImport(s, imported, tagged) {
				t.Errorf("%s imports %s", fileSet.Position(spec.Pos()), imported)
			}
		}
	}
	require.Greater(t, seen, 100, "the imports were not seen")
}

func TestArrowsRefuseWhatTheyShould(t *testing.T) {
	for _, c := range []struct {
		from, imported string
		test, tagged   bool
		want           bool
	}{
		{"queue", "sync/atomic", false, false, false},
		{"model/words", module + "/model", false, false, true},
		{"model/words", module + "/queue", false, false, false},
		{"queue", "sync", false, false, false},
		{"queue", "sync", true, false, true},
		{"queue", "fmt", false, false, true},
		{"queue", module + "/loom/atomic", false, false, true},
		{"queue", module + "/loom", false, false, false},
		{"queue", module + "/loom", true, false, true},
		{"queue", module + "/idle", false, false, false},
		{"queue", module + "/model", false, false, false},
		{"queue", testify + "/require", false, false, false},
		{"queue", testify + "/require", true, false, true},
		{"queue", rapid, true, false, false},
		{"queue", module + "/linearizability", true, false, false},
		{"sched", module + "/queue", false, false, true},
		{"sched", module + "/model", false, false, false},
		{"sched/example", module + "/sched", false, false, true},
		{"sched/example", "sync/atomic", false, false, true},
		{"sched/example", module + "/model", false, false, false},
		{"park", "time", false, false, false},
		{"model", module + "/queue", false, false, false},
		{"model", module + "/model/target", false, false, false},
		{"model", "sync", false, false, false},
		{"model/target", module + "/queue", false, false, true},
		{"loom/atomic", module + "/loom/internal/engine", false, false, false},
		{"loom/atomic", module + "/loom/internal/engine", false, true, true},
		{"loom", module + "/queue", false, false, false},
		{"linearizability/audit", module + "/linearizability/plant", false, false, true},
		{"linearizability", porcupine, false, false, true},
		{"linearizability", module + "/fuzz", false, false, false},
		{"fuzz", porcupine, false, false, false},
		{"fuzz", rapid, false, false, true},
		{"fuzz", module + "/ci/mutants", false, false, false},
		{"ci/mutants", module + "/linearizability/plant", false, false, true},
		{"elsewhere", module + "/queue", false, false, false},
		{"queue", "example.com/other", false, false, false},
		{"queue", "C", false, false, false},
		{"ci/stranger", "example.com/stranger", true, false, true},
		{"ci", "example.com/stranger", true, false, false},
	} {
		got := mayImport(source{dir: c.from, test: c.test}, c.imported, c.tagged)
		require.Equal(t, c.want, got, "%s imports %s (test %t, tagged %t)", c.from, c.imported, c.test, c.tagged)
	}
}
