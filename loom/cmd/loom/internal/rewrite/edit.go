// Package rewrite makes, of the source of a program, source of the same program
// that package loom schedules. Every line stays on its line, and what is not
// changed keeps its column.
package rewrite

import (
	"bytes"
	"fmt"
	"go/token"
	"slices"
	"strings"
)

// edit replaces src[from:to] by text, which has no line break of its own.
type edit struct {
	from, to int
	text     string
	// order breaks ties between insertions at one place: the lower comes first.
	order int
}

// editor collects the edits of a file.
type editor struct {
	file  *token.File
	fset  *token.FileSet
	src   []byte
	edits []edit
}

func (e *editor) offset(p token.Pos) int { return e.file.Offset(p) }

// replace replaces the source between two places. The line breaks in it stay.
func (e *editor) replace(from, to token.Pos, text string) {
	e.edits = append(e.edits, edit{e.offset(from), e.offset(to), text, 0})
}

// insert inserts text. Of two insertions at one place that with the lower order
// comes first.
func (e *editor) insert(at token.Pos, text string, order int) {
	e.edits = append(e.edits, edit{e.offset(at), e.offset(at), text, order})
}

// apply returns the source with the edits. After an edit a line directive sets
// the column right, unless the rest of the line is blank.
func (e *editor) apply() ([]byte, error) {
	slices.SortStableFunc(e.edits, func(a, b edit) int {
		if a.from != b.from {
			return a.from - b.from
		}
		if a.to != b.to && (a.from == a.to || b.from == b.to) {
			return (a.to - a.from) - (b.to - b.from) // insertions come before
		}
		return a.order - b.order
	})
	var out bytes.Buffer
	at := 0
	for i, d := range e.edits {
		if d.to <= at && d.from < at {
			continue // inside of what another has taken out
		}
		if d.from < at {
			return nil, fmt.Errorf("loom: two edits of %v", e.fset.Position(e.file.Pos(d.from)))
		}
		out.Write(e.src[at:d.from])
		out.WriteString(d.text)
		for range bytes.Count(e.src[d.from:d.to], []byte("\n")) {
			out.WriteByte('\n')
		}
		at = d.to
		if i+1 == len(e.edits) || e.edits[i+1].from != at {
			if !strings.HasPrefix(d.text, "/*line") {
				out.WriteString(e.column(at))
			}
		}
	}
	out.Write(e.src[at:])
	return out.Bytes(), nil
}

// column returns a line directive for the place at, "" if it needs none.
func (e *editor) column(at int) string {
	rest, _, _ := bytes.Cut(e.src[at:], []byte("\n"))
	if len(bytes.TrimSpace(rest)) == 0 {
		return ""
	}
	pos := e.fset.Position(e.file.Pos(at))
	if pos.Column == 0 {
		return "" // the user's own line directive has no columns
	}
	return fmt.Sprintf("/*line :%d:%d*/", pos.Line, pos.Column)
}
