// Package hook is what source calls that "go tool loom" has rewritten. Nobody
// else should: see the command loom/cmd/loom.
package hook

import (
	"time"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/internal/machine"
)

// Go stands in for a go statement: in an exploration f is a thread of it.
func Go(f func()) {
	if t := machine.Current(); t != nil {
		t.Go(f)
		return
	}
	machine.Stranger()
	go f()
}

// moment is what Now returns in an exploration.
var moment = time.Unix(1_000_000_000, 0)

// Now stands in for time.Now: in an exploration time stands still.
func Now() time.Time {
	if machine.Current() != nil {
		return moment
	}
	return time.Now()
}

// Since stands in for time.Since.
func Since(t time.Time) time.Duration { return Now().Sub(t) }

// Until stands in for time.Until.
func Until(t time.Time) time.Duration { return t.Sub(Now()) }

// fail ends the running execution because the test has failed.
func fail(message string) { loom.Failf(loom.ClaimFailed, "%s", message) }
