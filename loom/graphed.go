//go:build loom

package loom

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/filch-sched/filch/loom/internal/explore"
	"github.com/filch-sched/filch/loom/internal/graph"
	"github.com/filch-sched/filch/loom/internal/machine"
)

// round stands in a token between the path and the cycle of a run without an end.
const round = "~"

// runGraph searches the states of body, or replays one path.
func runGraph(body func(), c *config) (Report, error) {
	if machine.Current() != nil {
		return Report{}, errors.New("loom: an exploration inside another")
	}
	turn.Lock()
	defer turn.Unlock()
	if err := c.asked(); err != nil {
		return Report{}, err
	}
	return c.guarded(func() (Report, error) {
		if c.replay != "" {
			return c.replayPath(body)
		}
		return c.searchStates(body)
	})
}

func (c *config) graphOptions() graph.Options {
	return graph.Options{
		MaxStates: c.states, MaxSteps: c.maxSteps, FullKeys: c.whole,
		Retries: c.retries, Heads: c.heads, Exact: c.exact, Cells: c.cells, Workers: c.workers,
	}
}

func (c *config) searchStates(body func()) (Report, error) {
	begin := time.Now()
	opts := c.graphOptions()
	opts.Deadline, opts.Every = c.limit, c.tellStates()
	if c.deadline > 0 {
		opts.Deadline = begin.Add(c.deadline)
	}
	res := graph.Run(body, opts)
	r := Report{
		Executions: res.Executions, Steps: res.Steps, MaxDepth: res.Depth, Threads: res.Threads,
		States: res.States, Edges: res.Edges, Exhausted: res.Closed, Elapsed: time.Since(begin),
	}
	err := c.graphVerdict(body, &res, opts)
	if err == nil && res.Closed && c.export != nil {
		if bad := res.Graph.Write(c.export); bad != nil {
			err = fmt.Errorf("loom: Export: %w", bad)
		}
	}
	switch {
	case r.Exhausted:
	case res.Failure != nil:
		r.Stopped = "the first violation"
	case c.states > 0 && r.States > c.states:
		r.Stopped = fmt.Sprintf("the bound of %d states", c.states)
	case err == nil && c.deadline > 0:
		r.Stopped = fmt.Sprintf("the deadline of %v", c.deadline)
	case err == nil:
		err = fmt.Errorf("loom: %v: the time for the test is nearly over; the option Deadline asks for a bounded run", r)
	}
	if bad := c.tell(r, err); bad != nil {
		return r, bad
	}
	return r, err
}

// graphVerdict returns what is wrong with body: its first violation, explained.
func (c *config) graphVerdict(body func(), res *graph.Result, opts graph.Options) error {
	if res.Err != nil {
		return res.Err
	}
	if res.Failure != nil {
		e := graph.Replay(body, graph.Schedule(res.Path), opts)
		if e.Err == nil && (e.Failure == nil || e.Failure.Kind != res.Failure.Kind || e.Failure.Claim != res.Failure.Claim) {
			e.Err = fmt.Errorf("loom: the body is not deterministic: a path that ended with %q ends differently when it is run again",
				explore.Describe(explore.Execution{Failure: res.Failure}))
		}
		if e.Err != nil {
			return e.Err
		}
		return c.violation(e)
	}
	if res.Lasso == nil {
		return nil
	}
	return c.endless(body, graph.Schedule(res.Lasso.Path), graph.Schedule(res.Lasso.Cycle), res.Claim, opts)
}

// endless puts a run without an end into words.
func (c *config) endless(body func(), path, cycle explore.Schedule, claim string, opts graph.Options) error {
	begin := graph.Replay(body, path, opts)
	token := path.Token() + round + cycle.Token()
	e := graph.Replay(body, joined(path, cycle), opts)
	if e.Err != nil {
		return e.Err
	}
	at := len(begin.Trace) + 1
	e.Failure = &machine.Failure{Kind: machine.ExitFailure, Thread: -1, Claim: claim,
		Message: fmt.Sprintf("the steps from step %d on lead back to the state before them, and so can go on for ever", at)}
	v := c.violation(e)
	v.Claim, v.Token, v.Schedule = claim, c.tag()+"."+token, forEver(v.Schedule, at)
	if claim == "" {
		v.Claim = ClaimLivelock
	}
	v.Command = c.command(v.Token)
	if c.rewrite != nil {
		v.Command = c.rewrite(v.Token, v.Command)
	}
	return v
}

// forEver returns a schedule with a line that says which of its steps, those from
// one on, are taken again and again.
func forEver(schedule string, from int) string {
	var b strings.Builder
	number := strconv.Itoa(from)
	for line := range strings.Lines(schedule) {
		if first, _, _ := strings.Cut(strings.TrimLeft(line, " "), " "); number != "" && first == number {
			b.WriteString("from here on, again and again:\n")
			number = ""
		}
		b.WriteString(line)
	}
	return b.String()
}

func joined(a, b explore.Schedule) explore.Schedule {
	s := explore.Schedule{Order: append(append([]int(nil), a.Order...), b.Order...)}
	for id := range s.Choices {
		s.Choices[id] = append(append([]int(nil), a.Choices[id]...), b.Choices[id]...)
	}
	return s
}

// replayPath runs the path that c.replay describes and returns its violation.
func (c *config) replayPath(body func()) (Report, error) {
	tag, s, err := parseToken(c.replay)
	if err != nil {
		return Report{}, err
	}
	opts := c.graphOptions()
	r := Report{Executions: 1, Steps: len(s.Order), MaxDepth: len(s.Order)}
	if _, text, ok := strings.Cut(strings.TrimPrefix(c.replay, tag+"."), round); ok {
		cycle, err := explore.ParseToken(text)
		if err != nil {
			return Report{}, err
		}
		return r, c.endless(body, s, cycle, "", opts)
	}
	e := graph.Replay(body, s, opts)
	if e.Err != nil {
		return Report{}, e.Err
	}
	if e.Failure == nil {
		return r, fmt.Errorf("loom: the path of %s=%s violates nothing:\n%s", replayVariable, c.replay, explore.Table(e))
	}
	return r, c.violation(e)
}
