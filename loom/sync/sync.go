//go:build !loom

// Package sync is the part of package sync that production code uses. Under
// the build tag loom the same names are checked objects that package loom
// schedules.
package sync

import "sync"

// The types of sync themselves: an alias costs no instruction.
type (
	Locker    = sync.Locker
	Mutex     = sync.Mutex
	RWMutex   = sync.RWMutex
	Cond      = sync.Cond
	WaitGroup = sync.WaitGroup
	Once      = sync.Once
	Pool      = sync.Pool
)

// NewCond is sync.NewCond.
func NewCond(l Locker) *Cond { return sync.NewCond(l) }
