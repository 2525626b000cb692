package explore

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/filch-sched/filch/loom/internal/machine"
)

// Table draws an execution: a line for each event, with the place in the source
// and, in the column of its thread, the operation with what it read or wrote.
func Table(e Execution) string {
	columns := []int{} // threads with events, in order
	width := map[int]int{}
	sites := len("at")
	for i := range e.Trace {
		ev := &e.Trace[i]
		if _, seen := width[ev.Thread]; !seen {
			columns = append(columns, ev.Thread)
			width[ev.Thread] = len(machine.Name(ev.Thread))
		}
		width[ev.Thread] = max(width[ev.Thread], utf8.RuneCountInString(cell(ev)))
		sites = max(sites, len(ev.Site.String()))
	}
	slices.Sort(columns)
	var b strings.Builder
	line := func(no, site string, cell func(thread int) string) {
		row := fmt.Sprintf("%4s  %-*s", no, sites, site)
		for _, id := range columns {
			row += fmt.Sprintf("  %-*s", width[id], cell(id))
		}
		b.WriteString(strings.TrimRight(row, " ") + "\n")
	}
	line("#", "at", machine.Name)
	for i := range e.Trace {
		ev := &e.Trace[i]
		line(fmt.Sprint(i+1), ev.Site.String(), func(id int) string {
			if id == ev.Thread {
				return cell(ev)
			}
			return ""
		})
	}
	return b.String()
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
		s = fmt.Sprintf("cell#%d %v", ev.Other, ev.Code)
	case machine.Call, machine.Return, machine.Yield:
		s = ev.Code.String()
	default:
		s = fmt.Sprintf("%v#%d %v", ev.Kind, ev.Effect.Object, ev.Code)
	}
	if ev.Text != "" {
		s += " " + ev.Text
	}
	return s
}
