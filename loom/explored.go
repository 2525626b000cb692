//go:build loom

package loom

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/filch-sched/filch/loom/internal/explore"
	"github.com/filch-sched/filch/loom/internal/machine"
)

// run explores body, or replays one execution of it.
func run(body func(), c *config) (Report, error) {
	if machine.Current() != nil {
		return Report{}, errors.New("loom: an exploration inside another")
	}
	if c.algorithm == "" {
		c.algorithm = os.Getenv("LOOM_ALGO")
	}
	if c.algorithm == "" {
		c.algorithm = explore.Algorithms[0]
	}
	sampled := slices.Contains(explore.Samplers, c.algorithm)
	if !sampled && !slices.Contains(explore.Algorithms, c.algorithm) {
		return Report{}, fmt.Errorf("loom: %q is not an algorithm: there are %q", c.algorithm, slices.Concat(explore.Algorithms, explore.Samplers))
	}
	if err := errors.Join(c.preemptions(), c.outside()); err != nil {
		return Report{}, err
	}
	if sampled && c.bounded {
		return Report{}, fmt.Errorf("loom: a bound on preemptions and the algorithm %q: what is drawn is not bounded", c.algorithm)
	}
	turn.Lock()
	defer turn.Unlock()
	if err := c.asked(); err != nil {
		return Report{}, err
	}
	if inner := body; c.spurious {
		body = func() {
			machine.Current().AllowSpurious()
			inner()
		}
	}
	if c.replay == "" && c.byBytes {
		return c.guarded(func() (Report, error) { return steered(body, c) })
	}
	if c.replay == "" && !sampled && c.everywhere() {
		return c.divided()
	}
	return c.guarded(func() (Report, error) {
		if c.replay != "" {
			return replay(body, c)
		}
		if sampled {
			return sample(body, c)
		}
		return search(body, c)
	})
}

// asked makes the exploration a replay if the environment asks for one of it.
func (c *config) asked() error {
	token := os.Getenv(replayVariable)
	if token == "" || c.replay != "" {
		return nil
	}
	tag, _, err := parseToken(token)
	if err != nil {
		return fmt.Errorf("%w, and it is the value of %s", err, replayVariable)
	}
	if tag != c.tag() {
		return &otherReplay{token: token, tag: tag}
	}
	c.replay = token
	return nil
}

func (c *config) options() explore.Options {
	return explore.Options{
		Algorithm: c.algorithm, Bounded: c.bounded, Bound: c.bound,
		KeepGoing: c.keepGoing, MaxSteps: c.maxSteps, Failed: c.failed,
	}
}

func search(body func(), c *config) (Report, error) {
	begin := time.Now()
	opts := c.options()
	opts.Deadline = c.limit
	if c.deadline > 0 {
		opts.Deadline = begin.Add(c.deadline)
	}
	if err := c.long(&opts); err != nil {
		return Report{}, err
	}
	if err := c.unsaved(&opts); err != nil {
		return Report{}, err
	}
	w := c.watch(body, opts)
	opts.Watch, c.watched = w, w
	res := explore.Search(body, opts)
	guess, found := w.End(&res)
	if found != nil && res.First == nil {
		res.First, res.Schedule = &found.Failure, &found.Schedule
		res.Failures++
	}
	r := c.report(&res, begin)
	r.Estimate = Estimate(guess)
	r.Shard, r.Shards, r.Elsewhere = opts.Shard.I, opts.Shard.N, res.Elsewhere
	if res.Loaded {
		r.Checkpoint = opts.Checkpoint
	}
	err := c.verdict(body, &res, opts)
	if bad := c.tell(r, err); bad != nil {
		return r, bad
	}
	if err != nil {
		return r, err
	}
	if !res.Exhausted && res.Cut == 0 && c.deadline == 0 {
		return r, fmt.Errorf("loom: %v: the time for the test is nearly over; the option Deadline asks for a bounded run", r)
	}
	return r, nil
}

// report says what a run has seen.
func (c *config) report(res *explore.Result, begin time.Time) Report {
	r := Report{
		Executions: res.Executions, Traces: res.Traces, Blocked: res.Blocked,
		Deadlocks: res.Deadlocks, Races: res.Races, Failures: res.Failures,
		Steps: res.Steps, MaxDepth: res.MaxDepth, Threads: res.Threads,
		Exhausted: res.Exhausted, Algorithm: res.Algorithm, Elapsed: time.Since(begin),
	}
	r.Bounded, r.Bound, r.Cut = c.bounded, c.bound, res.Cut
	switch {
	case r.Exhausted:
	case res.Cut > 0:
		r.Stopped = "the bound of " + explore.Count(c.bound, "preemption")
	case res.First != nil && !c.keepGoing:
		r.Stopped = "the first violation"
	case res.Err == nil && c.deadline > 0 && r.Elapsed >= c.deadline:
		r.Stopped = fmt.Sprintf("the deadline of %v", c.deadline)
	}
	if res.First != nil {
		r.Preemptions = res.Preemptions
	}
	return r
}

// verdict returns what is wrong with body: its first violation, explained.
func (c *config) verdict(body func(), res *explore.Result, opts explore.Options) error {
	if res.Err != nil || res.First == nil {
		return res.Err
	}
	return c.explained(body, res, opts)
}

// explained is the rest of verdict. What it needs of the stack is only for those
// that need it.
//
//go:noinline
func (c *config) explained(body func(), res *explore.Result, opts explore.Options) error {
	e := explore.Execution{}
	if c.asFound { // what the test itself has seen fails in no second execution
		e = explore.Replay(body, *res.Schedule, opts)
	}
	if e.Err != nil || e.Failure == nil {
		var err error
		if e, err = explore.Explain(body, *res.First, *res.Schedule, opts); err != nil {
			return err
		}
	}
	v := c.violation(e)
	v.Data = dataOf(body, e.Schedule, opts)
	return v
}
