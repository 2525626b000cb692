package atomic

import (
	"unsafe"

	loom "github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/internal/machine"
)

// The function forms know their words by their addresses anyway. They work on
// plain variables, so that they may race with plain accesses.

// seen tells the exploration of an operation that has been done.
func seen(p unsafe.Pointer, write bool) {
	if t := machine.Current(); t != nil {
		t.Atomic(p, write)
	}
}

// LoadInt32 is atomic.LoadInt32.
func LoadInt32(addr *int32) (val int32) {
	val = loom.LoadInt32(addr)
	seen(unsafe.Pointer(addr), false)
	return val
}

// StoreInt32 is atomic.StoreInt32.
func StoreInt32(addr *int32, val int32) {
	loom.StoreInt32(addr, val)
	seen(unsafe.Pointer(addr), true)
}

// SwapInt32 is atomic.SwapInt32.
func SwapInt32(addr *int32, new int32) (old int32) {
	old = loom.SwapInt32(addr, new)
	seen(unsafe.Pointer(addr), true)
	return old
}

// CompareAndSwapInt32 is atomic.CompareAndSwapInt32.
func CompareAndSwapInt32(addr *int32, old, new int32) (swapped bool) {
	swapped = loom.CompareAndSwapInt32(addr, old, new)
	seen(unsafe.Pointer(addr), swapped)
	return swapped
}

// AddInt32 is atomic.AddInt32.
func AddInt32(addr *int32, delta int32) (new int32) {
	new = loom.AddInt32(addr, delta)
	seen(unsafe.Pointer(addr), true)
	return new
}

// AndInt32 is atomic.AndInt32.
func AndInt32(addr *int32, mask int32) (old int32) {
	old = loom.AndInt32(addr, mask)
	seen(unsafe.Pointer(addr), true)
	return old
}

// OrInt32 is atomic.OrInt32.
func OrInt32(addr *int32, mask int32) (old int32) {
	old = loom.OrInt32(addr, mask)
	seen(unsafe.Pointer(addr), true)
	return old
}

// LoadInt64 is atomic.LoadInt64.
func LoadInt64(addr *int64) (val int64) {
	val = loom.LoadInt64(addr)
	seen(unsafe.Pointer(addr), false)
	return val
}

// StoreInt64 is atomic.StoreInt64.
func StoreInt64(addr *int64, val int64) {
	loom.StoreInt64(addr, val)
	seen(unsafe.Pointer(addr), true)
}

// SwapInt64 is atomic.SwapInt64.
func SwapInt64(addr *int64, new int64) (old int64) {
	old = loom.SwapInt64(addr, new)
	seen(unsafe.Pointer(addr), true)
	return old
}

// CompareAndSwapInt64 is atomic.CompareAndSwapInt64.
func CompareAndSwapInt64(addr *int64, old, new int64) (swapped bool) {
	swapped = loom.CompareAndSwapInt64(addr, old, new)
	seen(unsafe.Pointer(addr), swapped)
	return swapped
}

// AddInt64 is atomic.AddInt64.
func AddInt64(addr *int64, delta int64) (new int64) {
	new = loom.AddInt64(addr, delta)
	seen(unsafe.Pointer(addr), true)
	return new
}

// AndInt64 is atomic.AndInt64.
func AndInt64(addr *int64, mask int64) (old int64) {
	old = loom.AndInt64(addr, mask)
	seen(unsafe.Pointer(addr), true)
	return old
}

// OrInt64 is atomic.OrInt64.
func OrInt64(addr *int64, mask int64) (old int64) {
	old = loom.OrInt64(addr, mask)
	seen(unsafe.Pointer(addr), true)
	return old
}

// LoadUint32 is atomic.LoadUint32.
func LoadUint32(addr *uint32) (val uint32) {
	val = loom.LoadUint32(addr)
	seen(unsafe.Pointer(addr), false)
	return val
}

// StoreUint32 is atomic.StoreUint32.
func StoreUint32(addr *uint32, val uint32) {
	loom.StoreUint32(addr, val)
	seen(unsafe.Pointer(addr), true)
}

// SwapUint32 is atomic.SwapUint32.
func SwapUint32(addr *uint32, new uint32) (old uint32) {
	old = loom.SwapUint32(addr, new)
	seen(unsafe.Pointer(addr), true)
	return old
}

// CompareAndSwapUint32 is atomic.CompareAndSwapUint32.
func CompareAndSwapUint32(addr *uint32, old, new uint32) (swapped bool) {
	swapped = loom.CompareAndSwapUint32(addr, old, new)
	seen(unsafe.Pointer(addr), swapped)
	return swapped
}

// AddUint32 is atomic.AddUint32.
func AddUint32(addr *uint32, delta uint32) (new uint32) {
	new = loom.AddUint32(addr, delta)
	seen(unsafe.Pointer(addr), true)
	return new
}

