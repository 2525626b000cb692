package machine

import (
	"fmt"
	"reflect"
	"strings"
	"unsafe"
)

// named is a piece of memory that the program under check has given a name.
type named struct {
	name string
	typ  reflect.Type
	at   unsafe.Pointer
	n    int // elements of typ, one after the other; -1: it is one, and not of a slice
}

// maxNamed bounds how many pieces of memory one call of Name names.
const maxNamed = 10_000

// Name gives what p points to, and what that contains, a name in reports. It has
// no effect unless the execution is recorded. The pieces of memory are kept, so
// that no address is used twice.
func (t *Thread) Name(p any, name string) {
	m := t.m
	v := reflect.ValueOf(p)
	if !m.Tracing || v.Kind() != reflect.Pointer || v.IsNil() {
		return
	}
	m.roots = append(m.roots, named{name, v.Type().Elem(), v.UnsafePointer(), -1})
	m.nameFrom(&m.roots[len(m.roots)-1])
}

// nameFrom names what can be reached from a piece of memory now.
func (m *Machine) nameFrom(d *named) {
	m.names = append(m.names, *d)
	m.nameParts(reflect.NewAt(d.typ, d.at).Elem(), d.name, map[unsafe.Pointer]bool{d.at: true})
}

// maxRenamed bounds how often an execution looks for names anew.
const maxRenamed = 500

// rename names anew what can be reached from all that Name was given: the program
// has put together more by now. It reports whether there was reason to.
func (m *Machine) rename() bool {
	if m.renamed >= maxRenamed || m.renamedAt == m.Steps {
		return false
	}
	m.renamed, m.renamedAt = m.renamed+1, m.Steps
	m.names = m.names[:0]
	for i := range m.roots {
		m.nameFrom(&m.roots[i])
	}
	return true
}

// nameParts names what a value refers to: the elements of slices, and what
// pointers point to.
func (m *Machine) nameParts(v reflect.Value, name string, seen map[unsafe.Pointer]bool) {
	switch v.Kind() {
	case reflect.Struct:
		if to, ok := pointee(v); ok && m.nameNew(to.Addr().UnsafePointer(), seen) {
			m.names = append(m.names, named{name, to.Type(), to.Addr().UnsafePointer(), -1})
			m.nameParts(to, name, seen)
		}
		if ours(v.Type()) {
			return
		}
		for i := range v.NumField() {
			m.nameParts(v.Field(i), name+"."+v.Type().Field(i).Name, seen)
		}
	case reflect.Array:
		for i := range v.Len() {
			m.nameParts(v.Index(i), fmt.Sprintf("%s[%d]", name, i), seen)
		}
	case reflect.Slice:
		if m.nameNew(v.UnsafePointer(), seen) && v.Len() > 0 {
			m.names = append(m.names, named{name, v.Type().Elem(), v.UnsafePointer(), v.Len()})
			for i := range min(v.Len(), maxNamed) {
				m.nameParts(v.Index(i), fmt.Sprintf("%s[%d]", name, i), seen)
			}
		}
	case reflect.Pointer:
		if m.nameNew(v.UnsafePointer(), seen) {
			m.names = append(m.names, named{name, v.Type().Elem(), v.UnsafePointer(), -1})
			m.nameParts(v.Elem(), name, seen)
		}
	}
}

func (m *Machine) nameNew(p unsafe.Pointer, seen map[unsafe.Pointer]bool) bool {
	if p == nil || seen[p] || len(seen) >= maxNamed {
		return false
	}
	seen[p] = true
	return true
}

// ours reports whether a type is one of the shim: what is in it is no business of
// its user.
func ours(t reflect.Type) bool {
	rest, ok := strings.CutPrefix(t.PkgPath(), modulePath)
	if !ok {
		return t.PkgPath() == "sync" || t.PkgPath() == "sync/atomic"
	}
	return rest == "/atomic" || rest == "/sync" || rest == "/cell" || rest == "/time" || rest == hooks+"atomic" || rest == hooks+"sync"
}

const hooks = "/cmd/loom/hook/"

// pointee returns what an atomic pointer of rewritten source points to. It has the
// layout of that of sync/atomic, which says what type it is of.
func pointee(v reflect.Value) (to reflect.Value, ok bool) {
	t := v.Type()
	if t.PkgPath() != modulePath+hooks+"atomic" || t.NumField() != 2 || !v.CanAddr() || t.Field(0).Type.Kind() != reflect.Array {
		return reflect.Value{}, false
	}
	p := *(*unsafe.Pointer)(v.Addr().UnsafePointer())
	if p == nil {
		return reflect.Value{}, false
	}
	return reflect.NewAt(t.Field(0).Type.Elem().Elem(), p).Elem(), true
}

// NameAll gives the objects of the trace the names that they were given only after
// their first steps.
func (m *Machine) NameAll() {
	if len(m.names) == 0 {
		return
	}
	m.renamedAt = -1 // by now all is there
	m.rename()
	name := func(e *Event) {
		switch {
		case e.Name != "":
		case e.Effect.Object >= 0 && int(e.Effect.Object) < m.nobjects:
			e.Name = m.nameOf(m.objects[e.Effect.Object].ref)
		case (e.Code == CellLoad || e.Code == CellStore) && e.Other < m.ncells:
			e.Name = m.nameOf(m.cells[e.Other].ref)
		}
	}
	for i := range m.Trace {
		name(&m.Trace[i])
	}
	if m.Failure != nil && m.Failure.Gone != nil {
		name(m.Failure.Gone)
	}
}

// nameOf returns the name of the object that r ties to its state, "" if it has
// none.
func (m *Machine) nameOf(r *Ref) string {
	if r == nil || len(m.names) == 0 {
		return ""
	}
	at := uintptr(unsafe.Pointer(r))
	for addr, ref := range m.words.byAddr { // a plain word, whose Ref is elsewhere
		if ref == r {
			at = uintptr(addr)
		}
	}
	if m.plains.run == m.run {
		for addr, v := range m.plains.all {
			if &v.ref == r {
				at = uintptr(addr)
			}
		}
	}
	return m.nameAt(at)
}

// nameAt returns the name of what is at an address.
func (m *Machine) nameAt(at uintptr) string {
	for {
		for i := range m.names {
			if name, ok := m.names[i].find(at); ok {
				return name
			}
		}
		if !m.rename() {
			return ""
		}
	}
}

// find returns the name of the part of d in which an address is.
func (d *named) find(at uintptr) (string, bool) {
	size, n := d.typ.Size(), max(d.n, 1)
	begin := uintptr(d.at)
	if size == 0 || at < begin || at >= begin+size*uintptr(n) {
		return "", false
	}
	offset := at - begin
	if d.n < 0 {
		return d.name + part(d.typ, offset), true
	}
	return fmt.Sprintf("%s[%d]", d.name, offset/size) + part(d.typ, offset%size), true
}

// part returns how the part of a value of type t that is at an offset is called
// in it.
func part(t reflect.Type, offset uintptr) string {
	switch {
	case t.Kind() == reflect.Struct && !ours(t):
		for i := range t.NumField() {
			if f := t.Field(i); offset >= f.Offset && offset < f.Offset+f.Type.Size() {
				return "." + f.Name + part(f.Type, offset-f.Offset)
			}
		}
	case t.Kind() == reflect.Array && t.Elem().Size() > 0:
		size := t.Elem().Size()
		return fmt.Sprintf("[%d]", offset/size) + part(t.Elem(), offset%size)
	}
	return ""
}
