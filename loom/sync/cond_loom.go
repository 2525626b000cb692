//go:build loom

package sync

import (
	"fmt"
	"math"
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

	// Those that wait while operations are recorded, the first to be woken first.
	// Guarded by the recorder.
	waiters []chan struct{}
}

// thread returns the calling thread of the model, nil if there is none.
func (c *Cond) thread() *machine.Thread {
	t := machine.Current()
	if t != nil && t.First(&c.ref) && c.waiting.Load() != 0 {
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
		c.wait()
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

// wait is Wait outside of an exploration. A record has when it began to wait and
// when it was woken.
func (c *Cond) wait() {
	e := machine.Begin(&c.ref, nil, machine.Cond, "Wait")
	if e == nil {
		c.outside().Wait()
		return
	}
	woken := make(chan struct{})
	c.waiters = append(c.waiters, woken)
	e.Done("", "")
	c.L.Unlock()
	<-woken
	machine.Begin(&c.ref, nil, machine.Cond, "woken").Done("", "")
	c.L.Lock()
}

// Signal is Signal of sync.Cond.
func (c *Cond) Signal() {
	if t := c.thread(); t != nil {
		t.Signal(&c.ref)
		return
	}
	c.wake("Signal", 1)
}

// Broadcast is Broadcast of sync.Cond.
func (c *Cond) Broadcast() {
	if t := c.thread(); t != nil {
		t.Broadcast(&c.ref)
		return
	}
	c.wake("Broadcast", math.MaxInt)
}

// wake wakes at most n waiters outside of an exploration. A record has how many.
func (c *Cond) wake(op string, n int) {
	e := machine.Begin(&c.ref, nil, machine.Cond, op)
	switch {
	case e != nil:
		n = min(n, len(c.waiters))
		for _, woken := range c.waiters[:n] {
			close(woken)
		}
		c.waiters = c.waiters[n:]
		e.Done("", fmt.Sprint(n))
	case n == 1:
		c.outside().Signal()
	default:
		c.outside().Broadcast()
	}
}
