//go:build loom

package sync

import (
	"sync"
	"sync/atomic"

	"github.com/filch-sched/filch/loom/internal/machine"
)

// Cond is sync.Cond, scheduled by package loom. The documentation of sync.Cond
// does not say which waiter Signal wakes, so an exploration tries every one.
// Wait returns only when it was signalled, as that of sync.Cond does, unless
// loom.SpuriousWakeups asks for more.
type Cond struct {
	// L is held while observing or changing the condition.
	L Locker

	once    sync.Once
	real    *sync.Cond
	waiting atomic.Int32 // on real
	ref     machine.Ref
}

// thread returns the calling thread of the model, nil if there is none.
func (c *Cond) thread() *machine.Thread {
	t := machine.Current()
	if t == nil {
		machine.Outside(&c.ref, machine.Cond)
	} else if t.First(&c.ref) && c.waiting.Load() != 0 {
		t.TakenOutside(&c.ref, machine.Cond)
	}
	return t
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
	t := c.thread()
	if t == nil {
		c.waiting.Add(1)
		defer c.waiting.Add(-1)
		c.outside().Wait()
		return
	}
	if t.Spurious() { // the same as if the lock were given back and taken again
		c.L.Unlock()
		c.L.Lock()
		return
	}
	t.CondEnter(&c.ref)
	c.L.Unlock()
	t.CondSleep()
	c.L.Lock()
}

// Signal is Signal of sync.Cond.
func (c *Cond) Signal() {
	if t := c.thread(); t != nil {
		t.Signal(&c.ref)
	} else {
		c.outside().Signal()
	}
}

// Broadcast is Broadcast of sync.Cond.
func (c *Cond) Broadcast() {
	if t := c.thread(); t != nil {
		t.Broadcast(&c.ref)
	} else {
		c.outside().Broadcast()
	}
}
