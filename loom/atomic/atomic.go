//go:build !loom

// Package atomic is sync/atomic. Under the build tag loom the same names are
// checked words whose every operation is a step that package loom schedules.
package atomic

import "sync/atomic"

// The types of sync/atomic themselves: an alias costs no instruction.
type (
	Bool           = atomic.Bool
	Int32          = atomic.Int32
	Int64          = atomic.Int64
	Uint32         = atomic.Uint32
	Uint64         = atomic.Uint64
	Uintptr        = atomic.Uintptr
	Value          = atomic.Value
	Pointer[T any] = atomic.Pointer[T]
)
