//go:build loom

package loom

import (
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/filch-sched/filch/loom/internal/explore"
	"github.com/filch-sched/filch/loom/internal/machine"
)

// parseToken takes a replay token apart: whose exploration it is of, in the form
// that tag gives, and the schedule.
func parseToken(token string) (tag string, s explore.Schedule, err error) {
	tag, schedule, ok := strings.Cut(token, ".")
	n, bad := strconv.ParseUint(tag, 36, 32)
	if !ok || bad != nil || strconv.FormatUint(n, 36) != tag {
		return "", s, fmt.Errorf("loom: %q is not a replay token", token)
	}
	schedule, cycle, _ := strings.Cut(schedule, round) // of a Graph
	if _, err = explore.ParseToken(cycle); err != nil {
		return "", s, fmt.Errorf("loom: %q is not a replay token: %w", token, err)
	}
	if s, err = explore.ParseToken(schedule); err != nil {
		return "", s, fmt.Errorf("loom: %q is not a replay token: %w", token, err)
	}
	return tag, s, nil
}

// replay runs the execution that c.replay describes and returns its violation.
func replay(body func(), c *config) (Report, error) {
	_, s, err := parseToken(c.replay)
	if err != nil {
		return Report{}, err
	}
	e := explore.ReplayAloud(body, s, c.options(), c.aloud())
	if e.Err != nil {
		return Report{}, e.Err
	}
	r := Report{Executions: 1, Steps: len(e.Schedule.Order), MaxDepth: len(e.Schedule.Order), Threads: e.Threads, Events: len(e.Trace)}
	if e.Failure == nil && c.failed != nil && c.failed() {
		e.Failure = &machine.Failure{Kind: machine.ExitFailure, Thread: -1, Message: "the test failed during this execution"}
	}
	if e.Failure == nil {
		return r, fmt.Errorf("loom: the execution of %s=%s violates nothing; if it once did, the code has changed since:\n%s", replayVariable, c.replay, explore.Table(e))
	}
	return r, c.violation(e)
}

// aloud returns what prints the steps of a replay while it runs, under -v, so that
// what the body prints is seen to come between them; else nil.
func (c *config) aloud() func(no int, ev *machine.Event) {
	if v := flag.Lookup("test.v"); v == nil || v.Value.String() == "false" {
		return nil
	}
	var out io.Writer = os.Stdout
	if c.out != nil {
		out = c.out()
	}
	return func(no int, ev *machine.Event) { fmt.Fprintf(out, "%4d  %s\n", no, explore.Line(ev)) }
}

// violation puts an execution that failed into words.
func (c *config) violation(e explore.Execution) *Violation {
	f := e.Failure
	v := &Violation{
		Message:  explore.Describe(e),
		Schedule: explore.Table(e),
		Token:    c.tag() + "." + e.Schedule.Token(),
	}
	v.Command = c.command(v.Token)
	if c.rewrite != nil {
		v.Command = c.rewrite(v.Token, v.Command)
	}
	switch f.Kind {
	case machine.ClaimFailure:
		v.Claim = f.Claim
	case machine.RaceFailure:
		v.Claim = c.race
	case machine.DeadlockFailure:
		v.Claim = c.deadlock
		if f.Livelock {
			v.Claim = c.livelock
		}
	case machine.PanicFailure:
		v.Claim = ClaimPanic
	default:
		v.Claim = ClaimFailed
	}
	c.draw(v, e)
	return v
}

func describe(r Report) string { return "loom: " + r.String() }
