package loom

import (
	"fmt"
	"strings"
	"time"

	"github.com/filch-sched/filch/loom/internal/explore"
)

// The claims of violations that nobody named.
const (
	ClaimDeadlock = "Deadlock"   // threads wait and none can go on
	ClaimLivelock = "Livelock"   // the same, and one of them waits in Yield
	ClaimPanic    = "Panic"      // a thread panicked
	ClaimRace     = "DataRace"   // two accesses to a cell, one a store, nothing between them
	ClaimFailed   = "TestPasses" // the test failed during an execution
)

// Report says what a run has seen, and how exhaustive it was.
type Report struct {
	Executions int // runs begun
	Traces     int // runs ended that no other run is equivalent to, deadlocked ones included
	Blocked    int // runs given up because their continuations were all known
	Deadlocks  int // runs that ended with threads waiting for ever
	Races      int // runs with a data race on a cell
	Failures   int // runs ended early by a panic, Failf or a failed test
	Steps      int // steps taken, all runs together
	MaxDepth   int // steps of the longest run; of a Graph, edges of the longest of the shortest paths
	Threads    int // most threads in a run, the body and timers included

	// Exhausted is true if every trace has been seen to its end. It is false when a
	// limit, a bound or the first violation stopped the search, always when runs are
	// sampled, and always in the ordinary build.
	Exhausted bool
	Algorithm string // what chose the runs; empty in the ordinary build
	Stopped   string // what ended the search before its end, if anything did
	Shard     int    // which share of the traces was searched, of how many; 0: all
	Shards    int
	Elsewhere int  // runs of traces that belong to other shares
	Bounded   bool // whether preemptions were bounded
	Bound     int  // and to how many in a run
	Cut       int  // how many ways to go on the bound has cut off, see Preemptions; 0: it does not matter

	// Preemptions is how many the execution has that is the first violation. If they
	// are bounded, none with fewer violates anything. The report of it may show
	// another execution, which is shorter.
	Preemptions int

	// Of a Graph: how many states there are and steps between them.
	States, Edges int

	// Of sampled runs: what they were drawn from, and how many of the traces
	// appeared only in the last tenth of them. The fewer, the less is left.
	Sampled bool
	Seed    uint64
	New     int

	// Events, of a replay and only then not 0, is how many rows the execution has:
	// its Steps, and what is none, such as go, Join and accesses to a cell.
	Events int

	// Estimate is how many traces there are, beyond the bound as well, if the
	// search did not see them all: of a share, so many in the share as there would
	// be if all were alike. It is zero if the search saw all, or stopped at a
	// violation, and if no guess can be made.
	Estimate Estimate
	Elapsed  time.Duration

	// Checkpoint is the file that the report comes from, if the search had come to
	// its end before and nothing was run; see the option of that name.
	Checkpoint string
}

// Estimate is a rough guess at how many traces a body has. Of bodies with a few
// hundred traces 19 of 20 have a number between Low and High, of larger ones 9 of
// 10; but if most traces are rare ones, all three are far too low.
type Estimate struct{ Traces, Low, High float64 }

// String returns the estimate in a few words.
func (e Estimate) String() string {
	return fmt.Sprintf("about %s traces (%s to %s)", explore.Roughly(e.Traces), explore.Roughly(e.Low), explore.Roughly(e.High))
}

// String returns the report in one line, which begins with how exhaustive the
// run was.
func (r Report) String() string {
	if r.Events > 0 {
		return fmt.Sprintf("one execution, replayed: %s, %d of them steps, %s", explore.Count(r.Events, "row"), r.Steps, explore.Count(r.Threads, "thread"))
	}
	var b strings.Builder
	b.WriteString(r.extent())
	if r.States > 0 {
		fmt.Fprintf(&b, ": %d states, %d edges, depth %d; %d executions, %d steps, %d threads", r.States, r.Edges, r.MaxDepth, r.Executions, r.Steps, r.Threads)
		return b.String()
	}
	if r.Sampled {
		fmt.Fprintf(&b, ": %s, seed %d: %s, %d of them new in the last tenth", explore.Count(r.Executions, "run"), r.Seed, explore.Count(r.Traces, "different trace"), r.New)
	} else {
		fmt.Fprintf(&b, ": %s in %s (%d blocked)", explore.Count(r.Traces, "trace"), explore.Count(r.Executions, "execution"), r.Blocked)
		if r.Elsewhere > 0 {
			fmt.Fprintf(&b, ", %d of other shares", r.Elsewhere)
		}
	}
	fmt.Fprintf(&b, ", %s, depth %d, %s", explore.Count(r.Steps, "step"), r.MaxDepth, explore.Count(r.Threads, "thread"))
	for _, n := range []struct {
		count int
		what  string
	}{{r.Deadlocks, "deadlocked"}, {r.Races, "racing"}, {r.Failures, "failed"}} {
		if n.count > 0 {
			fmt.Fprintf(&b, ", %d %s", n.count, n.what)
		}
	}
	if e := r.Estimate; e.Traces > 0 {
		of := "in all"
		if r.Shards > 0 {
			of = "in the share"
		}
		fmt.Fprintf(&b, "; a rough guess: %v %s, %s seen", e, of, explore.Percent(float64(r.Traces)/e.Traces))
	}
	return b.String()
}

// silent reports whether there were threads, none of which took a step: what they
// share, if anything, is not where it can be seen.
func (r Report) silent() bool { return r.Exhausted && r.Threads > 1 && r.Steps == 0 && r.States == 0 }

// extent says how exhaustive the run was.
func (r Report) extent() string {
	how := "not exhausted"
	switch {
	case r.Sampled:
		how = "sampled by " + r.Algorithm
	case r.silent():
		how = fmt.Sprintf("exhausted, no step of %d threads seen", r.Threads)
	case r.Exhausted:
		how = "exhausted"
	}
	if r.Shards > 0 {
		how += fmt.Sprintf(" (share %d of %d)", r.Shard, r.Shards)
	}
	if r.Checkpoint != "" {
		how += ", from checkpoint " + r.Checkpoint
	}
	if r.Stopped != "" {
		how += ", stopped by " + r.Stopped
	}
	switch {
	case !r.Bounded:
	case r.Exhausted:
		how += fmt.Sprintf(" (a bound of %s cuts nothing off)", explore.Count(r.Bound, "preemption"))
	case r.Cut > 0:
		how += fmt.Sprintf(", which cuts off %s to go on", explore.Count(r.Cut, "way"))
	case r.Failures+r.Races+r.Deadlocks > 0:
		how += fmt.Sprintf(", with %s (none with fewer)", explore.Count(r.Preemptions, "preemption"))
	}
	return how
}

// Violation is an execution that breaks a claim. Explore returns it as an
// error.
type Violation struct {
	Claim    string // the claim, e.g. "NoLostTask"
	Message  string // what went wrong, in one sentence or a few lines
	Schedule string // the execution, one line a step; empty in the ordinary build
	Token    string // what Replay takes; empty in the ordinary build
	Data     []byte // what [Bytes] takes for it; nil if there is nothing
	Command  string // the command that runs this execution again; may be empty
	Page     string // the file that draws it, if asked for; see [Page]

	notDrawn string // why it is not there
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
	switch {
	case v.Page != "":
		fmt.Fprintf(&b, "page: %s\n", v.Page)
	case v.notDrawn != "":
		fmt.Fprintf(&b, "page: not written: %s\n", v.notDrawn)
	}
	return b.String()
}
