//go:build !loom && !race

package rewrite_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom/cmd/loom/internal/load"
	"github.com/filch-sched/filch/loom/cmd/loom/internal/look"
	"github.com/filch-sched/filch/loom/cmd/loom/internal/rewrite"
)

// corpus is source of all kinds: that of filch.
var corpus = []string{"./queue", "./park", "./idle", "./sched/...", "./linearizability/...", "./fuzz", "./model/..."}

func loaded(t *testing.T) *load.Program {
	root, err := filepath.Abs("../../../../..")
	require.NoError(t, err)
	p, err := load.Load(load.Go{Dir: root, Flags: []string{"-tags=loom"}}, corpus, nil, func(p *load.Package) bool {
		return strings.HasPrefix(p.Path(), rewrite.Module+"/loom")
	})
	require.NoError(t, err)
	return p
}

// everything is a plan by which as much is rewritten as can be.
func everything(p *load.Program) *rewrite.Plan {
	plan := &rewrite.Plan{
		Explored: map[*ast.FuncDecl]bool{}, Subtests: map[*ast.FuncDecl]bool{},
		Track: true, Own: map[*types.Package]bool{},
	}
	for i, t := range look.New(p).Tests(look.Choice{}) {
		if i%2 == 0 {
			plan.Explored[t.Decl] = true
		} else {
			plan.Subtests[t.Decl] = true
		}
	}
	for _, u := range p.Units {
		plan.Own[u.Types] = true
	}
	return plan
}

// TestPlacesStay: every name of the source is in the rewritten source, in the
// same order, under the same file, line and column.
func TestPlacesStay(t *testing.T) {
	p := loaded(t)
	plan := everything(p)
	files, moved := 0, 0
	for _, u := range p.Units {
		for _, f := range u.Files {
			text, err := rewrite.File(p.Fset, u, f, plan)
			require.NoError(t, err)
			if text == nil {
				continue
			}
			files++
			fset := token.NewFileSet()
			again, err := parser.ParseFile(fset, "rewritten.go", text, parser.ParseComments|parser.SkipObjectResolution)
			require.NoError(t, err, "%s", f.Path)
			have := map[string]bool{}
			for _, id := range names(fset, again, "rewritten.go", f.Path) {
				have[id] = true
			}
			for _, id := range names(p.Fset, f.AST, "", "") {
				if !have[id] && !standsIn(id) {
					moved++
					t.Errorf("%s is not where it was", id)
				}
			}
		}
	}
	require.Greater(t, files, 60)
	require.Zero(t, moved)
}

// standsIn reports whether a name is of a function that is replaced.
func standsIn(id string) bool {
	for _, name := range []string{" time", " runtime", " Now", " Since", " Until", " Sleep", " Gosched",
		" context", " io", " AfterFunc", " NewTimer", " NewTicker", " Tick", " After", " Pipe", " synctest", " Test"} {
		if strings.HasSuffix(id, name) {
			return true
		}
	}
	return false
}

// names returns the names in a file with their places.
func names(fset *token.FileSet, f *ast.File, from, to string) []string {
	var all []string
	ast.Inspect(f, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		pos := fset.Position(id.Pos())
		if pos.Filename == from {
			pos.Filename = to
		}
		all = append(all, fmt.Sprintf("%s:%d:%d: %s", pos.Filename, pos.Line, pos.Column, id.Name))
		return true
	})
	return all
}

// TestRewrittenSourceChecks: what is rewritten has the types that it should.
func TestRewrittenSourceChecks(t *testing.T) {
	p := loaded(t)
	plan := everything(p)
	root, err := filepath.Abs("../../../../..")
	require.NoError(t, err)
	overlay := map[string]string{}
	dir := t.TempDir()
	for _, u := range p.Units {
		for _, f := range u.Files {
			if overlay[f.Path] != "" {
				continue
			}
			text, err := rewrite.File(p.Fset, u, f, plan)
			require.NoError(t, err)
			if text != nil {
				overlay[f.Path] = filepath.Join(dir, fmt.Sprint(len(overlay), ".go"))
				require.NoError(t, writeFile(overlay[f.Path], text))
			}
		}
	}
	g := load.Go{Dir: root, Flags: []string{"-tags=loom", "-overlay=" + overlayFile(t, overlay)}}
	_, err = load.Load(g, corpus, overlay, func(p *load.Package) bool {
		return strings.HasPrefix(p.Path(), rewrite.Module+"/loom")
	})
	require.NoError(t, err)
}
