package explore

import (
	"slices"

	"github.com/filch-sched/filch/loom/internal/machine"
)

// tooLong is the number of events from which on an execution is not
// straightened: the work grows with its square.
const tooLong = 2000

// straighten returns the schedule of an execution that does the same with fewer
// switches: the events that the failure does not depend on are left out, and the
// rest is ordered anew, each thread going on for as long as what it depends on
// has happened. Replaying tells whether it fails the same way.
func straighten(e Execution) Schedule {
	if len(e.Trace) > tooLong {
		return e.Schedule
	}
	before := dependencies(e.Trace)
	needed := causes(e, before)
	pending := make(map[int][]int) // by thread, its needed events in order
	for i := range e.Trace {
		if needed[i] {
			id := e.Trace[i].Thread
			pending[id] = append(pending[id], i)
		}
	}
	var s Schedule
	done := make([]bool, len(e.Trace))
	for len(pending) > 0 {
		id, run := longest(e.Trace, pending, before, done)
		if run == 0 {
			return e.Schedule // cannot be: the execution itself is an order
		}
		for _, i := range pending[id][:run] {
			done[i] = true
			s.add(&e.Trace[i])
		}
		if pending[id] = pending[id][run:]; len(pending[id]) == 0 {
			delete(pending, id)
		}
	}
	return s
}

// add appends an event to the schedule.
func (s *Schedule) add(ev *machine.Event) {
	if ev.Effect.Object >= 0 {
		s.step(ev.Thread)
	}
	if ev.Choice >= 0 {
		s.choose(ev.Thread, ev.Choice)
	}
}

// longest returns the thread that can do the most events in a row now, and how
// many; of equals, the lowest.
func longest(trace []machine.Event, pending map[int][]int, before [][]int, done []bool) (id, run int) {
	for t := range machine.MaxThreads {
		n := 0
		for _, i := range pending[t] {
			ready := !slices.ContainsFunc(before[i], func(j int) bool {
				return !done[j] && trace[j].Thread != t // its own come before it
			})
			if !ready {
				break
			}
			n++
		}
		if n > run {
			id, run = t, n
		}
	}
	return id, run
}

// dependencies returns, for each event, earlier ones that must come before it:
// the last of its thread, those whose effects conflict with its own, and those
// that made it possible.
func dependencies(trace []machine.Event) [][]int {
	before := make([][]int, len(trace))
	last := map[int]int{}    // by thread, its last event so far
	started := map[int]int{} // by thread, the event that started it
	for j := range trace {
		ev := &trace[j]
		if i, ok := last[ev.Thread]; ok {
			before[j] = append(before[j], i)
		} else if i, ok := started[ev.Thread]; ok {
			before[j] = append(before[j], i)
		}
		switch ev.Code {
		case machine.Start:
			started[ev.Other] = j
		case machine.Join, machine.Woken, machine.Yield:
			if i, ok := last[ev.Other]; ok {
				before[j] = append(before[j], i)
			}
		}
		if ev.Effect.Object >= 0 {
			for i := range trace[:j] {
				if trace[i].Effect.Object >= 0 && !trace[i].Effect.Independent(ev.Effect) {
					before[j] = append(before[j], i)
				}
			}
		}
		last[ev.Thread] = j
	}
	return before
}

// causes returns the events that the failure depends on: for a deadlock all,
// else the past of the threads that took part.
func causes(e Execution, before [][]int) []bool {
	needed := make([]bool, len(e.Trace))
	f := e.Failure
	part := func(id int) bool {
		return f.Kind == machine.DeadlockFailure || id == f.Thread ||
			f.Kind == machine.RaceFailure && id == f.Other
	}
	for j := len(e.Trace) - 1; j >= 0; j-- {
		if needed[j] = needed[j] || part(e.Trace[j].Thread); needed[j] {
			for _, i := range before[j] {
				needed[i] = true
			}
		}
	}
	return needed
}
