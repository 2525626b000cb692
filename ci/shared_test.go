package ci_test

import (
	"go/ast"
	"go/token"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestProductionSharesOnlyThroughTheShim: what the explorer cannot see it does
// not check. The imports are looked at elsewhere; here are the words that need
// no import.
func TestProductionSharesOnlyThroughTheShim(t *testing.T) {
	packages := map[string][]*ast.File{}
	for _, s := range sources(t) {
		if !s.test && (ships(s.dir) || s.dir == "model") {
			packages[s.dir] = append(packages[s.dir], s.ast)
		}
	}
	require.Len(t, packages, len(production)+1)
	for dir, files := range packages {
		for _, found := range shares(files, ships(dir)) {
			t.Error(found)
		}
	}
}

// shares lists the go statements and channels in the files of a package, with
// their positions, and if asked to the package variables that are not constant.
func shares(files []*ast.File, vars bool) (found []string) {
	report := func(n ast.Node, what string) {
		found = append(found, fileSet.Position(n.Pos()).String()+": "+what)
	}
	variables := map[string]bool{}
	for _, f := range files {
		for _, d := range f.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.VAR {
				for _, spec := range g.Specs {
					for _, name := range spec.(*ast.ValueSpec).Names {
						variables[name.Name] = vars && name.Name != "_"
					}
				}
			}
		}
	}
	written := func(n ast.Node, e ast.Expr) {
		if name, ok := base(e).(*ast.Ident); ok && variables[name.Name] {
			report(n, "package variable "+name.Name+" is written, or a local one hides it")
		}
	}
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt:
				report(n, "go statement; the shim's WaitGroup starts goroutines")
			case *ast.ChanType, *ast.SendStmt, *ast.SelectStmt:
				report(n, "channel")
			case *ast.UnaryExpr:
				if n.Op == token.ARROW {
					report(n, "channel")
				}
				if n.Op == token.AND {
					written(n, n.X)
				}
			case *ast.AssignStmt:
				for _, left := range n.Lhs {
					written(n, left)
				}
			case *ast.IncDecStmt:
				written(n, n.X)
			}
			return true
		})
	}
	return found
}

// base returns what e is a part of.
func base(e ast.Expr) ast.Expr {
	for {
		switch x := e.(type) {
		case *ast.SelectorExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		default:
			return e
		}
	}
}

func TestSharedWordsAreFound(t *testing.T) {
	for text, want := range map[string]int{
		"func f() { go f() }":                                    1,
		"func f(c chan int) { c <- 1; select {} }":               3,
		"func f() { g := h(); <-g }":                             1,
		"var n int\nfunc f() { n = 1; n++; p := &n; _ = p }":     3,
		"var a [3]int\nfunc f() { a[0] = 1 }":                    1,
		"var e = errors.New(\"x\")\nfunc f() error { return e }": 0,
		"func f() { n := 1; n++ }":                               0,
	} {
		require.Len(t, shares([]*ast.File{parse(t, text)}, true), want, text)
	}
}
