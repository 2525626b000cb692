package sync

import (
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/filch-sched/filch/loom/internal/machine"
)

// WaitGroup is sync.WaitGroup, scheduled by package loom.
type WaitGroup struct{ real sync.WaitGroup }

func (g *WaitGroup) ref(t *machine.Thread) *machine.Ref { return t.At(unsafe.Pointer(g)) }

// Add is Add of sync.WaitGroup.
func (g *WaitGroup) Add(delta int) {
	if t := machine.Current(); t != nil {
		t.GroupAdd(g.ref(t), delta)
	} else {
		g.real.Add(delta)
	}
}

// Done is Done of sync.WaitGroup.
func (g *WaitGroup) Done() { g.Add(-1) }

// Wait is Wait of sync.WaitGroup.
func (g *WaitGroup) Wait() {
	if t := machine.Current(); t != nil {
		t.GroupWait(g.ref(t))
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
	t.GroupAdd(g.ref(t), 1)
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
type Once struct{ real sync.Once }

// begun reports whether real is not the zero Once. What it has first is the
// word that says so, today and since it is; a test sees to it.
func (o *Once) begun() bool { return atomic.LoadUint32((*uint32)(unsafe.Pointer(&o.real))) != 0 }

// ended has the Onces whose function has run in the execution numbered run. One
// thread of one exploration uses it at a time.
var ended struct {
	run  uint64
	once map[*Once]bool
}

// Do is Do of sync.Once. An exploration runs f anew in every execution, and after
// the assignment of a new Once.
func (o *Once) Do(f func()) {
	t := machine.Current()
	if t == nil {
		o.real.Do(f)
		return
	}
	if ended.run != t.Run() {
		ended.run, ended.once = t.Run(), map[*Once]bool{}
	}
	r := t.At(unsafe.Pointer(o))
	if ended.once[o] && !o.begun() {
		*r = machine.Ref{} // somebody has put a new one in its place
		delete(ended.once, o)
	}
	if t.OnceEnter(r) {
		defer func() {
			t.OnceDone(r)
			o.real.Do(func() {})
			ended.once[o] = true
		}()
		f()
	}
}
