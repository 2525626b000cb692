package explore

import (
	"slices"

	"github.com/filch-sched/filch/loom/internal/machine"
)

// Drawing is an execution in the form in which a page draws it.
type Drawing struct {
	Threads  []DrawnThread
	Events   []DrawnEvent
	Switches int
	Steps    int
}

// DrawnThread is a thread with its place among those that are drawn.
type DrawnThread struct {
	ID, Lane int
	Name     string
}

// DrawnEvent is an event, or a thread that waits at the end.
type DrawnEvent struct {
	No       int // from 1; 0: a thread that waits at the end
	Lane     int
	Thread   string
	First    bool // the event before it is another thread's
	What     string
	At       string // file and line
	File     string // with its directory
	Line     int
	Marked   bool // the claim is about it
	Waits    bool
	Reads    []int // numbers of events whose values it reads
	After    []int // numbers of events that it synchronizes with
	Object   string
	Conflict []int // numbers of the other events of a race
}

// Draw returns what is to be drawn of an execution.
func Draw(e Execution) Drawing {
	rows, threads := e.rows()
	d := Drawing{Switches: e.Schedule.Switches(), Steps: len(e.Schedule.Order)}
	lane := map[int]int{}
	for i, id := range threads {
		lane[id] = i
		d.Threads = append(d.Threads, DrawnThread{id, i, machine.Name(id)})
	}
	for i, r := range rows {
		ev := DrawnEvent{
			Lane: lane[r.thread], Thread: machine.Name(r.thread), What: r.text, At: r.site,
			First: i == 0 || rows[i-1].thread != r.thread, Marked: r.marked, Waits: i >= len(e.Trace),
		}
		if !ev.Waits {
			site := e.Trace[i].Site
			ev.No, ev.File, ev.Line = i+1, site.File, site.Line
			if t := &e.Trace[i]; t.Effect.Object >= 0 || isCell(t) {
				ev.Object = eventName(t)
			}
		} else if w := e.Failure.Waits[i-len(e.Trace)]; true {
			ev.File, ev.Line = w.Site.File, w.Site.Line
		}
		d.Events = append(d.Events, ev)
	}
	for _, ed := range edges(e.Trace) {
		to := &d.Events[ed.to]
		if ed.why == readsFrom {
			to.Reads = append(to.Reads, ed.from+1)
		} else {
			to.After = append(to.After, ed.from+1)
		}
	}
	if f := e.Failure; f != nil && f.Kind == machine.RaceFailure {
		d.race()
	}
	return d
}

// race says of each of the marked events which are the others.
func (d *Drawing) race() {
	var marked []int
	for i := range d.Events {
		if d.Events[i].Marked {
			marked = append(marked, i)
		}
	}
	for _, i := range marked {
		for _, j := range marked {
			if i != j && !slices.Contains(d.Events[i].Conflict, d.Events[j].No) {
				d.Events[i].Conflict = append(d.Events[i].Conflict, d.Events[j].No)
			}
		}
	}
}
