//go:build loom

package atomic

import (
	"strings"
	"sync/atomic"

	"github.com/filch-sched/filch/loom/internal/machine"
)

// Value is atomic.Value, scheduled by package loom.
type Value struct {
	v   atomic.Value
	ref machine.Ref
}

// outside does an operation for a goroutine that is no thread of the model. The
// operation may panic, if it is given another type than before.
func (x *Value) outside(op string, in []any, do func() any) any {
	e := machine.Begin(&x.ref, nil, machine.Value, op)
	if e == nil {
		return do()
	}
	done := false
	defer func() {
		if !done {
			e.Undone()
		}
	}()
	out := do()
	done = true
	e.Done(list(in), machine.Plain(out))
	return out
}

// list prints values for a record.
func list(values []any) string {
	text := make([]string, len(values))
	for i, v := range values {
		text[i] = machine.Plain(v)
	}
	return strings.Join(text, " -> ")
}

// Load is Load of atomic.Value.
func (x *Value) Load() (val any) {
	t := machine.Current()
	if t == nil {
		return x.outside("Load", nil, x.v.Load)
	}
	t.LoadWord(&x.ref, machine.Value)
	val = x.v.Load()
	t.ObserveAny(val)
	if t.Tracing() {
		t.Saw("= %v", val)
	}
	return val
}

// Store is Store of atomic.Value.
func (x *Value) Store(val any) {
	t := machine.Current()
	if t == nil {
		x.outside("Store", []any{val}, func() any { x.v.Store(val); return nil })
		return
	}
	t.StoreWord(&x.ref, machine.Value)
	if t.Tracing() {
		t.Saw("%v", val)
	}
	t.Wrote(differ(x.v.Load(), val))
	x.v.Store(val)
}

// Swap is Swap of atomic.Value.
func (x *Value) Swap(new any) (old any) {
	t := machine.Current()
	if t == nil {
		return x.outside("Swap", []any{new}, func() any { return x.v.Swap(new) })
	}
	t.ModifyWord(machine.Swap, &x.ref, machine.Value)
	old = x.v.Swap(new)
	t.Wrote(differ(old, new))
	t.ObserveAny(old)
	if t.Tracing() {
		t.Saw("%v = %v", new, old)
	}
	return old
}

// CompareAndSwap is CompareAndSwap of atomic.Value.
func (x *Value) CompareAndSwap(old, new any) (swapped bool) {
	t := machine.Current()
	if t == nil {
		return x.outside("CompareAndSwap", []any{old, new}, func() any { return x.v.CompareAndSwap(old, new) }).(bool)
	}
	ok := t.CompareValue(&x.ref, &x.v, old)
	if t.Tracing() {
		t.Saw("%v -> %v = %v", old, new, ok)
	}
	if ok {
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
