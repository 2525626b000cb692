//go:build loom

package atomic

import (
	"fmt"
	"sync/atomic"
	"unsafe"

	"github.com/filch-sched/filch/loom/internal/machine"
)

// Bool is atomic.Bool, scheduled by package loom.
type Bool struct {
	v   atomic.Bool
	ref machine.Ref
}

// Load is Load of atomic.Bool.
func (x *Bool) Load() bool {
	t := machine.Current()
	if t == nil {
		e := machine.Begin(&x.ref, nil, machine.Bool, "Load")
		v := x.v.Load()
		if e != nil {
			e.Done("", fmt.Sprint(v))
		}
		return v
	}
	t.LoadWord(&x.ref, machine.Bool)
	v := x.v.Load()
	t.Read(truth(v))
	t.ObserveBool(v)
	if t.Tracing() {
		t.Saw("= %v", v)
	}
	return v
}

// Store is Store of atomic.Bool.
func (x *Bool) Store(val bool) {
	t := machine.Current()
	if t == nil {
		e := machine.Begin(&x.ref, nil, machine.Bool, "Store")
		x.v.Store(val)
		if e != nil {
			e.Done(fmt.Sprint(val), "")
		}
		return
	}
	t.StoreWord(&x.ref, machine.Bool)
	if t.Tracing() {
		t.Saw("%v", val)
	}
	t.Wrote(x.v.Load() != val)
	x.v.Store(val)
}

// Swap is Swap of atomic.Bool.
func (x *Bool) Swap(new bool) (old bool) {
	t := machine.Current()
	if t == nil {
		e := machine.Begin(&x.ref, nil, machine.Bool, "Swap")
		old := x.v.Swap(new)
		if e != nil {
			e.Done(fmt.Sprint(new), fmt.Sprint(old))
		}
		return old
	}
	t.ModifyWord(machine.Swap, &x.ref, machine.Bool)
	old = x.v.Swap(new)
	t.Read(truth(old))
	t.Wrote(old != new)
	t.ObserveBool(old)
	if t.Tracing() {
		t.Saw("%v = %v", new, old)
	}
	return old
}

// CompareAndSwap is CompareAndSwap of atomic.Bool.
func (x *Bool) CompareAndSwap(old, new bool) (swapped bool) {
	t := machine.Current()
	if t == nil {
		e := machine.Begin(&x.ref, nil, machine.Bool, "CompareAndSwap")
		ok := x.v.CompareAndSwap(old, new)
		if e != nil {
			e.Done(fmt.Sprint(old, " -> ", new), fmt.Sprint(ok))
		}
		return ok
	}
	var want uint64
	if old {
		want = 1
	}
	ok := t.CompareWord(&x.ref, machine.Bool, unsafe.Pointer(&x.v), unsafe.Sizeof(uint32(0)), want)
	if t.Tracing() {
		t.Saw("%v -> %v = %v", old, new, ok)
	}
	if ok {
		t.Wrote(old != new)
	}
	return x.v.CompareAndSwap(old, new)
}

func truth(v bool) uint64 {
	if v {
		return 1
	}
	return 0
}
