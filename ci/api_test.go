package ci_test

import (
	"bytes"
	"flag"
	"go/ast"
	"go/doc"
	"go/format"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite api.txt and the counts in README.md")

// public are the packages whose exported API is kept in api.txt.
var public = append([]string{"loom", "loom/atomic", "loom/sync", "loom/cell", "loom/time", "loom/gid",
	"model", "linearizability"}, production...)

// TestAPIIsTheOneInTheFile makes every change of the API visible in a diff.
//
//	go test ./ci -run TestAPI -update
func TestAPIIsTheOneInTheFile(t *testing.T) {
	all := sources(t)
	var b strings.Builder
	for _, dir := range public {
		b.WriteString(api(t, all, dir))
	}
	if *update {
		require.NoError(t, os.WriteFile("api.txt", []byte(b.String()), 0o666))
	}
	require.Equal(t, read(t, "ci/api.txt"), b.String(),
		"the exported API is not the one in ci/api.txt; if that is meant: go test ./ci -run TestAPI -update")
}

// api returns the exported declarations of a package in the ordinary build.
func api(t *testing.T, all []source, dir string) string {
	var files []*ast.File
	for _, s := range all {
		if s.dir == dir && !s.test && inBuild(t, s) {
			files = append(files, s.ast)
		}
	}
	require.NotEmpty(t, files, "no package in %s", dir)
	p, err := doc.NewFromFiles(fileSet, files, module+"/"+dir)
	require.NoError(t, err)

	var b strings.Builder
	b.WriteString("package " + dir + "\n\n")
	values := func(vs []*doc.Value) {
		for _, v := range vs {
			b.WriteString(declaration(t, v.Decl))
		}
	}
	funcs := func(fs []*doc.Func) {
		for _, f := range fs {
			b.WriteString(declaration(t, f.Decl))
		}
	}
	values(p.Consts)
	values(p.Vars)
	funcs(p.Funcs)
	for _, typ := range p.Types {
		b.WriteString(declaration(t, typ.Decl))
		values(typ.Consts)
		values(typ.Vars)
		funcs(typ.Funcs)
		funcs(typ.Methods)
	}
	return b.String() + "\n"
}

// declaration prints a declaration without its body and its comments.
func declaration(t *testing.T, d ast.Decl) string {
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			n.Doc, n.Body = nil, nil
		case *ast.GenDecl:
			n.Doc = nil
		case *ast.TypeSpec:
			n.Doc, n.Comment = nil, nil
		case *ast.ValueSpec:
			n.Doc, n.Comment = nil, nil
		case *ast.Field:
			n.Doc, n.Comment = nil, nil
		}
		return true
	})
	var b bytes.Buffer
	require.NoError(t, format.Node(&b, fileSet, d))
	// The places that comments and bodies left are of no interest.
	var lines []string
	for line := range strings.Lines(b.String()) {
		if strings.TrimSpace(line) != "" {
			lines = append(lines, strings.TrimRight(line, "\n"))
		}
	}
	return strings.Join(lines, "\n") + "\n"
}
