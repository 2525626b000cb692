// Package atomic stands in for sync/atomic in source that "go tool loom" has
// rewritten. It is loom/atomic with types of the size and layout of those of
// sync/atomic, on which the source may depend: an exploration knows the words by
// their addresses.
package atomic

import (
	"sync/atomic"
	"unsafe"

	loom "github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/internal/machine"
)

// Pointer is atomic.Pointer, scheduled by package loom.
type Pointer[T any] struct {
	_ [0]*T // as in sync/atomic: no conversion between element types
	v unsafe.Pointer
}

// Load is Load of atomic.Pointer.
func (x *Pointer[T]) Load() *T { return (*T)(loom.LoadPointer(&x.v)) }

// Store is Store of atomic.Pointer.
func (x *Pointer[T]) Store(val *T) { loom.StorePointer(&x.v, unsafe.Pointer(val)) }

// Swap is Swap of atomic.Pointer.
func (x *Pointer[T]) Swap(new *T) (old *T) {
	return (*T)(loom.SwapPointer(&x.v, unsafe.Pointer(new)))
}

// CompareAndSwap is CompareAndSwap of atomic.Pointer.
func (x *Pointer[T]) CompareAndSwap(old, new *T) (swapped bool) {
	return loom.CompareAndSwapPointer(&x.v, unsafe.Pointer(old), unsafe.Pointer(new))
}

// Bool is atomic.Bool, scheduled by package loom.
type Bool struct{ v Uint32 }

func word(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

// Load is Load of atomic.Bool.
func (x *Bool) Load() bool { return x.v.Load() != 0 }

// Store is Store of atomic.Bool.
func (x *Bool) Store(val bool) { x.v.Store(word(val)) }

// Swap is Swap of atomic.Bool.
func (x *Bool) Swap(new bool) (old bool) { return x.v.Swap(word(new)) != 0 }

// CompareAndSwap is CompareAndSwap of atomic.Bool.
func (x *Bool) CompareAndSwap(old, new bool) (swapped bool) {
	return x.v.CompareAndSwap(word(old), word(new))
}

// Value is atomic.Value, scheduled by package loom.
type Value struct{ v atomic.Value }

// thread returns the calling thread of the exploration and what it knows the
// value by; nil if there is none.
func (x *Value) thread() (*machine.Thread, *machine.Ref) {
	t := machine.Current()
	if t == nil {
		machine.OutsideAt(unsafe.Pointer(x))
		return nil, nil
	}
	return t, t.At(unsafe.Pointer(x))
}

// Load is Load of atomic.Value.
func (x *Value) Load() (val any) {
	if t, r := x.thread(); t != nil {
		t.LoadWord(r, machine.Value)
	}
	return x.v.Load()
}

// Store is Store of atomic.Value.
func (x *Value) Store(val any) {
	if t, r := x.thread(); t != nil {
		t.StoreWord(r, machine.Value)
		t.Wrote(differ(x.v.Load(), val))
	}
	x.v.Store(val)
}

// Swap is Swap of atomic.Value.
func (x *Value) Swap(new any) (old any) {
	if t, r := x.thread(); t != nil {
		t.ModifyWord(machine.Swap, r, machine.Value)
		t.Wrote(differ(x.v.Load(), new))
	}
	return x.v.Swap(new)
}

// CompareAndSwap is CompareAndSwap of atomic.Value.
func (x *Value) CompareAndSwap(old, new any) (swapped bool) {
	if t, r := x.thread(); t != nil && t.CompareValue(r, &x.v, old) {
		t.Wrote(differ(old, new))
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
