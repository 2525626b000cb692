package atomic

import (
	"sync/atomic"
	"unsafe"

	loom "github.com/filch-sched/filch/loom/atomic"
)

// Int32 is atomic.Int32, scheduled by package loom.
type Int32 struct{ v atomic.Int32 }

func (x *Int32) at() *int32 { return (*int32)(unsafe.Pointer(&x.v)) }

// Load is Load of atomic.Int32.
func (x *Int32) Load() int32 { return loom.LoadInt32(x.at()) }

// Store is Store of atomic.Int32.
func (x *Int32) Store(val int32) { loom.StoreInt32(x.at(), val) }

// Swap is Swap of atomic.Int32.
func (x *Int32) Swap(new int32) (old int32) { return loom.SwapInt32(x.at(), new) }

// CompareAndSwap is CompareAndSwap of atomic.Int32.
func (x *Int32) CompareAndSwap(old, new int32) (swapped bool) {
	return loom.CompareAndSwapInt32(x.at(), old, new)
}

// Add is Add of atomic.Int32.
func (x *Int32) Add(delta int32) (new int32) { return loom.AddInt32(x.at(), delta) }

// And is And of atomic.Int32.
func (x *Int32) And(mask int32) (old int32) { return loom.AndInt32(x.at(), mask) }

// Or is Or of atomic.Int32.
func (x *Int32) Or(mask int32) (old int32) { return loom.OrInt32(x.at(), mask) }

// Int64 is atomic.Int64, scheduled by package loom.
type Int64 struct{ v atomic.Int64 }

func (x *Int64) at() *int64 { return (*int64)(unsafe.Pointer(&x.v)) }

// Load is Load of atomic.Int64.
func (x *Int64) Load() int64 { return loom.LoadInt64(x.at()) }

// Store is Store of atomic.Int64.
func (x *Int64) Store(val int64) { loom.StoreInt64(x.at(), val) }

// Swap is Swap of atomic.Int64.
func (x *Int64) Swap(new int64) (old int64) { return loom.SwapInt64(x.at(), new) }

// CompareAndSwap is CompareAndSwap of atomic.Int64.
func (x *Int64) CompareAndSwap(old, new int64) (swapped bool) {
	return loom.CompareAndSwapInt64(x.at(), old, new)
}

// Add is Add of atomic.Int64.
func (x *Int64) Add(delta int64) (new int64) { return loom.AddInt64(x.at(), delta) }

// And is And of atomic.Int64.
func (x *Int64) And(mask int64) (old int64) { return loom.AndInt64(x.at(), mask) }

// Or is Or of atomic.Int64.
func (x *Int64) Or(mask int64) (old int64) { return loom.OrInt64(x.at(), mask) }

// Uint32 is atomic.Uint32, scheduled by package loom.
type Uint32 struct{ v atomic.Uint32 }

func (x *Uint32) at() *uint32 { return (*uint32)(unsafe.Pointer(&x.v)) }

// Load is Load of atomic.Uint32.
func (x *Uint32) Load() uint32 { return loom.LoadUint32(x.at()) }

// Store is Store of atomic.Uint32.
func (x *Uint32) Store(val uint32) { loom.StoreUint32(x.at(), val) }

// Swap is Swap of atomic.Uint32.
func (x *Uint32) Swap(new uint32) (old uint32) { return loom.SwapUint32(x.at(), new) }

// CompareAndSwap is CompareAndSwap of atomic.Uint32.
func (x *Uint32) CompareAndSwap(old, new uint32) (swapped bool) {
	return loom.CompareAndSwapUint32(x.at(), old, new)
}

// Add is Add of atomic.Uint32.
func (x *Uint32) Add(delta uint32) (new uint32) { return loom.AddUint32(x.at(), delta) }

// And is And of atomic.Uint32.
func (x *Uint32) And(mask uint32) (old uint32) { return loom.AndUint32(x.at(), mask) }

// Or is Or of atomic.Uint32.
func (x *Uint32) Or(mask uint32) (old uint32) { return loom.OrUint32(x.at(), mask) }

// Uint64 is atomic.Uint64, scheduled by package loom.
type Uint64 struct{ v atomic.Uint64 }

func (x *Uint64) at() *uint64 { return (*uint64)(unsafe.Pointer(&x.v)) }

// Load is Load of atomic.Uint64.
func (x *Uint64) Load() uint64 { return loom.LoadUint64(x.at()) }

// Store is Store of atomic.Uint64.
func (x *Uint64) Store(val uint64) { loom.StoreUint64(x.at(), val) }

// Swap is Swap of atomic.Uint64.
func (x *Uint64) Swap(new uint64) (old uint64) { return loom.SwapUint64(x.at(), new) }

// CompareAndSwap is CompareAndSwap of atomic.Uint64.
func (x *Uint64) CompareAndSwap(old, new uint64) (swapped bool) {
	return loom.CompareAndSwapUint64(x.at(), old, new)
}

// Add is Add of atomic.Uint64.
func (x *Uint64) Add(delta uint64) (new uint64) { return loom.AddUint64(x.at(), delta) }

// And is And of atomic.Uint64.
func (x *Uint64) And(mask uint64) (old uint64) { return loom.AndUint64(x.at(), mask) }

// Or is Or of atomic.Uint64.
func (x *Uint64) Or(mask uint64) (old uint64) { return loom.OrUint64(x.at(), mask) }

// Uintptr is atomic.Uintptr, scheduled by package loom.
type Uintptr struct{ v atomic.Uintptr }

func (x *Uintptr) at() *uintptr { return (*uintptr)(unsafe.Pointer(&x.v)) }

// Load is Load of atomic.Uintptr.
func (x *Uintptr) Load() uintptr { return loom.LoadUintptr(x.at()) }

// Store is Store of atomic.Uintptr.
func (x *Uintptr) Store(val uintptr) { loom.StoreUintptr(x.at(), val) }

// Swap is Swap of atomic.Uintptr.
func (x *Uintptr) Swap(new uintptr) (old uintptr) { return loom.SwapUintptr(x.at(), new) }

// CompareAndSwap is CompareAndSwap of atomic.Uintptr.
func (x *Uintptr) CompareAndSwap(old, new uintptr) (swapped bool) {
	return loom.CompareAndSwapUintptr(x.at(), old, new)
}

// Add is Add of atomic.Uintptr.
func (x *Uintptr) Add(delta uintptr) (new uintptr) { return loom.AddUintptr(x.at(), delta) }

// And is And of atomic.Uintptr.
func (x *Uintptr) And(mask uintptr) (old uintptr) { return loom.AndUintptr(x.at(), mask) }

// Or is Or of atomic.Uintptr.
func (x *Uintptr) Or(mask uintptr) (old uintptr) { return loom.OrUintptr(x.at(), mask) }