// AndUint32 is atomic.AndUint32.
func AndUint32(addr *uint32, mask uint32) (old uint32) {
	old = loom.AndUint32(addr, mask)
	seen(unsafe.Pointer(addr), true)
	return old
}

// OrUint32 is atomic.OrUint32.
func OrUint32(addr *uint32, mask uint32) (old uint32) {
	old = loom.OrUint32(addr, mask)
	seen(unsafe.Pointer(addr), true)
	return old
}

// LoadUint64 is atomic.LoadUint64.
func LoadUint64(addr *uint64) (val uint64) {
	val = loom.LoadUint64(addr)
	seen(unsafe.Pointer(addr), false)
	return val
}

// StoreUint64 is atomic.StoreUint64.
func StoreUint64(addr *uint64, val uint64) {
	loom.StoreUint64(addr, val)
	seen(unsafe.Pointer(addr), true)
}

// SwapUint64 is atomic.SwapUint64.
func SwapUint64(addr *uint64, new uint64) (old uint64) {
	old = loom.SwapUint64(addr, new)
	seen(unsafe.Pointer(addr), true)
	return old
}

// CompareAndSwapUint64 is atomic.CompareAndSwapUint64.
func CompareAndSwapUint64(addr *uint64, old, new uint64) (swapped bool) {
	swapped = loom.CompareAndSwapUint64(addr, old, new)
	seen(unsafe.Pointer(addr), swapped)
	return swapped
}

// AddUint64 is atomic.AddUint64.
func AddUint64(addr *uint64, delta uint64) (new uint64) {
	new = loom.AddUint64(addr, delta)
	seen(unsafe.Pointer(addr), true)
	return new
}

// AndUint64 is atomic.AndUint64.
func AndUint64(addr *uint64, mask uint64) (old uint64) {
	old = loom.AndUint64(addr, mask)
	seen(unsafe.Pointer(addr), true)
	return old
}

// OrUint64 is atomic.OrUint64.
func OrUint64(addr *uint64, mask uint64) (old uint64) {
	old = loom.OrUint64(addr, mask)
	seen(unsafe.Pointer(addr), true)
	return old
}

// LoadUintptr is atomic.LoadUintptr.
func LoadUintptr(addr *uintptr) (val uintptr) {
	val = loom.LoadUintptr(addr)
	seen(unsafe.Pointer(addr), false)
	return val
}

// StoreUintptr is atomic.StoreUintptr.
func StoreUintptr(addr *uintptr, val uintptr) {
	loom.StoreUintptr(addr, val)
	seen(unsafe.Pointer(addr), true)
}

// SwapUintptr is atomic.SwapUintptr.
func SwapUintptr(addr *uintptr, new uintptr) (old uintptr) {
	old = loom.SwapUintptr(addr, new)
	seen(unsafe.Pointer(addr), true)
	return old
}

// CompareAndSwapUintptr is atomic.CompareAndSwapUintptr.
func CompareAndSwapUintptr(addr *uintptr, old, new uintptr) (swapped bool) {
	swapped = loom.CompareAndSwapUintptr(addr, old, new)
	seen(unsafe.Pointer(addr), swapped)
	return swapped
}

// AddUintptr is atomic.AddUintptr.
func AddUintptr(addr *uintptr, delta uintptr) (new uintptr) {
	new = loom.AddUintptr(addr, delta)
	seen(unsafe.Pointer(addr), true)
	return new
}

// AndUintptr is atomic.AndUintptr.
func AndUintptr(addr *uintptr, mask uintptr) (old uintptr) {
	old = loom.AndUintptr(addr, mask)
	seen(unsafe.Pointer(addr), true)
	return old
}

// OrUintptr is atomic.OrUintptr.
func OrUintptr(addr *uintptr, mask uintptr) (old uintptr) {
	old = loom.OrUintptr(addr, mask)
	seen(unsafe.Pointer(addr), true)
	return old
}

// LoadPointer is atomic.LoadPointer.
func LoadPointer(addr *unsafe.Pointer) (val unsafe.Pointer) {
	val = loom.LoadPointer(addr)
	seen(unsafe.Pointer(addr), false)
	return val
}

// StorePointer is atomic.StorePointer.
func StorePointer(addr *unsafe.Pointer, val unsafe.Pointer) {
	loom.StorePointer(addr, val)
	seen(unsafe.Pointer(addr), true)
}

// SwapPointer is atomic.SwapPointer.
func SwapPointer(addr *unsafe.Pointer, new unsafe.Pointer) (old unsafe.Pointer) {
	old = loom.SwapPointer(addr, new)
	seen(unsafe.Pointer(addr), true)
	return old
}

// CompareAndSwapPointer is atomic.CompareAndSwapPointer.
func CompareAndSwapPointer(addr *unsafe.Pointer, old, new unsafe.Pointer) (swapped bool) {
	swapped = loom.CompareAndSwapPointer(addr, old, new)
	seen(unsafe.Pointer(addr), swapped)
	return swapped
}
