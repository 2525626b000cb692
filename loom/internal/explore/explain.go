package explore

import (
	"fmt"
	"regexp"

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
	if !same(e.Failure, &f) || f.Kind != machine.RaceFailure && (e.Failure.Thread != f.Thread || anyAddress(e.Failure.Message) != anyAddress(f.Message)) {
		return e, fmt.Errorf("loom: the body is not deterministic: an execution that ended with %q ends differently when it is run again; "+keeps,
			Describe(Execution{Failure: &f}))
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

const keeps = "it must keep nothing from one execution to the next: no package-level words or variables, no caches, no sync.Once made outside of it"

var addresses = regexp.MustCompile(`0x[0-9a-f]{6,}`)

// anyAddress returns a message without the addresses in it, which are others in
// each execution.
func anyAddress(message string) string { return addresses.ReplaceAllString(message, "0x") }

func better(a, b Schedule) bool {
	if a.Switches() != b.Switches() {
		return a.Switches() < b.Switches()
	}
	return len(a.Order) < len(b.Order)
}

func same(a, b *machine.Failure) bool {
	return a != nil && a.Kind == b.Kind && a.Claim == b.Claim && a.Livelock == b.Livelock
}
