package main

import (
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/filch-sched/filch/loom"
)

// searches is what one side says of one program: it was explored again and
// again until the time was up.
type searches struct {
	First      int      `json:"first"`    // executions of the first search
	Traces     int      `json:"traces"`   // of the first search; loom does not know
	Finished   bool     `json:"finished"` // the first search came to its end
	Complete   int      `json:"complete"` // how many did
	Executions int      `json:"executions"`
	Seconds    float64  `json:"seconds"`
	Outcomes   []string `json:"outcomes"` // in hexadecimal, sorted as text
	Failure    string   `json:"failure"`
}

// explore explores p for about limit.
func explore(p program, limit time.Duration) searches {
	var s searches
	seen := map[uint64]bool{}
	body := func() { seen[p.body()] = true }
	begin := time.Now()
	for s.Failure == "" {
		left := limit - time.Since(begin)
		if left <= 0 {
			break
		}
		start := time.Now()
		r, err := loom.Explore(body, loom.Deadline(left))
		s.Seconds += time.Since(start).Seconds()
		if s.Executions == 0 {
			s.First, s.Traces, s.Finished = r.Executions, r.Traces, r.Exhausted
		}
		s.Executions += r.Executions
		if err != nil {
			s.Failure = err.Error()
		}
		if !r.Exhausted {
			break
		}
		s.Complete++
	}
	for _, o := range slices.Sorted(maps.Keys(seen)) {
		s.Outcomes = append(s.Outcomes, strconv.FormatUint(o, 16))
	}
	return s
}
