//go:build loom

package atomic

import (
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
		machine.Outside(&x.ref, machine.Bool)
		return x.v.Load()
	}
	t.LoadWord(&x.ref, machine.Bool)
	v := x.v.Load()
	if t.Tracing() {
		t.Saw("= %v", v)
	}
	return v
}

// Store is Store of atomic.Bool.
func (x *Bool) Store(val bool) {
	if t := machine.Current(); t != nil {
		t.StoreWord(&x.ref, machine.Bool)
		if t.Tracing() {
			t.Saw("%v", val)
		}
		t.Wrote(x.v.Load() != val)
	} else {
		machine.Outside(&x.ref, machine.Bool)
	}
	x.v.Store(val)
}

// Swap is Swap of atomic.Bool.
func (x *Bool) Swap(new bool) (old bool) {
	t := machine.Current()
	if t == nil {
		machine.Outside(&x.ref, machine.Bool)
		return x.v.Swap(new)
	}
	t.ModifyWord(machine.Swap, &x.ref, machine.Bool)
	old = x.v.Swap(new)
	t.Wrote(old != new)
	if t.Tracing() {
		t.Saw("%v = %v", new, old)
	}
	return old
}

// CompareAndSwap is CompareAndSwap of atomic.Bool.
func (x *Bool) CompareAndSwap(old, new bool) (swapped bool) {
	if t := machine.Current(); t != nil {
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
	} else {
		machine.Outside(&x.ref, machine.Bool)
	}
	return x.v.CompareAndSwap(old, new)
}

// Value is atomic.Value, scheduled by package loom.
type Value struct {
	v   atomic.Value
	ref machine.Ref
}

// Load is Load of atomic.Value.
func (x *Value) Load() (val any) {
	t := machine.Current()
	if t == nil {
		machine.Outside(&x.ref, machine.Value)
		return x.v.Load()
	}
	t.LoadWord(&x.ref, machine.Value)
	val = x.v.Load()
	if t.Tracing() {
		t.Saw("= %v", val)
	}
	return val
}

// Store is Store of atomic.Value.
func (x *Value) Store(val any) {
	if t := machine.Current(); t != nil {
		t.StoreWord(&x.ref, machine.Value)
		if t.Tracing() {
			t.Saw("%v", val)
		}
		t.Wrote(differ(x.v.Load(), val))
	} else {
		machine.Outside(&x.ref, machine.Value)
	}
	x.v.Store(val)
}

// Swap is Swap of atomic.Value.
func (x *Value) Swap(new any) (old any) {
	t := machine.Current()
	if t == nil {
		machine.Outside(&x.ref, machine.Value)
		return x.v.Swap(new)
	}
	t.ModifyWord(machine.Swap, &x.ref, machine.Value)
	old = x.v.Swap(new)
	t.Wrote(differ(old, new))
	if t.Tracing() {
		t.Saw("%v = %v", new, old)
	}
	return old
}

// CompareAndSwap is CompareAndSwap of atomic.Value.
func (x *Value) CompareAndSwap(old, new any) (swapped bool) {
	if t := machine.Current(); t != nil {
		ok := t.CompareValue(&x.ref, &x.v, old)
		if t.Tracing() {
			t.Saw("%v -> %v = %v", old, new, ok)
		}
		if ok {
			t.Wrote(differ(old, new))
		}
	} else {
		machine.Outside(&x.ref, machine.Value)
	}
	return x.v.CompareAndSwap(old, new)
}

// differ reports whether two values are different. Values that cannot be
// compared are.
func differ(a, b any) (yes bool) {
	defer func() {
		if recover() != nil {
			yes = true
		}
	}()
	return a != b
}
