package explore

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/filch-sched/filch/loom/internal/machine"
)

// widest is how many characters a table with a column for each thread may be
// wide.
const widest = 120

// row is a line of a table.
type row struct {
	no, site string
	thread   int
	text     string
	marked   bool // the claim is about it
	event    int  // its place in the trace, -1 if it is not there
}

// Table draws an execution: a line for each event, with the place in the source
// and, in the column of its thread, the operation with what it read or wrote; in
// a deadlock one more for each thread that waits. If there is not enough room for
// the columns, they are narrow and only show who it was.
func Table(e Execution) string {
	rows, threads := e.rows()
	width, sites, total := measure(rows, threads)
	if total > widest {
		// Rather columns without the places of calls than no columns.
		less := e
		less.helpers = nil
		bare, _ := less.rows()
		if w, s, total := measure(bare, threads); total <= widest {
			rows, width, sites = bare, w, s
		} else {
			width = nil
		}
	}
	var b strings.Builder
	if width == nil {
		lanes(&b, rows, threads, sites)
	} else {
		columns(&b, rows, threads, width, sites)
	}
	b.WriteString("\n" + legend(e, rows, width == nil) + "\n")
	return b.String()
}

// measure returns how wide the columns of the threads, that of the places and the
// whole table are.
func measure(rows []row, threads []int) (width map[int]int, sites, total int) {
	width, sites = map[int]int{}, len("at")
	for _, id := range threads {
		width[id] = len(machine.Name(id))
	}
	for _, r := range rows {
		width[r.thread] = max(width[r.thread], utf8.RuneCountInString(r.text))
		sites = max(sites, len(r.site))
	}
	total = 6 + sites
	for _, id := range threads {
		total += 2 + width[id]
	}
	return width, sites, total
}

// rows returns the lines of the table and the threads that are in it, in order.
func (e *Execution) rows() (rows []row, threads []int) {
	marked, f := e.marked(), e.Failure
	for i := range e.Trace {
		if f != nil && f.Gone != nil && f.OtherAt == i {
			rows = append(rows, row{"-", e.place(f.OtherSite), f.Other, cell(f.Gone), true, -1})
		}
		ev := &e.Trace[i]
		rows = append(rows, row{fmt.Sprint(i + 1), e.place(ev.Site), ev.Thread, cell(ev), marked[i], i})
	}
	if f != nil && f.Kind == machine.DeadlockFailure {
		for _, w := range f.Waits {
			rows = append(rows, row{"-", e.place(w.Site), w.Thread, e.waitsIn(&w), false, -1})
		}
	}
	for _, r := range rows {
		if !slices.Contains(threads, r.thread) {
			threads = append(threads, r.thread)
		}
	}
	slices.Sort(threads)
	return rows, threads
}

// waitsIn is what the table shows for a thread that waits at the end.
func (e *Execution) waitsIn(w *machine.Waiting) string {
	switch {
	case w.Joined >= 0:
		return fmt.Sprintf("waits in %v %s", w.Code, machine.Name(w.Joined))
	case w.Object >= 0:
		return fmt.Sprintf("waits in %s %v", e.objectName(w.Kind, w.Object), waitingIn(w.Code))
	}
	return fmt.Sprintf("waits in %v", w.Code)
}

// marked returns the events that the failure is about: the accesses that race,
// or those that took what others wait for.
func (e *Execution) marked() map[int]bool {
	marks := map[int]bool{}
	switch f := e.Failure; {
	case f == nil:
	case f.Kind == machine.RaceFailure:
		marks[f.At] = true
		marks[f.OtherAt] = marks[f.OtherAt] || f.Gone == nil
	case f.Kind == machine.DeadlockFailure:
		held := holds(e.Trace)
		for _, w := range f.Waits {
			for _, h := range held[w.Object] {
				if h.blocks(&w) {
					marks[h.event] = true
				}
			}
		}
	}
	return marks
}

