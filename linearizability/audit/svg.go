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
	columnWide = 24
	barGap     = 4
	barHeight  = 24
	charWide   = 6.6
)

// drawMost is how many operations are drawn before the last offending one,
// itself included, and besides those that offend with it.
const drawMost = 12

// drawing draws the operations before the offending ones: a lane for each
// thread, a bar from call to return. Columns are the stamps that occur, so that
// the drawing shows order and overlap, not durations. The names of the lanes
// are apart, so that they stay when the bars are scrolled.
func drawing(f *finding) template.HTML {
	h := f.History
	shown := window(len(h.Ops), f.Ops)
	columns, lanes := grid(h, shown)
	edges := spread(h, shown, columns)
	var bars strings.Builder
	for _, i := range shown {
		o := &h.Ops[i]
		from, to := span(h, i, columns)
		x, wide := edges[from], edges[to+1]-edges[from]-barGap
		class := "op"
		switch {
		case slices.Contains(f.Ops, i):
			class = "op bad"
		case i < h.Setup:
			class = "op setup"
		}
		y := 5 + laneHeight*slices.Index(lanes, o.Thread)
		fmt.Fprintf(&bars, `<g class="%s"><title>%s</title><rect x="%d" y="%d" width="%d" height="%d" rx="4"/><text x="%d" y="%d">%s</text></g>`,
			class, html.EscapeString(h.Line(i)), x, y, wide, barHeight, x+6, y+16, html.EscapeString(short(o)))
	}
	width, height := edges[len(edges)-1]+barGap, laneHeight*len(lanes)+10
	var names, b strings.Builder
	open := `<svg role="img" aria-label="%s" width="%d" height="%d" viewBox="0 0 %[2]d %[3]d">`
	fmt.Fprintf(&names, open, "the threads", laneHead, height)
	fmt.Fprintf(&b, open, "the operations in time", width, height)
	for n, t := range lanes {
		y := 5 + laneHeight*n
		fmt.Fprintf(&names, `<text x="0" y="%d" class="who">thread %d</text>`, y+16, t)
		fmt.Fprintf(&b, `<line x1="0" x2="%d" y1="%d" y2="%d" class="lane"/>`, width, y+barHeight/2, y+barHeight/2)
	}
	b.WriteString(bars.String())
	b.WriteString("</svg>")
	return template.HTML(`<div class="drawing">` + names.String() + `</svg><div class="scroll">` + b.String() + `</div></div>`) // every text in it is escaped above
}

// span is the first and the last column of a bar. What only builds the state at
// the beginning is all in one.
func span(h *linearizability.History, i int, columns []int64) (from, to int) {
	from, to = slices.Index(columns, began(h, i)), len(columns)-1
	switch {
	case i < h.Setup:
		to = from
	case h.Ops[i].Return != linearizability.Never:
		to = slices.Index(columns, h.Ops[i].Return)
	}
	return from, to
}

// began is the stamp that operation i is drawn from.
func began(h *linearizability.History, i int) int64 {
	if i < h.Setup {
		return h.Ops[0].Call
	}
	return h.Ops[i].Call
}

// spread places the columns such that every bar is as wide as its words: column
// c is from the edge c to the next.
func spread(h *linearizability.History, shown []int, columns []int64) (edges []int) {
	wide := make([]int, len(columns))
	for c := range wide {
		wide[c] = columnWide
	}
	order := slices.Clone(shown)
	slices.SortStableFunc(order, func(a, b int) int {
		_, x := span(h, a, columns)
		_, y := span(h, b, columns)
		return x - y
	})
	for _, i := range order {
		from, to := span(h, i, columns)
		has := 0
		for _, w := range wide[from : to+1] {
			has += w
		}
		wide[to] += max(0, int(charWide*float64(len(short(&h.Ops[i]))))+12+barGap-has)
	}
	edges = []int{0}
	for c, w := range wide {
		edges = append(edges, edges[c]+w)
	}
	return edges
}

// window picks the operations to draw of n: those up to the last offending one.
func window(n int, bad []int) (shown []int) {
	last := min(n-1, slices.Max(bad))
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

// drawn says which operations the drawing has.
func drawn(f *finding) string {
	all, shown := len(f.History.Ops), window(len(f.History.Ops), f.Ops)
	said := ""
	if len(shown) < all {
		said = fmt.Sprintf(" Drawn are %d of %s: the last up to the offending ones.", len(shown), operations(int64(all)))
	}
	pale := 0
	for _, i := range shown {
		if i < f.History.Setup && !slices.Contains(f.Ops, i) {
			pale++
		}
	}
	switch pale {
	case 0:
		return said
	case 1:
		return said + " The pale operation at the left was not recorded: it builds the state that there was."
	}
	return said + fmt.Sprintf(" The %d pale operations at the left were not recorded: they build the state that there was.", pale)
}

// grid returns the stamps and the threads that occur, in order.
func grid(h *linearizability.History, shown []int) (columns []int64, lanes []int) {
	for _, i := range shown {
		o := &h.Ops[i]
		columns = append(columns, began(h, i))
		if i >= h.Setup && o.Return != linearizability.Never {
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
