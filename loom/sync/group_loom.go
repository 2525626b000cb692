//go:build loom

package sync

import (
	"sync"
	"sync/atomic"

	"github.com/filch-sched/filch/loom/internal/machine"
)

// WaitGroup is sync.WaitGroup, scheduled by package loom. Its Go starts a thread
// if the caller is one.
type WaitGroup struct {
	real  sync.WaitGroup
	count atomic.Int64 // of real
	ref   machine.Ref
}

// thread returns the calling thread of the model, nil if there is none.
func (g *WaitGroup) thread() *machine.Thread {
	t := machine.Current()
	if t == nil {
		machine.Outside(&g.ref, machine.WaitGroup)
	} else if t.First(&g.ref) && g.count.Load() != 0 {
		t.TakenOutside(&g.ref, machine.WaitGroup)
	}
	return t
}

// Add is Add of sync.WaitGroup.
func (g *WaitGroup) Add(delta int) {
	if t := g.thread(); t != nil {
		t.GroupAdd(&g.ref, delta)
	} else {
		g.count.Add(int64(delta))
		g.real.Add(delta)
	}
}

// Done is Done of sync.WaitGroup.
func (g *WaitGroup) Done() { g.Add(-1) }

// Wait is Wait of sync.WaitGroup.
func (g *WaitGroup) Wait() {
	if t := g.thread(); t != nil {
		t.GroupWait(&g.ref)
	} else {
		g.real.Wait()
	}
}

// Go is Go of sync.WaitGroup.
func (g *WaitGroup) Go(f func()) {
	t := g.thread()
	if t == nil {
		g.count.Add(1)
		g.real.Go(func() {
			defer g.count.Add(-1)
			f()
		})
		return
	}
	t.GroupAdd(&g.ref, 1)
	t.Go(func() {
		defer func() {
			if p := recover(); p != nil {
				panic(p) // as in package sync, no Done: the execution ends here
			}
			g.Done()
		}()
		f()
	})
}

// Once is sync.Once, scheduled by package loom.
type Once struct {
	real sync.Once
	done atomic.Bool // of real
	ref  machine.Ref
}

// Do is Do of sync.Once. What was done outside an exploration is done in it; what
// is done in an execution is to be done anew in the next.
func (o *Once) Do(f func()) {
	t := machine.Current()
	if t == nil {
		machine.Outside(&o.ref, machine.Once)
		o.real.Do(func() {
			defer o.done.Store(true)
			f()
		})
		return
	}
	if t.First(&o.ref) && o.done.Load() {
		t.OnceWas(&o.ref)
	}
	if t.OnceEnter(&o.ref) {
		defer t.OnceDone(&o.ref)
		f()
	}
}
