package explore

import "github.com/filch-sched/filch/loom/internal/machine"

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
	No       int // from 1; 0: a thread that waits at the end, or an access that is no event
	Lane     int
	Thread   string
	First    bool // the event before it is another thread's
	What     string
	At       string // file and line
	File     string // with its directory
	Line     int
	Marked   bool // the claim is about it
	Waits    bool
	Reads    []int // those whose values it reads, by their places in the list, from 1
	After    []int // those that it synchronizes with
	Object   string
	Conflict []int // the other access of a race
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
	at := map[int]int{} // by event, the number of its row
	for i, r := range rows {
		at[r.event] = i + 1
		ev := DrawnEvent{
			Lane: lane[r.thread], Thread: machine.Name(r.thread), What: r.text, At: r.site,
			First: i == 0 || rows[i-1].thread != r.thread, Marked: r.marked,
		}
		site, t := e.drawn(i, &r)
		ev.File, ev.Line, ev.Waits = site.File, site.Line, t == nil
		if r.event >= 0 {
			ev.No = r.event + 1
		}
		if t != nil && (t.Effect.Object >= 0 || isCell(t)) {
			ev.Object = eventName(t)
		}
		d.Events = append(d.Events, ev)
	}
	for _, ed := range edges(e.Trace) {
		to := &d.Events[at[ed.to]-1]
		if ed.why == readsFrom {
			to.Reads = append(to.Reads, at[ed.from])
		} else {
			to.After = append(to.After, at[ed.from])
		}
	}
	if f := e.Failure; f != nil && f.Kind == machine.RaceFailure {
		d.race()
	}
	return d
}

// drawn returns where a row is in the source, and its event, nil if a thread waits.
func (e *Execution) drawn(i int, r *row) (machine.Site, *machine.Event) {
	switch {
	case r.event >= 0:
		return e.Trace[r.event].Site, &e.Trace[r.event]
	case i < len(e.Trace):
		return e.Failure.OtherSite, e.Failure.Gone
	}
	return e.Failure.Waits[i-len(e.Trace)].Site, nil
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
			if i != j {
				d.Events[i].Conflict = append(d.Events[i].Conflict, j+1)
			}
		}
	}
}
