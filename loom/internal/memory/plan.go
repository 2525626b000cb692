package memory

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"sync/atomic"
	"unsafe"
)

// plan returns how values of type t are written.
func (w *Writer) plan(t reflect.Type) write {
	if f, ok := w.plans[t]; ok {
		return f
	}
	// A type that contains itself finds this one while its own is being made.
	w.plans[t] = func(w *Writer, p unsafe.Pointer) { w.plans[t](w, p) }
	f := w.make(t)
	w.plans[t] = f
	return f
}

// later is plan for a type whose values are elsewhere: it is made when one is met.
func (w *Writer) later(t reflect.Type) write {
	var f write
	return func(w *Writer, p unsafe.Pointer) {
		if f == nil {
			f = w.plan(t)
		}
		f(w, p)
	}
}

func (w *Writer) make(t reflect.Type) write {
	if special, ok := w.special[t]; ok {
		if special == nil {
			return func(*Writer, unsafe.Pointer) {}
		}
		return write(special)
	}
	if w.Leave != nil && w.Leave(t) {
		return func(*Writer, unsafe.Pointer) {}
	}
	switch t.Kind() {
	case reflect.Struct:
		return w.ofStruct(t)
	case reflect.Array:
		return w.ofArray(t)
	case reflect.Slice:
		return w.ofSlice(t)
	case reflect.Pointer:
		elem := t.Elem()
		each := w.later(elem)
		return func(w *Writer, p unsafe.Pointer) { w.pointee(*(*unsafe.Pointer)(p), elem, each, 1) }
	case reflect.String:
		return func(w *Writer, p unsafe.Pointer) { w.Text(*(*string)(p)) }
	case reflect.Interface:
		return func(w *Writer, p unsafe.Pointer) { w.dynamic(reflect.NewAt(t, p).Elem().Elem()) }
	case reflect.Map:
		return func(w *Writer, p unsafe.Pointer) { w.ofMap(reflect.NewAt(t, p).Elem()) }
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		return func(w *Writer, p unsafe.Pointer) { w.opaque(t, p) }
	}
	return flat(t.Size())
}

// flat writes a value that is what its bytes are: a number, a bool.
func flat(size uintptr) write {
	switch size {
	case 1:
		return func(w *Writer, p unsafe.Pointer) { w.Uint(uint64(*(*uint8)(p))) }
	case 2:
		return func(w *Writer, p unsafe.Pointer) { w.Uint(uint64(*(*uint16)(p))) }
	case 4:
		return func(w *Writer, p unsafe.Pointer) { w.Uint(uint64(*(*uint32)(p))) }
	case 8:
		return func(w *Writer, p unsafe.Pointer) { w.Uint(*(*uint64)(p)) }
	}
	return func(w *Writer, p unsafe.Pointer) { // a complex128
		w.Bytes = append(w.Bytes, unsafe.Slice((*byte)(p), size)...)
	}
}

// opaque: a nil function or channel is as good as any other value; what another
// one would do is not in memory.
func (w *Writer) opaque(t reflect.Type, p unsafe.Pointer) {
	if *(*unsafe.Pointer)(p) != nil {
		w.refuse("a %v, whose state is not memory", t)
	}
	w.Uint(0)
}

// field is a field of a struct.
type field struct {
	name   string
	offset uintptr
	write  write
}

func (w *Writer) ofStruct(t reflect.Type) write {
	if f := w.ofAtomic(t); f != nil {
		return f
	}
	var fields []field
	for i := range t.NumField() {
		if f := t.Field(i); f.Name != "_" {
			fields = append(fields, field{"." + f.Name, f.Offset, w.plan(f.Type)})
		}
	}
	return func(w *Writer, p unsafe.Pointer) {
		for _, f := range fields {
			at := unsafe.Add(p, f.offset)
			if over := w.overridden(at); over != nil {
				over(w, at)
				continue
			}
			w.path = append(w.path, f.name)
			f.write(w, at)
			w.path = w.path[:len(w.path)-1]
		}
	}
}

