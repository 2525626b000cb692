package explore

import (
	"fmt"

	"github.com/filch-sched/filch/loom/internal/machine"
)

// Explain runs the execution of schedule s, which ended in failure f, once more,
// looks for a short execution that ends in the same way, and returns that one,
// recorded.
func Explain(body func(), f machine.Failure, s Schedule, opts Options) (Execution, error) {
	e := Replay(body, s, opts)
	if e.Err != nil {
		return e, e.Err
	}
	if f.Kind == machine.ExitFailure {
		// The program told somebody else. Running it again could not tell
		// whether it would have failed.
		e.Failure = &f
		return e, nil
	}
	if !same(e.Failure, &f) {
		return e, fmt.Errorf("loom: the body is not deterministic: an execution that ended with %q ends differently when it is run again",
			Describe(&f))
	}
	// Reordering what commutes is cheap, and bounds what is to be tried next.
	if short := Replay(body, straighten(e), opts); short.Err == nil && same(short.Failure, &f) && better(short.Schedule, e.Schedule) {
		e = short
	}
	short, exact := minimise(body, &f, e.Schedule, opts)
	if !exact {
		short = merge(body, &f, short, opts)
	}
	if again := Replay(body, short, opts); again.Err == nil && same(again.Failure, &f) {
		e = again
	}
	return e, nil
}

func better(a, b Schedule) bool {
	if a.Switches() != b.Switches() {
		return a.Switches() < b.Switches()
	}
	return len(a.Order) < len(b.Order)
}

func same(a, b *machine.Failure) bool {
	return a != nil && a.Kind == b.Kind && a.Claim == b.Claim
}

// Describe puts a failure into a sentence.
func Describe(f *machine.Failure) string {
	switch f.Kind {
	case machine.RaceFailure:
		if f.Message != "" {
			return f.Message
		}
		return fmt.Sprintf("%s by %s at %v and %s by %s at %v of cell #%d are not ordered",
			access(f.OtherStore), machine.Name(f.Other), f.OtherSite, access(f.Store), machine.Name(f.Thread), f.Site, f.Cell)
	case machine.DeadlockFailure:
		text := "no thread can go on"
		for _, w := range f.Waits {
			text += "\n  " + machine.Name(w.Thread) + " waits in " + w.Code.String()
			if w.Object >= 0 {
				text += fmt.Sprintf(" of %v #%d", w.Kind, w.Object)
			}
			text += fmt.Sprintf(" at %v", w.Site)
			for i, l := range w.Looks {
				text += fmt.Sprintf("%s %v#%d, looked at in %v", []string{" for a change of", ","}[min(i, 1)], l.Kind, l.Object, l.Site)
			}
			if w.Holder >= 0 {
				text += ", held by " + machine.Name(w.Holder)
			}
		}
		return text
	case machine.PanicFailure:
		return fmt.Sprintf("%s panicked at %v: %s", machine.Name(f.Thread), f.Site, f.Message)
	case machine.ClaimFailure:
		return fmt.Sprintf("%s\n  reported by %s at %v", f.Message, machine.Name(f.Thread), f.Site)
	}
	return f.Message
}

func access(store bool) string {
	if store {
		return "a store"
	}
	return "a load"
}
