//go:build loom

package loom

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"time"

	"github.com/filch-sched/filch/loom/internal/explore"
	"github.com/filch-sched/filch/loom/internal/machine"
)

// sample runs executions of body that a sampler draws.
func sample(body func(), c *config) (Report, error) {
	begin := time.Now()
	opts, err := c.sampling(begin)
	if err != nil {
		return Report{}, err
	}
	w := c.watch(body, opts.Options)
	w.Sampling = true
	opts.Watch, c.watched = w, w
	res := explore.Sample(body, opts)
	w.End(&res.Result) // of samples nothing is estimated
	r := c.report(&res.Result, begin)
	r.Algorithm = opts.Algorithm
	r.Sampled, r.Seed, r.New = true, opts.Seed, res.New
	switch {
	case opts.Runs == 0 && res.First == nil: // the deadline is all that ends it
		r.Stopped = ""
	case r.Stopped == "" && r.Executions < opts.Runs && res.Err == nil:
		r.Stopped = "the time for the test"
	}
	return r, c.verdict(body, &res.Result, opts.Options)
}

// sampling returns the options of a sampled run, from those of the exploration
// and from the environment.
func (c *config) sampling(begin time.Time) (explore.SampleOptions, error) {
	o := explore.SampleOptions{Options: c.options(), Algorithm: c.algorithm, Seed: c.seed, Runs: c.runs, Depth: c.depth}
	o.Deadline = c.limit
	if c.deadline > 0 {
		o.Deadline = begin.Add(c.deadline)
	}
	if c.record != nil {
		o.Recorded = func(run int, trace []machine.Event) error {
			if err := machine.WriteTrace(c.record, run, trace); err != nil {
				return fmt.Errorf("loom: Record: %w", err)
			}
			return nil
		}
	}
	if !c.seeded {
		o.Seed = uint64(rand.Uint32())
	}
	for _, v := range []struct {
		name  string
		given bool
		least uint64
		set   func(uint64)
	}{
		{"LOOM_RUNS", c.runs > 0, 1, func(n uint64) { o.Runs = int(n) }},
		{"LOOM_SEED", c.seeded, 0, func(n uint64) { o.Seed = n }},
		{"LOOM_DEPTH", c.depth > 0, 1, func(n uint64) { o.Depth = int(n) }},
	} {
		text := os.Getenv(v.name)
		if text == "" || v.given {
			continue
		}
		n, err := strconv.ParseUint(text, 10, 63)
		if err != nil || n < v.least {
			return o, fmt.Errorf("loom: %s=%q is not a number from %d on", v.name, text, v.least)
		}
		v.set(n)
	}
	if o.Runs == 0 && c.deadline == 0 {
		o.Runs = DefaultRuns
	}
	return o, nil
}
