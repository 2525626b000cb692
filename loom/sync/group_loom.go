//go:build loom

package sync

import (
	"sync"

	"github.com/filch-sched/filch/loom/internal/machine"
)

// WaitGroup is sync.WaitGroup, scheduled by package loom. Its Go starts a thread
// if the caller is one.
type WaitGroup struct {
	real sync.WaitGroup
	ref  machine.Ref
}

// Add is Add of sync.WaitGroup.
func (g *WaitGroup) Add(delta int) {
	if t := machine.Current(); t != nil {
		t.GroupAdd(&g.ref, delta)
	} else {
		g.real.Add(delta)
	}
}

// Done is Done of sync.WaitGroup.
func (g *WaitGroup) Done() { g.Add(-1) }

// Wait is Wait of sync.WaitGroup.
func (g *WaitGroup) Wait() {
	if t := machine.Current(); t != nil {
		t.GroupWait(&g.ref)
	} else {
		g.real.Wait()
	}
}

// Go is Go of sync.WaitGroup.
func (g *WaitGroup) Go(f func()) {
	t := machine.Current()
	if t == nil {
		g.real.Go(f)
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
	ref  machine.Ref
}

// Do is Do of sync.Once.
func (o *Once) Do(f func()) {
	t := machine.Current()
	if t == nil {
		o.real.Do(f)
		return
	}
	if t.OnceEnter(&o.ref) {
		defer t.OnceDone(&o.ref)
		f()
	}
}
