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
	if t := machine.Current(); t != nil {
		t.Cell(&c.ref, false)
		if t.Tracing() {
			t.SawPlain("= ", c.v)
		}
	} else {
		machine.Outside(&c.ref, machine.Cells)
	}
	return c.v
}

// Store sets the value.
func (c *Cell[T]) Store(v T) {
	if t := machine.Current(); t != nil {
		t.Cell(&c.ref, true)
		if t.Tracing() {
			t.SawPlain("", v)
		}
	} else {
		machine.Outside(&c.ref, machine.Cells)
	}
	c.v = v
}
