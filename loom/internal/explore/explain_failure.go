package explore

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/filch-sched/filch/loom/internal/machine"
)

// Describe puts into words what an execution violates: in one line, and for a
// deadlock one more for each thread that waits.
func Describe(e Execution) string {
	f := e.Failure
	switch f.Kind {
	case machine.RaceFailure:
		if f.Message != "" {
			return f.Message
		}
		return fmt.Sprintf("%s by %s at %v and %s by %s at %v of %s are not ordered",
			access(f.OtherStore), machine.Name(f.Other), e.place(f.OtherSite), access(f.Store), machine.Name(f.Thread), e.place(f.Site), e.cellName(f.Cell))
	case machine.DeadlockFailure:
		lines := []string{"no thread can go on"}
		held := holds(e.Trace)
		for i := range f.Waits {
			lines = append(lines, "  "+e.waits(&f.Waits[i], held))
		}
		return strings.Join(lines, "\n")
	case machine.PanicFailure:
		return fmt.Sprintf("%s panicked at %v: %s", machine.Name(f.Thread), e.place(f.Site), f.Message)
	case machine.ClaimFailure:
		return fmt.Sprintf("%s\n  reported by %s at %v", f.Message, machine.Name(f.Thread), e.place(f.Site))
	}
	return f.Message
}

func access(store bool) string {
	if store {
		return "a store"
	}
	return "a load"
}

// waits says what a thread waits for and why that does not come.
func (e *Execution) waits(w *machine.Waiting, held map[int32][]hold) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s waits in %v", machine.Name(w.Thread), waitingIn(w.Code))
	if w.Joined >= 0 {
		fmt.Fprintf(&b, " of %s", machine.Name(w.Joined))
	}
	if w.Object >= 0 {
		fmt.Fprintf(&b, " of %s", e.objectName(w.Kind, w.Object))
	}
	fmt.Fprintf(&b, " at %v", e.place(w.Site))
	for i, l := range w.Looks {
		name := e.objectName(l.Kind, l.Object)
		if l.Kind == machine.Cells {
			name = cmp.Or(l.Name, e.cellName(int(l.Object)))
		}
		fmt.Fprintf(&b, "%s of %s (looked at in %v)", []string{" for a change", " or"}[min(i, 1)], name, e.place(l.Site))
	}
	switch w.Kind {
	case machine.Mutex, machine.RWMutex, machine.Once:
		b.WriteString(e.holders(w, held[w.Object]))
	case machine.Cond:
		b.WriteString(e.signals(w))
	case machine.WaitGroup:
		if i := e.lastOn(w.Object, machine.GroupAdd); i >= 0 {
			if _, count, ok := strings.Cut(e.Trace[i].Text, "= "); ok {
				b.WriteString(", which counts " + count)
			}
		}
	}
	return b.String()
}

// waitingIn is the call in which a thread waits.
func waitingIn(c machine.Code) machine.Code {
	if c == machine.Acquire {
		return machine.Lock
	}
	return c
}

// holders says who holds the lock that a thread waits for.
func (e *Execution) holders(w *machine.Waiting, list []hold) string {
	var words []string
	for _, h := range list {
		if !h.blocks(w) {
			continue
		}
		how := "held by"
		switch {
		case h.shared:
			how = "held for reading by"
		case w.Kind == machine.Once:
			how = "which is done by"
		}
		if h.thread == w.Thread {
			how += " itself"
		} else {
			how += " " + machine.Name(h.thread)
		}
		how += fmt.Sprintf(" since %v", e.place(e.Trace[h.event].Site))
		if e.ended(h.thread) {
			how += ", which has ended"
		}
		words = append(words, how)
	}
	if len(words) == 0 {
		return ""
	}
	return ", " + strings.Join(words, " and ")
}

// ended reports whether a thread has come to its end in a deadlock.
func (e *Execution) ended(thread int) bool {
	return !slices.ContainsFunc(e.Failure.Waits, func(w machine.Waiting) bool { return w.Thread == thread })
}

// signals says what became of the signals that could have woken a waiter.
func (e *Execution) signals(w *machine.Waiting) string {
	last := max(e.lastOn(w.Object, machine.Signal), e.lastOn(w.Object, machine.Broadcast))
	if last < 0 {
		return ", which nobody signals"
	}
	entered := -1
	for i := range e.Trace {
		if ev := &e.Trace[i]; ev.Code == machine.Wait && ev.Thread == w.Thread && ev.Effect.Object == w.Object {
			entered = i
		}
	}
	ev := &e.Trace[last]
	if last < entered {
		return fmt.Sprintf("; the last %v, by %s at %v, came before", ev.Code, machine.Name(ev.Thread), e.place(ev.Site))
	}
	return fmt.Sprintf("; the last %v, by %s at %v, %s", ev.Code, machine.Name(ev.Thread), e.place(ev.Site), strings.Replace(ev.Text, "wakes", "woke", 1))
}

// lastOn returns the last event of a kind on an object, -1 if there is none.
func (e *Execution) lastOn(object int32, code machine.Code) int {
	for i := len(e.Trace) - 1; i >= 0; i-- {
		if ev := &e.Trace[i]; ev.Code == code && ev.Effect.Object == object {
			return i
		}
	}
	return -1
}

// objectName returns what reports call an object.
func (e *Execution) objectName(kind machine.Kind, object int32) string {
	for i := range e.Trace {
		if ev := &e.Trace[i]; ev.Effect.Object == object && object >= 0 && ev.Name != "" {
			return ev.Name
		}
	}
	return fmt.Sprintf("%v#%d", kind, object)
}

// cellName returns what reports call a cell.
func (e *Execution) cellName(cell int) string {
	for i := range e.Trace {
		if ev := &e.Trace[i]; isCell(ev) && ev.Other == cell && ev.Name != "" {
			return ev.Name
		}
	}
	if f := e.Failure; f != nil && f.Gone != nil && f.Cell == cell && f.Gone.Name != "" {
		return f.Gone.Name
	}
	return fmt.Sprintf("%v#%d", machine.Cells, cell)
}

// nameOnce gives a variable that is used both by atomic operations and plainly one
// name, if that is the race: to the machine they are two objects.
func (e *Execution) nameOnce() {
	f := e.Failure
	if f == nil || f.Kind != machine.RaceFailure || f.Cell < 0 || e.Err != nil {
		return
	}
	sides := []*machine.Event{&e.Trace[f.At], f.Gone}
	if f.Gone == nil {
		sides[1] = &e.Trace[f.OtherAt]
	}
	for i, ev := range sides {
		if other := sides[1-i]; isCell(ev) && !isCell(other) {
			ev.Name = eventName(other)
		}
	}
}

func isCell(ev *machine.Event) bool {
	return ev.Code == machine.CellLoad || ev.Code == machine.CellStore
}
