package main

import (
	"math"

	"github.com/filch-sched/filch/linearizability"
	"github.com/filch-sched/filch/model"
)

// tally is what histories contained.
type tally struct {
	Lives      int              `json:"lives"`
	Operations int64            `json:"operations"`
	Outcomes   map[string]int64 `json:"outcomes"` // by "kind outcome"
	// Overlap counts operations by how many were under way when they were
	// called, themselves included: Overlap[0] is those that were alone.
	Overlap [linearizability.MaxThreads]int64 `json:"overlap"`
	Wraps   int64                             `json:"wraps"` // rings whose indices passed 2^32
	// Loads counts lives by their pattern of load, and Procs by GOMAXPROCS.
	Loads map[string]int `json:"loads,omitempty"`
	Procs map[int]int    `json:"procs,omitempty"`
}

// add counts a history. start is the index at which its rings began.
func (c *tally) add(h *linearizability.History, start uint32) {
	c.Lives++
	c.Operations += int64(len(h.Ops))
	var ends [linearizability.MaxThreads]int64
	for t := range ends {
		ends[t] = math.MinInt64
	}
	var put [linearizability.MaxThreads]int64
	var counts [64][16]int64
	for i := range h.Ops {
		o := &h.Ops[i]
		counts[o.Kind&63][o.Outcome&15]++
		ends[o.Thread] = math.MinInt64
		under := 0
		for _, end := range ends[:h.Threads] {
			if end >= o.Call && end > math.MinInt64 { // the latter: it has done nothing yet
				under++
			}
		}
		ends[o.Thread] = o.Return
		c.Overlap[under]++
		put[o.Thread] += filled(o, h.Capacity)
	}
	for k := range counts {
		for out, n := range counts[k] {
			if n > 0 {
				c.count(model.Kind(k), model.Outcome(out), n)
			}
		}
	}
	for _, n := range put {
		if h.Target == model.Ring && uint64(start)+uint64(n) > 1<<32 {
			c.Wraps++
		}
	}
}

// filled is by how many indices o moves the tail of its thread's ring.
func filled(o *model.Operation, capacity int) int64 {
	switch {
	case o.Kind == model.Push && o.Outcome == model.Kept:
		return 1
	case o.Kind == model.Batch && o.Outcome == model.Kept:
		return int64(len(o.Args))
	case o.Outcome == model.Overflowed:
		return int64(capacity / 2)
	case o.Outcome == model.Stole:
		return int64(o.N - 1)
	}
	return 0
}

func (c *tally) count(k model.Kind, out model.Outcome, n int64) {
	if c.Outcomes == nil {
		c.Outcomes = map[string]int64{}
	}
	c.Outcomes[label(k, out)] += n
}

// label is how a report calls operations of one kind that ended in one way.
func label(k model.Kind, out model.Outcome) string {
	if out == 0 {
		return k.String() + ", which did not return"
	}
	return k.String() + " = " + out.String()
}

// of returns how many operations of one kind ended in one way.
func (c *tally) of(k model.Kind, out model.Outcome) int64 { return c.Outcomes[label(k, out)] }

// overlapped returns how many operations were called while another was under
// way.
func (c *tally) overlapped() (n int64) {
	for _, m := range c.Overlap[1:] {
		n += m
	}
	return n
}

// merge adds what d counted.
func (c *tally) merge(d *tally) {
	c.Lives += d.Lives
	c.Operations += d.Operations
	c.Wraps += d.Wraps
	c.Loads = sum(c.Loads, d.Loads)
	c.Procs = sum(c.Procs, d.Procs)
	for i, n := range d.Overlap {
		c.Overlap[i] += n
	}
	for k, n := range d.Outcomes {
		if c.Outcomes == nil {
			c.Outcomes = map[string]int64{}
		}
		c.Outcomes[k] += n
	}
}

// sum adds the counts in b to a, which it may make.
func sum[K comparable](a, b map[K]int) map[K]int {
	if a == nil && len(b) > 0 {
		a = map[K]int{}
	}
	for k, n := range b {
		a[k] += n
	}
	return a
}
