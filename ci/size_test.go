package ci_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	maxFileLines     = 400
	maxFunctionLines = 70
)

func parse(t *testing.T, decls string) *ast.File {
	f, err := parser.ParseFile(fileSet, "x.go", "package x\n"+decls, parser.SkipObjectResolution)
	require.NoError(t, err)
	return f
}

func TestFilesAndFunctionsAreShort(t *testing.T) {
	for _, s := range sources(t) {
		file := fileSet.File(s.ast.FileStart)
		if n := file.LineCount(); n > maxFileLines {
			t.Errorf("%s has %d lines, want at most %d", s.path, n, maxFileLines)
		}
		for _, d := range s.ast.Decls {
			if f, ok := d.(*ast.FuncDecl); ok {
				if n := file.Line(f.End()) - file.Line(f.Pos()) + 1; n > maxFunctionLines {
					t.Errorf("%s: %s has %d lines, want at most %d", fileSet.Position(f.Pos()), f.Name.Name, n, maxFunctionLines)
				}
			}
		}
	}
}

// foreign matches words that have no place in this repository: of where it was
// made and by what, and of work that is not done. They are put together here so
// that this file does not match itself.
var foreign = regexp.MustCompile(`(?i)` + strings.Join([]string{
	"/w" + "ork/", `\.\./sha` + "red", "sha" + "red/ref", "before-" + "stop", "sub" + "agent", "cl" + "aude", "anth" + "ropic",
	`\bTO` + `DO\b`, `\bFIX` + `ME\b`, `\bX` + `XX\b`, "proxy." + "golang", "repo1." + "maven", "deb." + "debian",
}, "|"))

func TestTheTreeSpeaksOfFilchAlone(t *testing.T) {
	files := 0
	walk(t, func(name string, text []byte) {
		if bytes.IndexByte(text, 0) >= 0 {
			return // no text
		}
		files++
		for i, line := range bytes.Split(text, []byte("\n")) {
			if m := foreign.Find(line); m != nil {
				t.Errorf("%s:%d: %q", name, i+1, m)
			}
		}
	})
	require.Greater(t, files, 50)
	require.True(t, foreign.MatchString("see /W"+"ork/main"))
	require.False(t, foreign.MatchString("a worker's work / shared memory"))
}
