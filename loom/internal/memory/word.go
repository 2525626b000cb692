package memory

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"unsafe"
)

// Word is an integer of 4 or 8 bytes in memory: a plain one, or what an atomic
// type holds.
type Word struct {
	At   unsafe.Pointer // where the field begins, for Override
	at   unsafe.Pointer
	size uintptr
	ref  unsafe.Pointer
}

// hop is a part of the way to a field: an offset, and then, unless index is
// negative, through a slice to one of its elements.
type hop struct {
	offset uintptr
	index  int
	size   uintptr
}

// way is how a Word is found: its fields as offsets from the end of the hops.
type way struct {
	hops    []hop
	at, ref uintptr
	hasRef  bool
	size    uintptr
}

type named struct {
	t     reflect.Type
	field string
}

var ways sync.Map // named to way

// Field finds the word in a field of the struct that pointer points to; the field
// may be in an embedded or inner struct, with dots between the names, or be an
// element of a slice or array, with a dot and its index after the name.
func Field(pointer any, field string) (Word, error) {
	v := reflect.ValueOf(pointer)
	if v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Struct {
		return Word{}, fmt.Errorf("memory: %T is not a pointer to a struct", pointer)
	}
	key := named{v.Type(), field}
	known, ok := ways.Load(key)
	if !ok {
		w, err := find(v.Type().Elem(), field)
		if err != nil {
			return Word{}, err
		}
		known, _ = ways.LoadOrStore(key, w)
	}
	return known.(way).from(v.UnsafePointer(), field)
}

// from follows the way from p.
func (w way) from(p unsafe.Pointer, field string) (Word, error) {
	for _, h := range w.hops {
		p = unsafe.Add(p, h.offset)
		if h.index < 0 {
			continue
		}
		s := *(*[]byte)(p) // data and length of any slice
		if h.index >= len(s) {
			return Word{}, fmt.Errorf("memory: %s: there are %d elements", field, len(s))
		}
		p = unsafe.Add(unsafe.Pointer(unsafe.SliceData(s)), uintptr(h.index)*h.size)
	}
	word := Word{At: p, at: unsafe.Add(p, w.at), size: w.size}
	if w.hasRef {
		word.ref = unsafe.Add(p, w.ref)
	}
	return word, nil
}

func find(t reflect.Type, field string) (w way, err error) {
	top := t
	for name := range strings.SplitSeq(field, ".") {
		i, bad := strconv.Atoi(name)
		switch f, ok := fieldOf(t, name); {
		case ok:
			w.hops, t = append(w.hops, hop{f.Offset, -1, 0}), f.Type
		case bad == nil && i >= 0 && t.Kind() == reflect.Slice:
			w.hops, t = append(w.hops, hop{0, i, t.Elem().Size()}), t.Elem()
		case bad == nil && i >= 0 && t.Kind() == reflect.Array && i < t.Len():
			w.hops, t = append(w.hops, hop{uintptr(i) * t.Elem().Size(), -1, 0}), t.Elem()
		default:
			return w, fmt.Errorf("memory: a %v has no field %s", top, field)
		}
	}
	if ref, ok := fieldOf(t, "ref"); ok { // an atomic type of the shim, or a cell
		w.ref, w.hasRef = ref.Offset, true
	}
	for inner, ok := fieldOf(t, "v"); ok; inner, ok = fieldOf(t, "v") { // around one of sync/atomic
		w.at, t = w.at+inner.Offset, inner.Type
	}
	if w.size = t.Size(); w.size != 4 && w.size != 8 {
		return w, fmt.Errorf("memory: field %s of a %v is no word of 4 or 8 bytes", field, top)
	}
	return w, nil
}

func fieldOf(t reflect.Type, name string) (reflect.StructField, bool) {
	if t.Kind() != reflect.Struct {
		return reflect.StructField{}, false
	}
	return t.FieldByName(name)
}

// Ref returns where the shim's reference to the word is, nil if it has none.
func (w Word) Ref() unsafe.Pointer { return w.ref }

// Load returns the value. It is a plain load.
func (w Word) Load() uint64 {
	if w.size == 4 {
		return uint64(*(*uint32)(w.at))
	}
	return *(*uint64)(w.at)
}

// Turned is a slice in memory that is written from another element on.
type Turned struct {
	at, data unsafe.Pointer
	n        int
	elem     reflect.Type
}

// Slice finds the slice in a field of the struct that pointer points to. It must
// have elements.
func Slice(pointer any, field string) (Turned, error) {
	v := reflect.ValueOf(pointer)
	if v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Struct {
		return Turned{}, fmt.Errorf("memory: %T is not a pointer to a struct", pointer)
	}
	f := v.Elem().FieldByName(field)
	if !f.IsValid() || f.Kind() != reflect.Slice || f.Len() == 0 {
		return Turned{}, fmt.Errorf("memory: field %s of a %T is no slice with elements", field, pointer)
	}
	return Turned{unsafe.Pointer(f.UnsafeAddr()), f.UnsafePointer(), f.Len(), f.Type().Elem()}, nil
}

// Rotate has, until Restore, a slice written from the element on that from returns,
// and around. Its array and length do not change, and no pointer leads into it.
func (w *Writer) Rotate(s Turned, from func() int) {
	each, size := w.plan(s.elem), s.elem.Size()
	w.Override(s.at, func(w *Writer) {
		k := from()
		for i := range s.n {
			each(w, unsafe.Add(s.data, uintptr((k+i)%s.n)*size))
		}
	})
}

// At returns where a field of the struct that pointer points to is. The field may
// be in an inner struct, with dots between the names.
func At(pointer any, field string) (unsafe.Pointer, error) {
	v := reflect.ValueOf(pointer)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return nil, fmt.Errorf("memory: %T is not a pointer to a struct", pointer)
	}
	at := v.Elem()
	for name := range strings.SplitSeq(field, ".") {
		if at.Kind() != reflect.Struct || !at.FieldByName(name).IsValid() {
			return nil, fmt.Errorf("memory: a %T has no field %s", pointer, field)
		}
		at = at.FieldByName(name)
	}
	return unsafe.Pointer(at.UnsafeAddr()), nil
}
