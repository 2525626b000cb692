package memory

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
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

// Field finds the word in a field of the struct that pointer points to; the field
// may be in an embedded or inner struct, with dots between the names, or be an
// element of a slice or array, with a dot and its index after the name.
func Field(pointer any, field string) (Word, error) {
	v := reflect.ValueOf(pointer)
	if v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Struct {
		return Word{}, fmt.Errorf("memory: %T is not a pointer to a struct", pointer)
	}
	v = v.Elem()
	for name := range strings.SplitSeq(field, ".") {
		if i, err := strconv.Atoi(name); err == nil && (v.Kind() == reflect.Slice || v.Kind() == reflect.Array) && i >= 0 && i < v.Len() {
			v = v.Index(i)
			continue
		}
		if v.Kind() != reflect.Struct || !v.FieldByName(name).IsValid() {
			return Word{}, fmt.Errorf("memory: a %T has no field %s", pointer, field)
		}
		v = v.FieldByName(name)
	}
	w := Word{At: unsafe.Pointer(v.UnsafeAddr())}
	w.at, w.size = w.At, v.Type().Size()
	if v.Kind() == reflect.Struct { // an atomic type of the shim, around one of sync/atomic
		inner := v.FieldByName("v")
		for inner.IsValid() && inner.Kind() == reflect.Struct {
			w.at, w.size = unsafe.Pointer(inner.UnsafeAddr()), inner.Type().Size()
			inner = inner.FieldByName("v")
		}
		if inner.IsValid() {
			w.at, w.size = unsafe.Pointer(inner.UnsafeAddr()), inner.Type().Size()
		}
		if ref := v.FieldByName("ref"); ref.IsValid() {
			w.ref = unsafe.Pointer(ref.UnsafeAddr())
		}
	}
	if w.size != 4 && w.size != 8 {
		return Word{}, fmt.Errorf("memory: field %s of a %T is no word of 4 or 8 bytes", field, pointer)
	}
	return w, nil
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

// Rotate has, until Reset, a slice written from the element on that from returns,
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

// At returns where a field of the struct that pointer points to is.
func At(pointer any, field string) (unsafe.Pointer, error) {
	v := reflect.ValueOf(pointer)
	if v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Struct || !v.Elem().FieldByName(field).IsValid() {
		return nil, fmt.Errorf("memory: a %T has no field %s", pointer, field)
	}
	return unsafe.Pointer(v.Elem().FieldByName(field).UnsafeAddr()), nil
}
