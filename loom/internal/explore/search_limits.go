package explore

import (
	"fmt"
	"time"
)

// This file is what ends a search before its end, or takes back what it has found.

// late reports whether a limit is reached.
func (p *path) late() bool {
	if p.opts.Most > 0 && p.res.Executions >= p.opts.Most {
		return true
	}
	return p.expired(p.m.Steps + glance/16)
}

// expired reports whether the deadline has passed. Looking at the clock costs about
// as much as a step, so that is not done every time, but after so much work, which
// is counted in steps.
func (p *path) expired(work int) bool {
	if p.work += work; p.work >= glance {
		p.work = 0
		p.over = p.over || !p.opts.Deadline.IsZero() && time.Now().After(p.opts.Deadline)
	}
	return p.over
}

// reopen runs the first execution again if a later one has violated something: that
// is worth nothing if the body keeps state from one execution to the next, and then
// the first ends in another way now.
func (p *path) reopen() {
	r := &p.res
	if r.Err != nil || r.First == nil || r.opening == nil {
		return
	}
	e := Replay(p.body, *r.opening, p.opts)
	if r.Err = e.Err; r.Err == nil && e.Failure != nil {
		r.Err = fmt.Errorf("loom: the body is not deterministic: the first execution, which violated nothing, ends with %q when it is run again after others; "+keeps, Describe(e))
	}
}
