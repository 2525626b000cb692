package atomic

import (
	"unsafe"

	loom "github.com/filch-sched/filch/loom/atomic"
)

// The function forms know their words by their addresses anyway.

// LoadInt32 is atomic.LoadInt32.
func LoadInt32(addr *int32) (val int32) { return loom.LoadInt32(addr) }

// StoreInt32 is atomic.StoreInt32.
func StoreInt32(addr *int32, val int32) { loom.StoreInt32(addr, val) }

// SwapInt32 is atomic.SwapInt32.
func SwapInt32(addr *int32, new int32) (old int32) { return loom.SwapInt32(addr, new) }

// CompareAndSwapInt32 is atomic.CompareAndSwapInt32.
func CompareAndSwapInt32(addr *int32, old, new int32) (swapped bool) {
	return loom.CompareAndSwapInt32(addr, old, new)
}

// AddInt32 is atomic.AddInt32.
func AddInt32(addr *int32, delta int32) (new int32) { return loom.AddInt32(addr, delta) }

// AndInt32 is atomic.AndInt32.
func AndInt32(addr *int32, mask int32) (old int32) { return loom.AndInt32(addr, mask) }

// OrInt32 is atomic.OrInt32.
func OrInt32(addr *int32, mask int32) (old int32) { return loom.OrInt32(addr, mask) }

// LoadInt64 is atomic.LoadInt64.
func LoadInt64(addr *int64) (val int64) { return loom.LoadInt64(addr) }

// StoreInt64 is atomic.StoreInt64.
func StoreInt64(addr *int64, val int64) { loom.StoreInt64(addr, val) }

// SwapInt64 is atomic.SwapInt64.
func SwapInt64(addr *int64, new int64) (old int64) { return loom.SwapInt64(addr, new) }

// CompareAndSwapInt64 is atomic.CompareAndSwapInt64.
func CompareAndSwapInt64(addr *int64, old, new int64) (swapped bool) {
	return loom.CompareAndSwapInt64(addr, old, new)
}

// AddInt64 is atomic.AddInt64.
func AddInt64(addr *int64, delta int64) (new int64) { return loom.AddInt64(addr, delta) }

// AndInt64 is atomic.AndInt64.
func AndInt64(addr *int64, mask int64) (old int64) { return loom.AndInt64(addr, mask) }

// OrInt64 is atomic.OrInt64.
func OrInt64(addr *int64, mask int64) (old int64) { return loom.OrInt64(addr, mask) }

// LoadUint32 is atomic.LoadUint32.
func LoadUint32(addr *uint32) (val uint32) { return loom.LoadUint32(addr) }

// StoreUint32 is atomic.StoreUint32.
func StoreUint32(addr *uint32, val uint32) { loom.StoreUint32(addr, val) }

// SwapUint32 is atomic.SwapUint32.
func SwapUint32(addr *uint32, new uint32) (old uint32) { return loom.SwapUint32(addr, new) }

// CompareAndSwapUint32 is atomic.CompareAndSwapUint32.
func CompareAndSwapUint32(addr *uint32, old, new uint32) (swapped bool) {
	return loom.CompareAndSwapUint32(addr, old, new)
}

// AddUint32 is atomic.AddUint32.
func AddUint32(addr *uint32, delta uint32) (new uint32) { return loom.AddUint32(addr, delta) }

// AndUint32 is atomic.AndUint32.
func AndUint32(addr *uint32, mask uint32) (old uint32) { return loom.AndUint32(addr, mask) }

// OrUint32 is atomic.OrUint32.
func OrUint32(addr *uint32, mask uint32) (old uint32) { return loom.OrUint32(addr, mask) }

// LoadUint64 is atomic.LoadUint64.
func LoadUint64(addr *uint64) (val uint64) { return loom.LoadUint64(addr) }

// StoreUint64 is atomic.StoreUint64.
func StoreUint64(addr *uint64, val uint64) { loom.StoreUint64(addr, val) }

// SwapUint64 is atomic.SwapUint64.
func SwapUint64(addr *uint64, new uint64) (old uint64) { return loom.SwapUint64(addr, new) }

// CompareAndSwapUint64 is atomic.CompareAndSwapUint64.
func CompareAndSwapUint64(addr *uint64, old, new uint64) (swapped bool) {
	return loom.CompareAndSwapUint64(addr, old, new)
}

// AddUint64 is atomic.AddUint64.
func AddUint64(addr *uint64, delta uint64) (new uint64) { return loom.AddUint64(addr, delta) }

// AndUint64 is atomic.AndUint64.
func AndUint64(addr *uint64, mask uint64) (old uint64) { return loom.AndUint64(addr, mask) }

// OrUint64 is atomic.OrUint64.
func OrUint64(addr *uint64, mask uint64) (old uint64) { return loom.OrUint64(addr, mask) }

// LoadUintptr is atomic.LoadUintptr.
func LoadUintptr(addr *uintptr) (val uintptr) { return loom.LoadUintptr(addr) }

// StoreUintptr is atomic.StoreUintptr.
func StoreUintptr(addr *uintptr, val uintptr) { loom.StoreUintptr(addr, val) }

// SwapUintptr is atomic.SwapUintptr.
func SwapUintptr(addr *uintptr, new uintptr) (old uintptr) { return loom.SwapUintptr(addr, new) }

// CompareAndSwapUintptr is atomic.CompareAndSwapUintptr.
func CompareAndSwapUintptr(addr *uintptr, old, new uintptr) (swapped bool) {
	return loom.CompareAndSwapUintptr(addr, old, new)
}

// AddUintptr is atomic.AddUintptr.
func AddUintptr(addr *uintptr, delta uintptr) (new uintptr) { return loom.AddUintptr(addr, delta) }

// AndUintptr is atomic.AndUintptr.
func AndUintptr(addr *uintptr, mask uintptr) (old uintptr) { return loom.AndUintptr(addr, mask) }

// OrUintptr is atomic.OrUintptr.
func OrUintptr(addr *uintptr, mask uintptr) (old uintptr) { return loom.OrUintptr(addr, mask) }

// LoadPointer is atomic.LoadPointer.
func LoadPointer(addr *unsafe.Pointer) (val unsafe.Pointer) { return loom.LoadPointer(addr) }

// StorePointer is atomic.StorePointer.
func StorePointer(addr *unsafe.Pointer, val unsafe.Pointer) { loom.StorePointer(addr, val) }

// SwapPointer is atomic.SwapPointer.
func SwapPointer(addr *unsafe.Pointer, new unsafe.Pointer) (old unsafe.Pointer) {
	return loom.SwapPointer(addr, new)
}

// CompareAndSwapPointer is atomic.CompareAndSwapPointer.
func CompareAndSwapPointer(addr *unsafe.Pointer, old, new unsafe.Pointer) (swapped bool) {
	return loom.CompareAndSwapPointer(addr, old, new)
}
