package explore

import (
	"strings"

	"github.com/filch-sched/filch/loom/internal/machine"
)

// relation says why one event of an execution comes before another one.
type relation string

// The relations that reports show, besides the order of each thread.
const (
	readsFrom    relation = "reads from"   // the value that the other wrote; synchronizes, too
	synchronizes relation = "synchronizes" // what the other did has happened before
)

// edge is a relation of an event to an earlier one, by their places in the trace.
type edge struct {
	from, to int
	why      relation
}

// edges returns what the events of a trace read from and synchronize with.
func edges(trace []machine.Event) []edge {
	var list []edge
	o := newObserved()
	for i := range trace {
		ev := &trace[i]
		add := func(from int, why relation) {
			if from >= 0 && trace[from].Thread != ev.Thread {
				list = append(list, edge{from, i, why})
			}
		}
		o.before(trace, i, add)
		o.note(ev, i)
	}
	return list
}

// observed is what has happened so far, by the places of events.
type observed struct {
	last     map[int]int     // by thread, its last event
	started  map[int]int     // by thread, the event that started it
	written  map[int32]int   // by word, its last write
	released map[int32]int   // by lock, the last time that it was given back, or the end of the function of a Once
	shared   map[int32][]int // by lock, the read locks given back since; by group, what was taken from its counter
	woke     map[int]int     // by thread, the last signal or broadcast that it has made
	changed  map[int]int     // by thread, its last step
}

func newObserved() *observed {
	return &observed{last: map[int]int{}, started: map[int]int{}, written: map[int32]int{},
		released: map[int32]int{}, shared: map[int32][]int{}, woke: map[int]int{}, changed: map[int]int{}}
}

func place(m map[int]int, key int) int {
	if i, ok := m[key]; ok {
		return i
	}
	return -1
}

// before calls add for each event that event i depends on.
func (o *observed) before(trace []machine.Event, i int, add func(int, relation)) {
	ev := &trace[i]
	if _, seen := o.last[ev.Thread]; !seen {
		add(place(o.started, ev.Thread), synchronizes)
	}
	switch ev.Code {
	case machine.Join:
		add(place(o.last, ev.Other), synchronizes)
	case machine.Woken:
		add(place(o.woke, ev.Other), synchronizes)
	case machine.Yield:
		if ev.Other >= 0 {
			add(place(o.changed, ev.Other), synchronizes)
		}
	case machine.Load, machine.Swap, machine.Add, machine.And, machine.Or, machine.CompareAndSwap:
		if w, ok := o.written[ev.Effect.Object]; ok {
			add(w, readsFrom)
		}
	case machine.Lock, machine.Acquire, machine.GroupWait, machine.OnceEnter, machine.RLock, machine.TryLock, machine.TryRLock:
		o.lock(ev, add)
	}
}

// lock calls add for what ev, which takes a lock or waits for others, has waited
// for.
func (o *observed) lock(ev *machine.Event, add func(int, relation)) {
	if try := ev.Code == machine.TryLock || ev.Code == machine.TryRLock; try && !took(ev) {
		return
	}
	if r, ok := o.released[ev.Effect.Object]; ok {
		add(r, synchronizes)
	}
	if ev.Code == machine.RLock || ev.Code == machine.TryRLock {
		return
	}
	for _, r := range o.shared[ev.Effect.Object] {
		add(r, synchronizes)
	}
}

// took reports whether an attempt to lock has succeeded.
func took(ev *machine.Event) bool {
	switch ev.Code {
	case machine.Lock, machine.RLock:
		return true
	case machine.TryLock:
		return ev.Effect.Mode == machine.Write
	case machine.TryRLock:
		return ev.Effect.Mode == machine.Sharing
	}
	return false
}

// note books event i.
func (o *observed) note(ev *machine.Event, i int) {
	o.last[ev.Thread] = i
	object := ev.Effect.Object
	if object >= 0 {
		o.changed[ev.Thread] = i
	}
	switch ev.Code {
	case machine.Start:
		o.started[ev.Other] = i
	case machine.Store, machine.Swap, machine.Add, machine.And, machine.Or:
		o.written[object] = i
	case machine.CompareAndSwap:
		if ev.Effect.Mode == machine.Write {
			o.written[object] = i
		}
	case machine.Unlock, machine.OnceDone:
		o.released[object] = i
		delete(o.shared, object)
	case machine.RUnlock:
		o.shared[object] = append(o.shared[object], i)
	case machine.GroupAdd:
		if strings.HasPrefix(ev.Text, "-") {
			o.shared[object] = append(o.shared[object], i)
		}
	case machine.Signal, machine.Broadcast:
		o.woke[ev.Thread] = i
	}
}
