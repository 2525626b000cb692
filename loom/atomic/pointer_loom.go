//go:build loom

package atomic

import (
	"fmt"
	"sync/atomic"
	"unsafe"

	"github.com/filch-sched/filch/loom/internal/machine"
)

// Pointer is atomic.Pointer, scheduled by package loom.
type Pointer[T any] struct {
	_   [0]*T // as in sync/atomic: no conversion between element types
	v   unsafe.Pointer
	ref machine.Ref
}

// Load is Load of atomic.Pointer.
func (x *Pointer[T]) Load() *T { return observe((*T)(load(&x.v, &x.ref))) }

// Store is Store of atomic.Pointer.
func (x *Pointer[T]) Store(val *T) { store(&x.v, &x.ref, unsafe.Pointer(val)) }

// Swap is Swap of atomic.Pointer.
func (x *Pointer[T]) Swap(new *T) (old *T) {
	return observe((*T)(swap(&x.v, &x.ref, unsafe.Pointer(new))))
}

// CompareAndSwap is CompareAndSwap of atomic.Pointer.
func (x *Pointer[T]) CompareAndSwap(old, new *T) (swapped bool) {
	return compareAndSwap(&x.v, &x.ref, unsafe.Pointer(old), unsafe.Pointer(new))
}

// observe tells the machine what pointer an operation returned, with its type,
// and returns it.
func observe[T any](p *T) *T {
	if t := machine.Observer(); t != nil {
		t.ObserveAny(p)
	}
	return p
}

// LoadPointer is atomic.LoadPointer.
func LoadPointer(addr *unsafe.Pointer) (val unsafe.Pointer) { return load(addr, nil) }

// StorePointer is atomic.StorePointer.
func StorePointer(addr *unsafe.Pointer, val unsafe.Pointer) { store(addr, nil, val) }

// SwapPointer is atomic.SwapPointer.
func SwapPointer(addr *unsafe.Pointer, new unsafe.Pointer) (old unsafe.Pointer) {
	return swap(addr, nil, new)
}

// CompareAndSwapPointer is atomic.CompareAndSwapPointer.
func CompareAndSwapPointer(addr *unsafe.Pointer, old, new unsafe.Pointer) (swapped bool) {
	return compareAndSwap(addr, nil, old, new)
}

// refOf returns what the machine knows the pointer at addr by.
func refOf(t *machine.Thread, addr *unsafe.Pointer, ref *machine.Ref) *machine.Ref {
	if ref != nil {
		return ref
	}
	return t.WordAt(unsafe.Pointer(addr), unsafe.Sizeof(*addr))
}

// begin is called before a goroutine that is no thread of the model uses the
// pointer at addr: see machine.Begin.
func begin(addr *unsafe.Pointer, ref *machine.Ref, op string) *machine.Recorder {
	if ref != nil {
		return machine.Begin(ref, nil, machine.Pointer, op)
	}
	return machine.Begin(nil, unsafe.Pointer(addr), machine.Pointer, op)
}

// address prints a pointer for a record: within a process the same one is printed
// the same.
func address(p unsafe.Pointer) string { return fmt.Sprintf("%#x", uintptr(p)) }

func load(addr *unsafe.Pointer, ref *machine.Ref) unsafe.Pointer {
	t := machine.Current()
	if t == nil {
		e := begin(addr, ref, "Load")
		p := atomic.LoadPointer(addr)
		if e != nil {
			e.Done("", address(p))
		}
		return p
	}
	t.LoadWord(refOf(t, addr, ref), machine.Pointer)
	p := atomic.LoadPointer(addr)
	if t.Tracing() {
		t.Saw("= %s", t.Pointer(p))
	}
	return p
}

func store(addr *unsafe.Pointer, ref *machine.Ref, p unsafe.Pointer) {
	t := machine.Current()
	if t == nil {
		e := begin(addr, ref, "Store")
		atomic.StorePointer(addr, p)
		if e != nil {
			e.Done(address(p), "")
		}
		return
	}
	t.StoreWord(refOf(t, addr, ref), machine.Pointer)
	if t.Tracing() {
		t.Saw("%s", t.Pointer(p))
	}
	t.Wrote(atomic.LoadPointer(addr) != p)
	atomic.StorePointer(addr, p)
}

func swap(addr *unsafe.Pointer, ref *machine.Ref, p unsafe.Pointer) unsafe.Pointer {
	t := machine.Current()
	if t == nil {
		e := begin(addr, ref, "Swap")
		old := atomic.SwapPointer(addr, p)
		if e != nil {
			e.Done(address(p), address(old))
		}
		return old
	}
	t.ModifyWord(machine.Swap, refOf(t, addr, ref), machine.Pointer)
	old := atomic.SwapPointer(addr, p)
	t.Wrote(old != p)
	if t.Tracing() {
		t.Saw("%s = %s", t.Pointer(p), t.Pointer(old))
	}
	return old
}

func compareAndSwap(addr *unsafe.Pointer, ref *machine.Ref, old, new unsafe.Pointer) bool {
	t := machine.Current()
	if t == nil {
		e := begin(addr, ref, "CompareAndSwap")
		ok := atomic.CompareAndSwapPointer(addr, old, new)
		if e != nil {
			e.Done(address(old)+" -> "+address(new), fmt.Sprint(ok))
		}
		return ok
	}
	ok := t.CompareWord(refOf(t, addr, ref), machine.Pointer, unsafe.Pointer(addr), unsafe.Sizeof(old), uint64(uintptr(old)))
	if t.Tracing() {
		t.Saw("%s -> %s = %v", t.Pointer(old), t.Pointer(new), ok)
	}
	if ok {
		t.Wrote(old != new)
	}
	return atomic.CompareAndSwapPointer(addr, old, new)
}
