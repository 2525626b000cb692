package loom

import (
	"fmt"
	"strings"
	"time"
)

// The claims of violations that nobody named.
const (
	ClaimDeadlock = "Deadlock"   // threads wait and none can go on
	ClaimPanic    = "Panic"      // a thread panicked
	ClaimRace     = "NoSlotRace" // two accesses to a cell, one a store, nothing between them
	ClaimFailed   = "Failed"     // the test failed during an execution
)

// Report says what a run has seen.
type Report struct {
	Executions int // runs begun
	Traces     int // runs ended that no other run is equivalent to, deadlocked ones included
	Blocked    int // runs given up because their continuations were all known
	Deadlocks  int // runs that ended with threads waiting for ever
	Races      int // runs with a data race on a cell
	Failures   int // runs ended early by a panic, Failf or a failed test
	Steps      int // steps taken, all runs together
	MaxDepth   int // steps of the longest run
	Threads    int // most threads in a run, the body and timers included

	// Exhausted is true if every trace has been seen to its end. It is false
	// when a limit or the first violation stopped the search, and always in the
	// ordinary build.
	Exhausted bool
	Elapsed   time.Duration
}

// String returns the report in one line.
func (r Report) String() string {
	var b strings.Builder
	how := "not exhausted"
	if r.Exhausted {
		how = "exhausted"
	}
	fmt.Fprintf(&b, "%s: %d traces in %d executions (%d blocked), %d steps, depth %d, %d threads",
		how, r.Traces, r.Executions, r.Blocked, r.Steps, r.MaxDepth, r.Threads)
	for _, n := range []struct {
		count int
		what  string
	}{{r.Deadlocks, "deadlocked"}, {r.Races, "racing"}, {r.Failures, "failed"}} {
		if n.count > 0 {
			fmt.Fprintf(&b, ", %d %s", n.count, n.what)
		}
	}
	return b.String()
}

// Violation is an execution that breaks a claim. Explore returns it as an
// error.
type Violation struct {
	Claim    string // the claim, e.g. "NoLostTask"
	Message  string // what went wrong, in one sentence or a few lines
	Schedule string // the execution, one line a step; empty in the ordinary build
	Token    string // what Replay takes; empty in the ordinary build
	Command  string // the command that runs this execution again; may be empty
}

// Error returns the whole report: claim, message, schedule and the replay
// command.
func (v *Violation) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "loom: %s violated: %s\n", v.Claim, v.Message)
	if v.Schedule != "" {
		b.WriteString("\n" + v.Schedule + "\n")
	}
	if v.Command != "" {
		fmt.Fprintf(&b, "replay: %s\n", v.Command)
	} else if v.Token != "" {
		fmt.Fprintf(&b, "replay: loom.Replay(%q)\n", v.Token)
	}
	return b.String()
}
