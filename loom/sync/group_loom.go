//go:build loom

package sync

import (
	"fmt"
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
	if t != nil && t.First(&g.ref) && g.count.Load() != 0 {
		t.TakenOutside(&g.ref, machine.WaitGroup)
	}
	return t
}

// Add is Add of sync.WaitGroup.
func (g *WaitGroup) Add(delta int) {
	if t := g.thread(); t != nil {
		t.GroupAdd(&g.ref, delta)
		return
	}
	e := machine.Begin(&g.ref, nil, machine.WaitGroup, "Add")
	n := g.count.Add(int64(delta))
	if e != nil {
		e.Done(fmt.Sprintf("%+d", delta), fmt.Sprint(n))
	}
	g.real.Add(delta)
}

// Done is Done of sync.WaitGroup.
func (g *WaitGroup) Done() { g.Add(-1) }

// Wait is Wait of sync.WaitGroup.
func (g *WaitGroup) Wait() {
	if t := g.thread(); t != nil {
		t.GroupWait(&g.ref)
		return
	}
	g.real.Wait()
	if e := machine.Begin(&g.ref, nil, machine.WaitGroup, "Wait"); e != nil {
		e.Done("", "")
	}
}

// Go is Go of sync.WaitGroup.
func (g *WaitGroup) Go(f func()) {
	t := g.thread()
	if t == nil {
		g.outside(f)
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

// outside is Go outside of an exploration.
func (g *WaitGroup) outside(f func()) {
	g.Add(1)
	n := machine.Started()
	go func() {
		machine.Note("start", n)
		defer func() {
			if p := recover(); p != nil {
				panic(p) // as in package sync, no Done
			}
			machine.Note("end", n)
			g.Done()
		}()
		f()
	}()
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
		o.outside(f)
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

// outside is Do outside of an exploration. A record has when f begins and ends, and
// when others come back.
func (o *Once) outside(f func()) {
	note := func(op string) {
		if e := machine.Begin(&o.ref, nil, machine.Once, op); e != nil {
			e.Done("", "")
		}
	}
	first := false
	o.real.Do(func() {
		first = true
		note("Do")
		defer note("Do ends")
		defer o.done.Store(true)
		f()
	})
	if !first {
		note("Do returns")
	}
}
