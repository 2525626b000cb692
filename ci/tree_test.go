package ci_test

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	root   = ".."
	module = "github.com/filch-sched/filch"
)

// production are the packages that ship; shim is what they may import besides
// the standard library.
var (
	production = []string{"queue", "idle", "park", "sched"}
	shim       = []string{"loom/atomic", "loom/sync", "loom/cell", "loom/time", "loom/gid"}
)

// source is one Go file of the module.
type source struct {
	path string // from the module's root, with slashes
	dir  string
	test bool
	ast  *ast.File
}

var fileSet = token.NewFileSet()

// sources parses every Go file of the module, whatever its build constraints,
// but for testdata and nested modules.
func sources(t *testing.T) []source {
	var all []source
	walk(t, func(name string, text []byte) {
		if !strings.HasSuffix(name, ".go") || strings.Contains("/"+name, "/testdata/") || strings.HasPrefix(name, "ci/bench/") {
			return
		}
		f, err := parser.ParseFile(fileSet, name, text, parser.ParseComments|parser.SkipObjectResolution)
		require.NoError(t, err)
		all = append(all, source{path: name, dir: path.Dir(name), test: strings.HasSuffix(name, "_test.go"), ast: f})
	})
	require.NotEmpty(t, all)
	return all
}

// walk calls visit with every file of the tree, but for what git and the tools
// keep for themselves.
func walk(t *testing.T, visit func(name string, text []byte)) {
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if slices.Contains([]string{".git", ".tools", "states"}, d.Name()) {
				return filepath.SkipDir
			}
			return nil
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		visit(filepath.ToSlash(name), text)
		return nil
	})
	require.NoError(t, err)
}

// inBuild reports whether the file is part of the build with these tags, on
// linux/amd64.
func inBuild(t *testing.T, s source, tags ...string) bool {
	c := build.Default
	c.GOOS, c.GOARCH, c.BuildTags = "linux", "amd64", tags
	ok, err := c.MatchFile(filepath.Join(root, s.dir), path.Base(s.path))
	require.NoError(t, err)
	return ok
}

// read returns the text of a file of the module.
func read(t *testing.T, name string) string {
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	require.NoError(t, err)
	return string(text)
}

// ships reports whether dir is a production package. What is below one is an
// example that uses it.
func ships(dir string) bool { return slices.Contains(production, dir) }

// under reports whether dir is one of tops or below one.
func under(dir string, tops ...string) bool {
	return slices.ContainsFunc(tops, func(top string) bool {
		return dir == top || strings.HasPrefix(dir, top+"/")
	})
}
