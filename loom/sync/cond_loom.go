//go:build loom

package sync

import (
	"sync"

	"github.com/filch-sched/filch/loom/internal/machine"
)

// Cond is sync.Cond, scheduled by package loom. The documentation of sync.Cond
// does not say which waiter Signal wakes, so an exploration tries every one.
// Wait returns only when it was signalled, as that of sync.Cond does.
type Cond struct {
	// L is held while observing or changing the condition.
	L Locker

	once sync.Once
	real *sync.Cond
	ref  machine.Ref
}

// NewCond is sync.NewCond.
func NewCond(l Locker) *Cond { return &Cond{L: l} }

// outside returns the real condition variable, on the same lock.
func (c *Cond) outside() *sync.Cond {
	c.once.Do(func() { c.real = sync.NewCond(c.L) })
	return c.real
}

// Wait is Wait of sync.Cond.
func (c *Cond) Wait() {
	t := machine.Current()
	if t == nil {
		c.outside().Wait()
		return
	}
	t.CondEnter(&c.ref)
	c.L.Unlock()
	t.CondSleep()
	c.L.Lock()
}

// Signal is Signal of sync.Cond.
func (c *Cond) Signal() {
	if t := machine.Current(); t != nil {
		t.Signal(&c.ref)
	} else {
		c.outside().Signal()
	}
}

// Broadcast is Broadcast of sync.Cond.
func (c *Cond) Broadcast() {
	if t := machine.Current(); t != nil {
		t.Broadcast(&c.ref)
	} else {
		c.outside().Broadcast()
	}
}
