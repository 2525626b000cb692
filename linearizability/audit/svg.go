package main

import (
	"fmt"
	"html"
	"html/template"
	"slices"
	"strings"

	"github.com/filch-sched/filch/linearizability"
	"github.com/filch-sched/filch/model"
)

// Sizes of the drawing, in pixels.
const (
	laneHeight = 34
	laneHead   = 64
	columnWide = 34
	barHeight  = 24
	charWide   = 6.6
)

// drawMost is how many operations are drawn.
const drawMost = 40

// drawing draws the operations around the offending ones: a lane for each
// thread, a bar from call to return. Columns are the stamps that occur, so that
// the drawing shows order and overlap, not durations.
func drawing(f *finding) template.HTML {
	h := f.History
	shown := window(len(h.Ops), f.Ops)
	columns, lanes := grid(h, shown)
	width := laneHead + columnWide*(len(columns)+1)
	height := laneHeight*len(lanes) + 10
	bars := make([]string, 0, len(shown))
	for _, i := range shown {
		o := &h.Ops[i]
		x := laneHead + columnWide*slices.Index(columns, o.Call)
		end := width - columnWide/2
		if o.Return != linearizability.Never {
			end = laneHead + columnWide*(slices.Index(columns, o.Return)+1) - 6
		}
		label := short(o)
		wide := max(end-x, int(charWide*float64(len(label)))+10)
		width = max(width, x+wide+columnWide)
		class := "op"
		if slices.Contains(f.Ops, i) {
			class = "op bad"
		}
		y := 5 + laneHeight*slices.Index(lanes, o.Thread)
		bars = append(bars, fmt.Sprintf(`<g class="%s"><title>%s</title><rect x="%d" y="%d" width="%d" height="%d" rx="4"/>`+
			`<text x="%d" y="%d">%s</text></g>`, class, html.EscapeString(h.Line(i)), x, y, end-x, barHeight, x+5, y+16, html.EscapeString(label)))
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg role="img" aria-label="the operations in time" width="%d" height="%d" viewBox="0 0 %d %d">`, width, height, width, height)
	for n, t := range lanes {
		y := 5 + laneHeight*n
		fmt.Fprintf(&b, `<line x1="%d" x2="%d" y1="%d" y2="%d" class="lane"/><text x="0" y="%d" class="who">thread %d</text>`,
			laneHead, width, y+barHeight/2, y+barHeight/2, y+16, t)
	}
	b.WriteString(strings.Join(bars, ""))
	b.WriteString("</svg>")
	return template.HTML(b.String()) // every text in it is escaped above
}

// window picks the operations to draw of n: those up to the last offending one.
func window(n int, bad []int) (shown []int) {
	last := min(n-1, slices.Max(bad)+4)
	for i := max(0, last-drawMost+1); i <= last; i++ {
		shown = append(shown, i)
	}
	for _, i := range bad {
		if !slices.Contains(shown, i) {
			shown = append([]int{i}, shown...)
		}
	}
	slices.Sort(shown)
	return shown
}

// grid returns the stamps and the threads that occur, in order.
func grid(h *linearizability.History, shown []int) (columns []int64, lanes []int) {
	for _, i := range shown {
		o := &h.Ops[i]
		columns = append(columns, o.Call)
		if o.Return != linearizability.Never {
			columns = append(columns, o.Return)
		}
		lanes = append(lanes, o.Thread)
	}
	slices.Sort(columns)
	slices.Sort(lanes)
	return slices.Compact(columns), slices.Compact(lanes)
}

// short is an operation in few characters.
func short(o *model.Operation) string {
	what := o.Kind.String()
	switch len(o.Args) {
	case 0:
	case 1:
		what += fmt.Sprintf(" %d", o.Args[0])
	default:
		what += fmt.Sprintf(" %d..%d", o.Args[0], o.Args[len(o.Args)-1])
	}
	if o.Kind == model.Steal || o.Kind == model.Peek || o.Kind == model.Vacant {
		what += fmt.Sprintf(" t%d", o.On)
	}
	switch {
	case o.Return == linearizability.Never:
		return what + " ..."
	case o.Outcome == model.Stole:
		return fmt.Sprintf("%s: %d, last %d", what, o.N, o.Tasks[0])
	case o.Outcome == model.Took && len(o.Tasks) == 1:
		return fmt.Sprintf("%s: %d", what, o.Tasks[0])
	case o.Outcome == model.Took:
		return fmt.Sprintf("%s: %d..%d", what, o.Tasks[0], o.Tasks[len(o.Tasks)-1])
	case o.Outcome == model.Counted:
		return fmt.Sprintf("%s: %d", what, o.N)
	case o.Outcome == model.Done || o.Outcome == model.Kept:
		return what
	}
	return what + ": " + o.Outcome.String()
}
