//go:build !loom

package atomic

import "unsafe"

// reexport calls every method once. It never runs. The compiler hands the body
// of a method of sync/atomic on to the packages that import this one only if it
// has inlined it here: without reexport the methods of the aliases are calls, and
// an atomic operation costs twice what it should.
func reexport() {
	var xInt32 Int32
	xInt32.Store(xInt32.Load())
	xInt32.Swap(0)
	xInt32.CompareAndSwap(0, 0)
	xInt32.Add(0)
	xInt32.And(0)
	xInt32.Or(0)
	var xInt64 Int64
	xInt64.Store(xInt64.Load())
	xInt64.Swap(0)
	xInt64.CompareAndSwap(0, 0)
	xInt64.Add(0)
	xInt64.And(0)
	xInt64.Or(0)
	var xUint32 Uint32
	xUint32.Store(xUint32.Load())
	xUint32.Swap(0)
	xUint32.CompareAndSwap(0, 0)
	xUint32.Add(0)
	xUint32.And(0)
	xUint32.Or(0)
	var xUint64 Uint64
	xUint64.Store(xUint64.Load())
	xUint64.Swap(0)
	xUint64.CompareAndSwap(0, 0)
	xUint64.Add(0)
	xUint64.And(0)
	xUint64.Or(0)
	var xUintptr Uintptr
	xUintptr.Store(xUintptr.Load())
	xUintptr.Swap(0)
	xUintptr.CompareAndSwap(0, 0)
	xUintptr.Add(0)
	xUintptr.And(0)
	xUintptr.Or(0)
	var xBool Bool
	xBool.Store(xBool.Load())
	xBool.Swap(false)
	xBool.CompareAndSwap(false, false)
	var xPointer Pointer[unsafe.Pointer]
	xPointer.Store(xPointer.Load())
	xPointer.Swap(nil)
	xPointer.CompareAndSwap(nil, nil)
}

var _ = reexport