// columns writes the rows with a column for each thread.
func columns(b *strings.Builder, rows []row, threads []int, width map[int]int, sites int) {
	line := func(no, site string, cell func(thread int) string) {
		text := fmt.Sprintf("%4s  %-*s", no, sites, site)
		for _, id := range threads {
			text += fmt.Sprintf("  %-*s", width[id], cell(id))
		}
		b.WriteString(strings.TrimRight(text, " ") + "\n")
	}
	line("#", "at", machine.Name)
	for _, r := range rows {
		line(r.number(), r.site, func(id int) string {
			if id == r.thread {
				return r.text
			}
			return ""
		})
	}
}

// lanes writes the rows with a narrow column for each thread, in which a star
// says who it was.
func lanes(b *strings.Builder, rows []row, threads []int, sites int) {
	line := func(no, site string, lane func(thread int) string, text string) {
		head := fmt.Sprintf("%4s  %-*s  ", no, sites, site)
		for _, id := range threads {
			head += fmt.Sprintf("%-*s ", len(fmt.Sprint(id)), lane(id))
		}
		b.WriteString(strings.TrimRight(head+" "+text, " ") + "\n")
	}
	line("#", "at", func(id int) string { return fmt.Sprint(id) }, "0 is the body")
	last := -1
	for _, r := range rows {
		text := "  " + r.text
		if r.thread != last {
			text, last = machine.Name(r.thread)+": "+r.text, r.thread
		}
		line(r.number(), r.site, func(id int) string {
			if id == r.thread {
				return "*"
			}
			return "|"
		}, text)
	}
}

// number is the number of the row, with a mark if the claim is about it.
func (r *row) number() string {
	if r.marked {
		return fmt.Sprintf(">%3s", r.no)
	}
	return r.no
}

// legend explains what is not plain in a table.
func legend(e Execution, rows []row, narrow bool) string {
	words := []string{"each step in the column of its thread, with what it wrote, and after = what it got"}
	if narrow {
		words[0] = "* is in the column of the thread whose step it is, named when it changes; then what the step wrote, and after = what it got"
	}
	has := func(match func(r *row) bool) bool {
		return slices.ContainsFunc(rows, func(r row) bool { return match(&r) })
	}
	if has(func(r *row) bool { return strings.Contains(r.text, "#") }) {
		words = append(words, "#0 is the first object used")
	}
	if slices.ContainsFunc(e.Trace, func(ev machine.Event) bool { return ev.Kind == machine.Pointer && ev.Effect.Object >= 0 }) {
		words = append(words, "p1 the first pointer seen")
	}
	if has(func(r *row) bool { return strings.Contains(r.site, " < ") }) {
		words = append(words, "< the call of what is a helper")
	}
	if has(func(r *row) bool { return r.marked }) {
		switch {
		case e.Failure.Kind != machine.RaceFailure:
			words = append(words, "> took what others wait for")
		case e.Failure.Cell < 0:
			words = append(words, "> are the calls that are not ordered")
		default:
			words = append(words, "> are the accesses that race")
		}
	}
	return strings.Join(words, "; ")
}

// cell is what the table shows for an event.
func cell(ev *machine.Event) string {
	var s string
	switch ev.Code {
	case machine.Start:
		return "go " + machine.Name(ev.Other)
	case machine.Join:
		return "Join " + machine.Name(ev.Other)
	case machine.Woken:
		return "woken by " + machine.Name(ev.Other)
	case machine.Unsignalled:
		return "Wait " + []string{"for a signal", "that none ends"}[ev.Choice]
	case machine.Choose:
		return fmt.Sprintf("Choose = %d", ev.Choice)
	case machine.CellLoad, machine.CellStore:
		s = fmt.Sprintf("%s %v", eventName(ev), ev.Code)
	case machine.Call, machine.Return, machine.Yield:
		s = ev.Code.String()
	default:
		s = fmt.Sprintf("%s %v", eventName(ev), ev.Code)
	}
	if ev.Text != "" {
		s += " " + ev.Text
	}
	return s
}

// eventName is what reports call the object of an event.
func eventName(ev *machine.Event) string {
	switch {
	case ev.Name != "":
		return ev.Name
	case isCell(ev):
		return fmt.Sprintf("%v#%d", machine.Cells, ev.Other)
	}
	return fmt.Sprintf("%v#%d", ev.Kind, ev.Effect.Object)
}
