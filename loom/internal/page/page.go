// Package page draws the schedule of a violation as a page of HTML: one file that
// needs no network, for a phone as well as for a wide screen, light or dark.
package page

import (
	_ "embed"
	"html/template"
	"io"

	"github.com/filch-sched/filch/loom/internal/explore"
)

//go:embed page.html
var text string

var page = template.Must(template.New("page").Parse(text))

// Head is what stands above the schedule.
type Head struct {
	Test    string // whose exploration it was
	Claim   string
	Message string
	Command string // that replays it; may be empty
	Token   string
}

// columns is how many threads get a column of their own on a wide screen.
const columns = 6

// Write writes the page of an execution.
func Write(w io.Writer, h Head, e explore.Execution) error {
	d := explore.Draw(e)
	return page.Execute(w, struct {
		Head
		explore.Drawing
		Wide bool
	}{h, d, len(d.Threads) <= columns})
}
