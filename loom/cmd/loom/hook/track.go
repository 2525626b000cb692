package hook

import (
	"iter"
	"reflect"
	"sync"
	"unsafe"

	"github.com/filch-sched/filch/loom/internal/machine"
)

// R says that *p is going to be loaded, and returns p. An exploration checks
// that the accesses to plain memory are ordered.
func R[T any](p *T) *T {
	if t := machine.Current(); t == nil {
		machine.Stranger()
	} else if p != nil {
		touch(t, p, false)
	}
	return p
}

// W says that *p is going to be stored to, or has just been, and returns p.
func W[T any](p *T) *T {
	if t := machine.Current(); t == nil {
		machine.Stranger()
	} else if p != nil {
		touch(t, p, true)
	}
	return p
}

// touch records an access to each word of *p. A struct may be stored whole and
// loaded by its fields.
func touch[T any](t *machine.Thread, p *T, store bool) {
	typ := reflect.TypeFor[T]()
	switch typ.Kind() {
	case reflect.Struct, reflect.Array:
		for _, at := range leaves(typ) {
			t.Plain(unsafe.Add(unsafe.Pointer(p), at), store)
		}
	default:
		if typ.Size() > 0 {
			t.Plain(unsafe.Pointer(p), store)
		}
	}
}

// maxLeaves bounds how much of a large array is watched when it is used as a
// whole.
const maxLeaves = 64

var knownLeaves sync.Map // reflect.Type to []uintptr

// leaves returns the offsets of the parts of a type that are no structs and no
// arrays.
func leaves(t reflect.Type) []uintptr {
	if known, ok := knownLeaves.Load(t); ok {
		return known.([]uintptr)
	}
	var all []uintptr
	collect(t, 0, &all)
	knownLeaves.Store(t, all)
	return all
}

func collect(t reflect.Type, at uintptr, all *[]uintptr) {
	if len(*all) >= maxLeaves || t.Size() == 0 {
		return
	}
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); f.Name != "_" {
				collect(f.Type, at+f.Offset, all)
			}
		}
	case reflect.Array:
		for i := range t.Len() {
			collect(t.Elem(), at+uintptr(i)*t.Elem().Size(), all)
		}
	default:
		*all = append(*all, at)
	}
}

// MR says that m, a map, is going to be looked at, and returns it. A map is
// watched as a whole.
func MR[M ~map[K]V, K comparable, V any](m M) M {
	touchMap(*(*unsafe.Pointer)(unsafe.Pointer(&m)), false)
	return m
}

// MW says that m, a map, is going to be changed, and returns it.
func MW[M ~map[K]V, K comparable, V any](m M) M {
	touchMap(*(*unsafe.Pointer)(unsafe.Pointer(&m)), true)
	return m
}

// touchMap records an access to the map whose descriptor is at p.
func touchMap(p unsafe.Pointer, store bool) {
	if t := machine.Current(); t == nil {
		machine.Stranger()
	} else if p != nil {
		t.Plain(p, store)
	}
}

// Elements is what a loop ranges over in place of a slice. Were it inlined, its
// literal would pass for one of the caller's, and its place for one of theirs.
//
//go:noinline
func Elements[S ~[]E, E any](s S) iter.Seq2[int, E] {
	return func(yield func(int, E) bool) {
		for i := range s {
			if !yield(i, *R(&s[i])) {
				return
			}
		}
	}
}
