//go:build loom

package atomic

import (
	"unsafe"

	"github.com/filch-sched/filch/loom/internal/machine"
)

// The function forms work on plain variables, which the machine knows by their
// address. The types of sync/atomic have the layout of the plain word, so the
// two forms share one implementation.

func atInt32(addr *int32) word[int32] {
	return word[int32]{at[int32]{unsafe.Pointer(addr)}, nil, machine.Int}
}

// LoadInt32 is atomic.LoadInt32.
func LoadInt32(addr *int32) (val int32) { return atInt32(addr).load() }

// StoreInt32 is atomic.StoreInt32.
func StoreInt32(addr *int32, val int32) { atInt32(addr).store(val) }

// SwapInt32 is atomic.SwapInt32.
func SwapInt32(addr *int32, new int32) (old int32) { return atInt32(addr).swap(new) }

// CompareAndSwapInt32 is atomic.CompareAndSwapInt32.
func CompareAndSwapInt32(addr *int32, old, new int32) (swapped bool) {
	return atInt32(addr).compareAndSwap(old, new)
}

// AddInt32 is atomic.AddInt32.
func AddInt32(addr *int32, delta int32) (new int32) { return atInt32(addr).add(delta) }

// AndInt32 is atomic.AndInt32.
func AndInt32(addr *int32, mask int32) (old int32) { return atInt32(addr).and(mask) }

// OrInt32 is atomic.OrInt32.
func OrInt32(addr *int32, mask int32) (old int32) { return atInt32(addr).or(mask) }

func atInt64(addr *int64) word[int64] {
	return word[int64]{at[int64]{unsafe.Pointer(addr)}, nil, machine.Int}
}

// LoadInt64 is atomic.LoadInt64.
func LoadInt64(addr *int64) (val int64) { return atInt64(addr).load() }

// StoreInt64 is atomic.StoreInt64.
func StoreInt64(addr *int64, val int64) { atInt64(addr).store(val) }

// SwapInt64 is atomic.SwapInt64.
func SwapInt64(addr *int64, new int64) (old int64) { return atInt64(addr).swap(new) }

// CompareAndSwapInt64 is atomic.CompareAndSwapInt64.
func CompareAndSwapInt64(addr *int64, old, new int64) (swapped bool) {
	return atInt64(addr).compareAndSwap(old, new)
}

// AddInt64 is atomic.AddInt64.
func AddInt64(addr *int64, delta int64) (new int64) { return atInt64(addr).add(delta) }

// AndInt64 is atomic.AndInt64.
func AndInt64(addr *int64, mask int64) (old int64) { return atInt64(addr).and(mask) }

// OrInt64 is atomic.OrInt64.
func OrInt64(addr *int64, mask int64) (old int64) { return atInt64(addr).or(mask) }

func atUint32(addr *uint32) word[uint32] {
	return word[uint32]{at[uint32]{unsafe.Pointer(addr)}, nil, machine.Uint}
}

// LoadUint32 is atomic.LoadUint32.
func LoadUint32(addr *uint32) (val uint32) { return atUint32(addr).load() }

// StoreUint32 is atomic.StoreUint32.
func StoreUint32(addr *uint32, val uint32) { atUint32(addr).store(val) }

// SwapUint32 is atomic.SwapUint32.
func SwapUint32(addr *uint32, new uint32) (old uint32) { return atUint32(addr).swap(new) }

// CompareAndSwapUint32 is atomic.CompareAndSwapUint32.
func CompareAndSwapUint32(addr *uint32, old, new uint32) (swapped bool) {
	return atUint32(addr).compareAndSwap(old, new)
}

// AddUint32 is atomic.AddUint32.
func AddUint32(addr *uint32, delta uint32) (new uint32) { return atUint32(addr).add(delta) }

// AndUint32 is atomic.AndUint32.
func AndUint32(addr *uint32, mask uint32) (old uint32) { return atUint32(addr).and(mask) }

// OrUint32 is atomic.OrUint32.
func OrUint32(addr *uint32, mask uint32) (old uint32) { return atUint32(addr).or(mask) }

func atUint64(addr *uint64) word[uint64] {
	return word[uint64]{at[uint64]{unsafe.Pointer(addr)}, nil, machine.Uint}
}

// LoadUint64 is atomic.LoadUint64.
func LoadUint64(addr *uint64) (val uint64) { return atUint64(addr).load() }

// StoreUint64 is atomic.StoreUint64.
func StoreUint64(addr *uint64, val uint64) { atUint64(addr).store(val) }

// SwapUint64 is atomic.SwapUint64.
func SwapUint64(addr *uint64, new uint64) (old uint64) { return atUint64(addr).swap(new) }

// CompareAndSwapUint64 is atomic.CompareAndSwapUint64.
func CompareAndSwapUint64(addr *uint64, old, new uint64) (swapped bool) {
	return atUint64(addr).compareAndSwap(old, new)
}

// AddUint64 is atomic.AddUint64.
func AddUint64(addr *uint64, delta uint64) (new uint64) { return atUint64(addr).add(delta) }

// AndUint64 is atomic.AndUint64.
func AndUint64(addr *uint64, mask uint64) (old uint64) { return atUint64(addr).and(mask) }

// OrUint64 is atomic.OrUint64.
func OrUint64(addr *uint64, mask uint64) (old uint64) { return atUint64(addr).or(mask) }

func atUintptr(addr *uintptr) word[uintptr] {
	return word[uintptr]{at[uintptr]{unsafe.Pointer(addr)}, nil, machine.Uint}
}

// LoadUintptr is atomic.LoadUintptr.
func LoadUintptr(addr *uintptr) (val uintptr) { return atUintptr(addr).load() }

// StoreUintptr is atomic.StoreUintptr.
func StoreUintptr(addr *uintptr, val uintptr) { atUintptr(addr).store(val) }

// SwapUintptr is atomic.SwapUintptr.
func SwapUintptr(addr *uintptr, new uintptr) (old uintptr) { return atUintptr(addr).swap(new) }

// CompareAndSwapUintptr is atomic.CompareAndSwapUintptr.
func CompareAndSwapUintptr(addr *uintptr, old, new uintptr) (swapped bool) {
	return atUintptr(addr).compareAndSwap(old, new)
}

// AddUintptr is atomic.AddUintptr.
func AddUintptr(addr *uintptr, delta uintptr) (new uintptr) { return atUintptr(addr).add(delta) }

// AndUintptr is atomic.AndUintptr.
func AndUintptr(addr *uintptr, mask uintptr) (old uintptr) { return atUintptr(addr).and(mask) }

// OrUintptr is atomic.OrUintptr.
func OrUintptr(addr *uintptr, mask uintptr) (old uintptr) { return atUintptr(addr).or(mask) }