// ofAtomic knows the types that hide the type of what they hold: atomic.Value,
// and atomic.Pointer of any package, which says it in a field that takes no room.
func (w *Writer) ofAtomic(t reflect.Type) write {
	if t == reflect.TypeFor[atomic.Value]() {
		return func(w *Writer, p unsafe.Pointer) { w.dynamic(reflect.ValueOf((*atomic.Value)(p).Load())) }
	}
	elem, offset, ok := pointerTo(t)
	if !ok {
		return nil
	}
	each, ref := w.later(elem), func(*Writer, unsafe.Pointer) {}
	if f, ok := fieldOf(t, "ref"); ok { // of the shim
		of := w.plan(f.Type)
		ref = func(w *Writer, p unsafe.Pointer) { of(w, unsafe.Add(p, f.Offset)) }
	}
	return func(w *Writer, p unsafe.Pointer) {
		w.pointee(*(*unsafe.Pointer)(unsafe.Add(p, offset)), elem, each, 1)
		ref(w, p)
	}
}

// pointerTo returns to what an atomic.Pointer points and where in it the pointer is.
func pointerTo(t reflect.Type) (elem reflect.Type, offset uintptr, is bool) {
	v, ok := t.FieldByName("v")
	if !ok || v.Type.Kind() != reflect.UnsafePointer || t.Field(0).Type.Kind() != reflect.Array {
		return nil, 0, false
	}
	return t.Field(0).Type.Elem().Elem(), v.Offset, true // [0]*T
}

func (w *Writer) ofArray(t reflect.Type) write {
	each, n, size := w.plan(t.Elem()), t.Len(), t.Elem().Size()
	return func(w *Writer, p unsafe.Pointer) {
		for i := range n {
			each(w, unsafe.Add(p, uintptr(i)*size))
		}
	}
}

func (w *Writer) ofSlice(t reflect.Type) write {
	elem := t.Elem()
	each := w.plan(elem)
	return func(w *Writer, p unsafe.Pointer) {
		s := (*[]byte)(p) // data and length of any slice
		n := len(*s)
		w.Uint(uint64(n))
		w.path = append(w.path, "[]")
		if n > 0 || unsafe.SliceData(*s) == nil {
			w.pointee(unsafe.Pointer(unsafe.SliceData(*s)), elem, each, n)
		} else {
			w.Uint(toEmpty)
		}
		w.path = w.path[:len(w.path)-1]
	}
}

// ofMap writes the entries in the order of what their keys are written as.
func (w *Writer) ofMap(m reflect.Value) {
	type entry struct {
		key   []byte
		value reflect.Value
	}
	if m.Len() > 0 && Pointy(m.Type().Key()) {
		w.refuse("a map by %v, which holds pointers: it has no order", m.Type().Key())
		return
	}
	var entries []entry
	outer := w.Bytes
	for it := m.MapRange(); it.Next(); {
		w.Bytes = nil
		w.dynamic(it.Key())
		entries = append(entries, entry{w.Bytes, it.Value()})
	}
	w.Bytes = outer
	slices.SortFunc(entries, func(a, b entry) int { return bytes.Compare(a.key, b.key) })
	w.Uint(uint64(len(entries)))
	for _, e := range entries {
		w.Bytes = append(w.Bytes, e.key...)
		w.path = append(w.path, fmt.Sprintf("[%q]", e.key))
		w.dynamic(e.value)
		w.path = w.path[:len(w.path)-1]
	}
}

// Pointy reports whether values of type t hold, or may hold, pointers.
func Pointy(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Array:
		return Pointy(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if Pointy(t.Field(i).Type) {
				return true
			}
		}
		return false
	case reflect.String:
		return false
	case reflect.Pointer, reflect.UnsafePointer, reflect.Slice, reflect.Map, reflect.Chan, reflect.Func, reflect.Interface:
		return true
	}
	return false
}
