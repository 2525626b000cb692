//go:build loom

package atomic

import (
	"fmt"
	"unsafe"

	"github.com/filch-sched/filch/loom/internal/machine"
)

// number is what the integer words hold.
type number interface {
	int32 | int64 | uint32 | uint64 | uintptr
}

// word is a word with what the machine knows of it. Its methods do the real
// operation, as a step of the machine if the caller is a thread of one.
type word[T number] struct {
	v    at[T]
	ref  *machine.Ref // nil: the word is a plain variable, known by its address
	kind machine.Kind
}

func (w word[T]) in(t *machine.Thread) *machine.Ref {
	if w.ref != nil {
		return w.ref
	}
	var v T
	return t.WordAt(w.v.p, unsafe.Sizeof(v))
}

// begin is called before a goroutine that is no thread of the model uses w: see
// machine.Begin.
func (w word[T]) begin(op string) *machine.Recorder {
	if w.ref != nil {
		return machine.Begin(w.ref, nil, w.kind, op)
	}
	return machine.Begin(nil, w.v.p, w.kind, op)
}

func (w word[T]) load() T {
	t := machine.Current()
	if t == nil {
		e := w.begin("Load")
		v := w.v.Load()
		if e != nil {
			e.Done("", show(v))
		}
		return v
	}
	t.LoadWord(w.in(t), w.kind)
	v := w.v.Load()
	t.Read(bits(v))
	t.Observe(bits(v))
	if t.Tracing() {
		t.Saw("= %s", show(v))
	}
	return v
}

func (w word[T]) store(v T) {
	t := machine.Current()
	if t == nil {
		e := w.begin("Store")
		w.v.Store(v)
		if e != nil {
			e.Done(show(v), "")
		}
		return
	}
	t.StoreWord(w.in(t), w.kind)
	if t.Tracing() {
		t.Saw("%s", show(v))
	}
	t.Wrote(w.v.Load() != v)
	w.v.Store(v)
}

func (w word[T]) swap(v T) T {
	t := machine.Current()
	if t == nil {
		e := w.begin("Swap")
		old := w.v.Swap(v)
		if e != nil {
			e.Done(show(v), show(old))
		}
		return old
	}
	t.ModifyWord(machine.Swap, w.in(t), w.kind)
	old := w.v.Swap(v)
	t.Read(bits(old))
	t.Wrote(old != v)
	t.Observe(bits(old))
	if t.Tracing() {
		t.Saw("%s = %s", show(v), show(old))
	}
	return old
}

func (w word[T]) compareAndSwap(old, new T) bool {
	t := machine.Current()
	if t == nil {
		e := w.begin("CompareAndSwap")
		ok := w.v.CompareAndSwap(old, new)
		if e != nil {
			e.Done(show(old)+" -> "+show(new), fmt.Sprint(ok))
		}
		return ok
	}
	ok := t.CompareWord(w.in(t), w.kind, w.v.p, unsafe.Sizeof(old), bits(old))
	if t.Tracing() && ok {
		t.Saw("%s -> %s", show(old), show(new))
	} else if t.Tracing() {
		t.Saw("%s -> %s fails, is %s", show(old), show(new), show(w.v.Load()))
	}
	if ok {
		t.Wrote(old != new)
	}
	return w.v.CompareAndSwap(old, new)
}

func (w word[T]) add(delta T) T {
	t := machine.Current()
	if t == nil {
		e := w.begin("Add")
		v := w.v.Add(delta)
		if e != nil {
			e.Done(showDelta(delta), show(v))
		}
		return v
	}
	t.ModifyWord(machine.Add, w.in(t), w.kind)
	v := w.v.Add(delta)
	t.Read(bits(v))
	t.Wrote(delta != 0)
	t.Observe(bits(v))
	if t.Tracing() {
		t.Saw("%s = %s", showDelta(delta), show(v))
	}
	return v
}

func (w word[T]) and(mask T) T {
	t := machine.Current()
	if t == nil {
		e := w.begin("And")
		old := w.v.And(mask)
		if e != nil {
			e.Done(show(mask), show(old))
		}
		return old
	}
	t.ModifyWord(machine.And, w.in(t), w.kind)
	old := w.v.And(mask)
	t.Read(bits(old))
	t.Wrote(old&mask != old)
	t.Observe(bits(old))
	if t.Tracing() {
		t.Saw("%s = %s", show(mask), show(old))
	}
	return old
}

func (w word[T]) or(mask T) T {
	t := machine.Current()
	if t == nil {
		e := w.begin("Or")
		old := w.v.Or(mask)
		if e != nil {
			e.Done(show(mask), show(old))
		}
		return old
	}
	t.ModifyWord(machine.Or, w.in(t), w.kind)
	old := w.v.Or(mask)
	t.Read(bits(old))
	t.Wrote(old|mask != old)
	t.Observe(bits(old))
	if t.Tracing() {
		t.Saw("%s = %s", show(mask), show(old))
	}
	return old
}

// bits returns v in the low bits of a uint64, the others 0.
func bits[T number](v T) uint64 {
	if unsafe.Sizeof(v) == 4 {
		return uint64(uint32(v))
	}
	return uint64(v)
}

// show prints a value: small ones in decimal, large ones, which are flags or
// two halves packed, in hexadecimal with the halves apart.
func show[T number](v T) string {
	switch u := bits(v); {
	case v < 0 || u < 1<<20:
		return fmt.Sprint(v)
	case u < 1<<32:
		return fmt.Sprintf("%#x", u)
	default:
		return fmt.Sprintf("%#x_%08x", u>>32, uint32(u))
	}
}

// showDelta prints what is added, with a sign: unsigned words are decremented
// by adding the complement.
func showDelta[T number](v T) string {
	if unsafe.Sizeof(v) == 4 {
		return fmt.Sprintf("%+d", int32(v))
	}
	return fmt.Sprintf("%+d", int64(v))
}
