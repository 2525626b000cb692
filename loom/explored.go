//go:build loom

package loom

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/filch-sched/filch/loom/internal/explore"
	"github.com/filch-sched/filch/loom/internal/machine"
)

// run explores body, or replays one execution of it.
func run(body func(), c config) (Report, error) {
	if machine.Current() != nil {
		return Report{}, errors.New("loom: an exploration inside another")
	}
	if algo := os.Getenv("LOOM_ALGO"); algo != "" && algo != "sleep" {
		return Report{}, fmt.Errorf("loom: LOOM_ALGO=%s is not an algorithm: there is sleep", algo)
	}
	turn.Lock()
	defer turn.Unlock()
	if token := os.Getenv(replayVariable); token != "" && c.replay == "" {
		tag, _, err := parseToken(token)
		if err != nil {
			return Report{}, fmt.Errorf("%w, and it is the value of %s", err, replayVariable)
		}
		if tag != c.tag() {
			return Report{}, &otherReplay{token: token, tag: tag}
		}
		c.replay = token
	}
	if c.replay != "" {
		return replay(body, c)
	}
	return search(body, c)
}

func (c config) options() explore.Options {
	return explore.Options{KeepGoing: c.keepGoing, MaxSteps: c.maxSteps, Failed: c.failed}
}

func search(body func(), c config) (Report, error) {
	begin := time.Now()
	opts := c.options()
	opts.Deadline = c.limit
	if c.deadline > 0 {
		opts.Deadline = begin.Add(c.deadline)
	}
	res := explore.Search(body, opts)
	r := Report{
		Executions: res.Executions, Traces: res.Traces, Blocked: res.Blocked,
		Deadlocks: res.Deadlocks, Races: res.Races, Failures: res.Failures,
		Steps: res.Steps, MaxDepth: res.MaxDepth, Threads: res.Threads,
		Exhausted: res.Exhausted, Elapsed: time.Since(begin),
	}
	switch {
	case res.Err != nil:
		return r, res.Err
	case res.First != nil:
		e, err := explore.Explain(body, *res.First, res.Schedule, opts)
		if err != nil {
			return r, err
		}
		return r, c.violation(e)
	case !r.Exhausted && c.deadline == 0:
		return r, fmt.Errorf("loom: %v: the time for the test is nearly over; the option Deadline asks for a bounded run", r)
	}
	return r, nil
}

// parseToken takes a replay token apart: whose exploration it is of, in the form
// that tag gives, and the schedule.
func parseToken(token string) (tag string, s explore.Schedule, err error) {
	tag, schedule, ok := strings.Cut(token, ".")
	n, bad := strconv.ParseUint(tag, 36, 32)
	if !ok || bad != nil || strconv.FormatUint(n, 36) != tag {
		return "", s, fmt.Errorf("loom: %q is not a replay token", token)
	}
	if s, err = explore.ParseToken(schedule); err != nil {
		return "", s, fmt.Errorf("loom: %q is not a replay token: %w", token, err)
	}
	return tag, s, nil
}

// replay runs the execution that c.replay describes and returns its violation.
func replay(body func(), c config) (Report, error) {
	_, s, err := parseToken(c.replay)
	if err != nil {
		return Report{}, err
	}
	e := explore.Replay(body, s, c.options())
	if e.Err != nil {
		return Report{}, e.Err
	}
	r := Report{Executions: 1, Steps: len(e.Schedule.Order), MaxDepth: len(e.Schedule.Order)}
	if e.Failure == nil && c.failed != nil && c.failed() {
		e.Failure = &machine.Failure{Kind: machine.ExitFailure, Thread: -1, Message: "the test failed during this execution"}
	}
	if e.Failure == nil {
		return r, fmt.Errorf("loom: the execution of %s=%s violates nothing:\n%s", replayVariable, c.replay, explore.Table(e))
	}
	return r, c.violation(e)
}

// violation puts an execution that failed into words.
func (c config) violation(e explore.Execution) *Violation {
	f := e.Failure
	v := &Violation{
		Message:  explore.Describe(f),
		Schedule: explore.Table(e),
		Token:    c.tag() + "." + e.Schedule.Token(),
	}
	switch f.Kind {
	case machine.ClaimFailure:
		v.Claim = f.Claim
	case machine.RaceFailure:
		v.Claim = ClaimRace
	case machine.DeadlockFailure:
		v.Claim = c.deadlock
	case machine.PanicFailure:
		v.Claim = ClaimPanic
	default:
		v.Claim = ClaimFailed
	}
	return v
}

func describe(r Report) string { return "loom: " + r.String() }
