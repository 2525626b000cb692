//go:build loom

package atomic

import (
	"sync/atomic"
	"unsafe"
)

// at is the real word at an address: the operations of sync/atomic on it, by its
// size. The compiler knows the size of each T, so there is no branch left, and no
// dynamic call as there would be through an interface.
type at[T number] struct{ p unsafe.Pointer }

// small reports whether the word has 4 bytes, not 8.
func (a at[T]) small() bool {
	var v T
	return unsafe.Sizeof(v) == 4
}

func (a at[T]) w32() *uint32 { return (*uint32)(a.p) }
func (a at[T]) w64() *uint64 { return (*uint64)(a.p) }

func (a at[T]) Load() T {
	if a.small() {
		return T(atomic.LoadUint32(a.w32()))
	}
	return T(atomic.LoadUint64(a.w64()))
}

func (a at[T]) Store(v T) {
	if a.small() {
		atomic.StoreUint32(a.w32(), uint32(v))
		return
	}
	atomic.StoreUint64(a.w64(), uint64(v))
}

func (a at[T]) Swap(v T) T {
	if a.small() {
		return T(atomic.SwapUint32(a.w32(), uint32(v)))
	}
	return T(atomic.SwapUint64(a.w64(), uint64(v)))
}

func (a at[T]) CompareAndSwap(old, new T) bool {
	if a.small() {
		return atomic.CompareAndSwapUint32(a.w32(), uint32(old), uint32(new))
	}
	return atomic.CompareAndSwapUint64(a.w64(), uint64(old), uint64(new))
}

func (a at[T]) Add(delta T) T {
	if a.small() {
		return T(atomic.AddUint32(a.w32(), uint32(delta)))
	}
	return T(atomic.AddUint64(a.w64(), uint64(delta)))
}

func (a at[T]) And(mask T) T {
	if a.small() {
		return T(atomic.AndUint32(a.w32(), uint32(mask)))
	}
	return T(atomic.AndUint64(a.w64(), uint64(mask)))
}

func (a at[T]) Or(mask T) T {
	if a.small() {
		return T(atomic.OrUint32(a.w32(), uint32(mask)))
	}
	return T(atomic.OrUint64(a.w64(), uint64(mask)))
}
