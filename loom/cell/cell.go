//go:build !loom

// Package cell holds plain memory whose accesses package loom can see.
package cell

// Cell is one plain variable. Its caller synchronizes: two goroutines may not
// use a Cell without a synchronizes-before edge between them unless both only
// load. Under the build tag loom a breach is reported with both sites; in the
// ordinary build Load and Store are the plain accesses and the race detector
// sees them. The zero Cell holds the zero T.
type Cell[T any] struct{ v T }

// Load returns the value.
func (c *Cell[T]) Load() T { return c.v }

// Store sets the value.
func (c *Cell[T]) Store(v T) { c.v = v }
