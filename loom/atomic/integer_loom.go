//go:build loom

package atomic

import (
	"sync/atomic"
	"unsafe"

	"github.com/filch-sched/filch/loom/internal/machine"
)

// Int32 is atomic.Int32, scheduled by package loom.
type Int32 struct {
	v   atomic.Int32
	ref machine.Ref
}

func (x *Int32) w() word[int32] {
	return word[int32]{at[int32]{unsafe.Pointer(&x.v)}, &x.ref, machine.Int}
}

// Load is Load of atomic.Int32.
func (x *Int32) Load() int32 { return x.w().load() }

// Store is Store of atomic.Int32.
func (x *Int32) Store(val int32) { x.w().store(val) }

// Swap is Swap of atomic.Int32.
func (x *Int32) Swap(new int32) (old int32) { return x.w().swap(new) }

// CompareAndSwap is CompareAndSwap of atomic.Int32.
func (x *Int32) CompareAndSwap(old, new int32) (swapped bool) { return x.w().compareAndSwap(old, new) }

// Add is Add of atomic.Int32.
func (x *Int32) Add(delta int32) (new int32) { return x.w().add(delta) }

// And is And of atomic.Int32.
func (x *Int32) And(mask int32) (old int32) { return x.w().and(mask) }

// Or is Or of atomic.Int32.
func (x *Int32) Or(mask int32) (old int32) { return x.w().or(mask) }

// Int64 is atomic.Int64, scheduled by package loom.
type Int64 struct {
	v   atomic.Int64
	ref machine.Ref
}

func (x *Int64) w() word[int64] {
	return word[int64]{at[int64]{unsafe.Pointer(&x.v)}, &x.ref, machine.Int}
}

// Load is Load of atomic.Int64.
func (x *Int64) Load() int64 { return x.w().load() }

// Store is Store of atomic.Int64.
func (x *Int64) Store(val int64) { x.w().store(val) }

// Swap is Swap of atomic.Int64.
func (x *Int64) Swap(new int64) (old int64) { return x.w().swap(new) }

// CompareAndSwap is CompareAndSwap of atomic.Int64.
func (x *Int64) CompareAndSwap(old, new int64) (swapped bool) { return x.w().compareAndSwap(old, new) }

// Add is Add of atomic.Int64.
func (x *Int64) Add(delta int64) (new int64) { return x.w().add(delta) }

// And is And of atomic.Int64.
func (x *Int64) And(mask int64) (old int64) { return x.w().and(mask) }

// Or is Or of atomic.Int64.
func (x *Int64) Or(mask int64) (old int64) { return x.w().or(mask) }

// Uint32 is atomic.Uint32, scheduled by package loom.
type Uint32 struct {
	v   atomic.Uint32
	ref machine.Ref
}

func (x *Uint32) w() word[uint32] {
	return word[uint32]{at[uint32]{unsafe.Pointer(&x.v)}, &x.ref, machine.Uint}
}

// Load is Load of atomic.Uint32.
func (x *Uint32) Load() uint32 { return x.w().load() }

// Store is Store of atomic.Uint32.
func (x *Uint32) Store(val uint32) { x.w().store(val) }

// Swap is Swap of atomic.Uint32.
func (x *Uint32) Swap(new uint32) (old uint32) { return x.w().swap(new) }

// CompareAndSwap is CompareAndSwap of atomic.Uint32.
func (x *Uint32) CompareAndSwap(old, new uint32) (swapped bool) {
	return x.w().compareAndSwap(old, new)
}

// Add is Add of atomic.Uint32.
func (x *Uint32) Add(delta uint32) (new uint32) { return x.w().add(delta) }

// And is And of atomic.Uint32.
func (x *Uint32) And(mask uint32) (old uint32) { return x.w().and(mask) }

// Or is Or of atomic.Uint32.
func (x *Uint32) Or(mask uint32) (old uint32) { return x.w().or(mask) }

// Uint64 is atomic.Uint64, scheduled by package loom.
type Uint64 struct {
	v   atomic.Uint64
	ref machine.Ref
}

func (x *Uint64) w() word[uint64] {
	return word[uint64]{at[uint64]{unsafe.Pointer(&x.v)}, &x.ref, machine.Uint}
}

// Load is Load of atomic.Uint64.
func (x *Uint64) Load() uint64 { return x.w().load() }

// Store is Store of atomic.Uint64.
func (x *Uint64) Store(val uint64) { x.w().store(val) }

// Swap is Swap of atomic.Uint64.
func (x *Uint64) Swap(new uint64) (old uint64) { return x.w().swap(new) }

// CompareAndSwap is CompareAndSwap of atomic.Uint64.
func (x *Uint64) CompareAndSwap(old, new uint64) (swapped bool) {
	return x.w().compareAndSwap(old, new)
}

// Add is Add of atomic.Uint64.
func (x *Uint64) Add(delta uint64) (new uint64) { return x.w().add(delta) }

// And is And of atomic.Uint64.
func (x *Uint64) And(mask uint64) (old uint64) { return x.w().and(mask) }

// Or is Or of atomic.Uint64.
func (x *Uint64) Or(mask uint64) (old uint64) { return x.w().or(mask) }

// Uintptr is atomic.Uintptr, scheduled by package loom.
type Uintptr struct {
	v   atomic.Uintptr
	ref machine.Ref
}

func (x *Uintptr) w() word[uintptr] {
	return word[uintptr]{at[uintptr]{unsafe.Pointer(&x.v)}, &x.ref, machine.Uint}
}

// Load is Load of atomic.Uintptr.
func (x *Uintptr) Load() uintptr { return x.w().load() }

// Store is Store of atomic.Uintptr.
func (x *Uintptr) Store(val uintptr) { x.w().store(val) }

// Swap is Swap of atomic.Uintptr.
func (x *Uintptr) Swap(new uintptr) (old uintptr) { return x.w().swap(new) }

// CompareAndSwap is CompareAndSwap of atomic.Uintptr.
func (x *Uintptr) CompareAndSwap(old, new uintptr) (swapped bool) {
	return x.w().compareAndSwap(old, new)
}

// Add is Add of atomic.Uintptr.
func (x *Uintptr) Add(delta uintptr) (new uintptr) { return x.w().add(delta) }

// And is And of atomic.Uintptr.
func (x *Uintptr) And(mask uintptr) (old uintptr) { return x.w().and(mask) }

// Or is Or of atomic.Uintptr.
func (x *Uintptr) Or(mask uintptr) (old uintptr) { return x.w().or(mask) }
