//go:build loom

// Package cell holds plain memory whose accesses package loom can see.
package cell

import "github.com/filch-sched/filch/loom/internal/machine"

// Cell is one plain variable. Its caller synchronizes: two goroutines may not
// use a Cell without a synchronizes-before edge between them unless both only
// load. In this build a breach during an exploration is reported with both
// sites. Loads and stores are not steps. The zero Cell holds the zero T.
type Cell[T any] struct {
	v   T
	ref machine.Ref
}

// Load returns the value.
func (c *Cell[T]) Load() T {
	t := machine.Current()
	if t == nil {
		e := machine.Begin(&c.ref, nil, machine.Cells, "Load")
		v := c.v
		if e != nil {
			e.Done("", machine.Plain(v))
		}
		return v
	}
	t.Cell(&c.ref, false)
	if t.Observing() {
		t.ObserveAny(c.v)
	}
	if t.Tracing() {
		t.SawPlain("= ", c.v)
	}
	return c.v
}

// Store sets the value.
func (c *Cell[T]) Store(v T) {
	t := machine.Current()
	if t == nil {
		e := machine.Begin(&c.ref, nil, machine.Cells, "Store")
		c.v = v
		if e != nil {
			e.Done(machine.Plain(v), "")
		}
		return
	}
	t.Cell(&c.ref, true)
	if t.Tracing() {
		t.SawPlain("", v)
	}
	c.v = v
}
