package sync

import (
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/filch-sched/filch/loom/internal/machine"
)

// WaitGroup is sync.WaitGroup, scheduled by package loom.
type WaitGroup struct{ real sync.WaitGroup }

// counts reports whether the counter of real is not 0. It is a part of what a
// WaitGroup has first, the rest of which is 0 while nobody waits; a test sees to
// it.
func (g *WaitGroup) counts() bool { return atomic.LoadUint64((*uint64)(unsafe.Pointer(&g.real))) != 0 }

// thread returns the calling thread of the exploration and what it knows the
// group by; nil if there is none.
func (g *WaitGroup) thread() (*machine.Thread, *machine.Ref) {
	t := machine.Current()
	if t == nil {
		machine.OutsideAt(unsafe.Pointer(g))
		return nil, nil
	}
	r := t.At(unsafe.Pointer(g))
	if t.First(r) {
		if g.counts() {
			t.TakenOutside(r, machine.WaitGroup)
		}
		t.Lend(unsafe.Pointer(g))
	}
	return t, r
}

// Add is Add of sync.WaitGroup. What a goroutine does that an exploration has
// started and does not follow, to a group that counts only in the exploration, is
// remembered there and nothing else: it would be an end of the process.
func (g *WaitGroup) Add(delta int) {
	if t, r := g.thread(); t != nil {
		t.GroupAdd(r, delta)
	} else if delta >= 0 || g.counts() || !machine.StrangerAt(unsafe.Pointer(g)) {
		g.real.Add(delta)
	}
}

// Done is Done of sync.WaitGroup.
func (g *WaitGroup) Done() { g.Add(-1) }

// Wait is Wait of sync.WaitGroup.
func (g *WaitGroup) Wait() {
	if t, r := g.thread(); t != nil {
		t.GroupWait(r)
	} else {
		g.real.Wait()
	}
}

// Go is Go of sync.WaitGroup.
func (g *WaitGroup) Go(f func()) {
	t, r := g.thread()
	if t == nil {
		g.real.Go(f)
		return
	}
	t.GroupAdd(r, 1)
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

// What the word says that a sync.Once has first; a test sees to it that it is
// that word. sync.Once itself knows 0 and outside.
const (
	outside = 1 // its function has run
	inside  = 2 // it has run in an execution
)

func (o *Once) word() *uint32 { return (*uint32)(unsafe.Pointer(&o.real)) }

// Onces of the execution numbered run: whose function has run, and how many came
// before at the same place. One thread of one exploration uses this at a time.
var onces struct {
	run    uint64
	done   map[*Once]bool
	before map[*Once]uintptr
}

// ref returns what the exploration knows o by. After the assignment of a new Once
// that is something else: another byte of it.
func (o *Once) ref(t *machine.Thread) *machine.Ref {
	if onces.run != t.Run() {
		onces.run, onces.done, onces.before = t.Run(), map[*Once]bool{}, map[*Once]uintptr{}
	}
	if onces.done[o] && *o.word() == 0 {
		delete(onces.done, o)
		if onces.before[o]++; onces.before[o] == unsafe.Sizeof(*o) {
			panic("loom: too many new values in place of one sync.Once, in one execution")
		}
	}
	return t.At(unsafe.Add(unsafe.Pointer(o), onces.before[o]))
}

// Do is Do of sync.Once. What was done outside an exploration is done in it; what
// is done in an execution is to be done anew in the next, and after the
// assignment of a new Once.
func (o *Once) Do(f func()) {
	t := machine.Current()
	if t == nil {
		machine.OutsideAt(unsafe.Pointer(o))
		atomic.CompareAndSwapUint32(o.word(), inside, 0)
		o.real.Do(f)
		return
	}
	r := o.ref(t)
	if t.First(r) && *o.word() == outside {
		t.OnceWas(r)
	}
	if t.OnceEnter(r) {
		defer func() {
			t.OnceDone(r)
			*o.word(), onces.done[o] = inside, true
		}()
		f()
	}
}
