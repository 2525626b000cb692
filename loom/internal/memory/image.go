package memory

import (
	"bytes"
	"reflect"
	"sync/atomic"
	"unsafe"
)

// Image is where memory that can be reached from some roots is, so that what it
// holds can be saved and, later, put back: plain values and atomic words. Pointers
// and all that leads elsewhere stay as they are: they are part of the shape, and
// what is saved can be put back only where the shape is that of when the Image was
// made. Saved bytes fit each Image of the same shape, wherever its memory is.
type Image struct {
	spans []span // what is saved
	size  int
	shape []held // what must not change
	bad   bool

	sections []section
	marked   reflect.Type
	marks    []unsafe.Pointer

	leave  map[reflect.Type]bool
	ignore map[unsafe.Pointer]bool
	seen   []region
	roots  []uintptr
	first  int // the first of spans that is of the memory that is added now
}

// section is where in spans a part of the memory begins, of how many bytes it is, and
// where its marks, what must not change, regions and roots begin.
type section struct{ span, size, mark, shape, seen, root int }

// span is bytes of memory.
type span struct {
	at   unsafe.Pointer
	size uintptr
}

// held is bytes of memory and what they were.
type held struct {
	at   unsafe.Pointer
	size uintptr
	was  [2]uintptr
	text bool // they are a string
}

// NewImage returns an Image of nothing. Values of the types in leave are not part of
// it, nor are the fields at the addresses in ignore.
func NewImage(leave []reflect.Type, ignore []unsafe.Pointer) *Image {
	m := &Image{leave: map[reflect.Type]bool{}, ignore: map[unsafe.Pointer]bool{}}
	for _, t := range leave {
		m.leave[t] = true
	}
	for _, p := range ignore {
		m.ignore[p] = true
	}
	return m
}

// Mark has the Image note where the values of a type are that are reached from then on.
func (m *Image) Mark(t reflect.Type) { m.marked = t }

// Section has what is reached from then on, and was not before, be a part that can be
// saved for itself. Parts are numbered from 0; all must be in one.
func (m *Image) Section() {
	m.sections = append(m.sections, section{span: len(m.spans), mark: len(m.marks),
		shape: len(m.shape), seen: len(m.seen), root: len(m.roots)})
}

// Marks returns where the values are that Mark has asked for, and with which of them
// each section begins.
func (m *Image) Marks() (at []unsafe.Pointer, begins []int) {
	for _, s := range m.sections {
		begins = append(begins, s.mark)
	}
	return m.marks, begins
}

// Root adds what root, a pointer that is not nil, leads to.
func (m *Image) Root(root any) {
	v := reflect.ValueOf(root)
	m.roots = append(m.roots, uintptr(v.UnsafePointer()))
	m.region(v.Type().Elem(), v.UnsafePointer(), 1)
}

// Ready ends the making of an Image. It reports whether all that was reached can be
// saved: a map or a channel cannot.
func (m *Image) Ready() bool {
	m.leave, m.ignore, m.size = nil, nil, 0
	for _, s := range m.spans {
		m.size += int(s.size)
	}
	for i := range m.sections {
		for _, s := range m.part(i) {
			m.sections[i].size += int(s.size)
		}
	}
	return !m.bad
}

// Size returns how many bytes Save appends.
func (m *Image) Size() int { return m.size }

// Same reports whether the shape is the one of when the Image was made.
func (m *Image) Same() bool {
	for i := range m.shape {
		h := &m.shape[i]
		if !bytes.Equal(unsafe.Slice((*byte)(h.at), h.size), unsafe.Slice((*byte)(unsafe.Pointer(&h.was)), h.size)) {
			return false
		}
	}
	return true
}

// Save appends what the memory holds.
func (m *Image) Save(b []byte) []byte {
	for i := range m.spans {
		b = append(b, m.spans[i].bytes()...)
	}
	return b
}

// Restore puts back what Save has appended.
func (m *Image) Restore(b []byte) {
	for i := range m.spans {
		b = b[copy(m.spans[i].bytes(), b):]
	}
}

// part returns the spans of a section.
func (m *Image) part(i int) []span {
	if i+1 < len(m.sections) {
		return m.spans[m.sections[i].span:m.sections[i+1].span]
	}
	return m.spans[m.sections[i].span:]
}

// SizeOf returns how many bytes SaveOf appends.
func (m *Image) SizeOf(section int) int { return m.sections[section].size }

// SaveOf appends what a section holds.
func (m *Image) SaveOf(section int, b []byte) []byte {
	for _, s := range m.part(section) {
		b = append(b, s.bytes()...)
	}
	return b
}

// RestoreOf puts back what SaveOf has appended, for this section or for one of the
// same types and shape.
func (m *Image) RestoreOf(section int, b string) {
	for _, s := range m.part(section) {
		b = b[copy(s.bytes(), b):]
	}
}

func (s *span) bytes() []byte { return unsafe.Slice((*byte)(s.at), s.size) }

// region adds n values of a type at p, unless it has been there.
func (m *Image) region(t reflect.Type, p unsafe.Pointer, n int) {
	r := region{uintptr(p), uintptr(n) * t.Size()}
	for _, old := range m.seen {
		if old.begin <= r.begin && r.begin+r.size <= old.begin+old.size {
			return
		}
	}
	m.seen, m.first = append(m.seen, r), len(m.spans)
	for i := range n {
		m.value(t, unsafe.Add(p, uintptr(i)*t.Size()))
	}
	m.first = len(m.spans)
}

// value adds the value of a type at p.
func (m *Image) value(t reflect.Type, p unsafe.Pointer) {
	if t == m.marked {
		m.marks = append(m.marks, p)
	}
	if m.leave[t] {
		return
	}
	switch t.Kind() {
	case reflect.Struct:
		m.ofStruct(t, p)
	case reflect.Array:
		for i := range t.Len() {
			m.value(t.Elem(), unsafe.Add(p, uintptr(i)*t.Elem().Size()))
		}
	case reflect.Pointer:
		m.stays(t, p)
		m.pointee(t.Elem(), *(*unsafe.Pointer)(p))
	case reflect.Slice:
		s := (*[]byte)(p) // data, length and capacity of any slice
		const word = unsafe.Sizeof(uintptr(0))
		m.stay(p, word)
		m.span(unsafe.Add(p, word), word)
		m.stay(unsafe.Add(p, 2*word), word)
		if cap(*s) > 0 && t.Elem().Size() > 0 {
			m.region(t.Elem(), unsafe.Pointer(unsafe.SliceData(*s)), cap(*s))
		}
	case reflect.Interface:
		m.stays(t, p)
		if v := reflect.NewAt(t, p).Elem().Elem(); v.IsValid() {
			m.dynamic(v)
		}
	case reflect.String:
		m.stays(t, p)
		m.shape[len(m.shape)-1].text = true
	case reflect.Func:
		m.stays(t, p)
	case reflect.Map, reflect.Chan, reflect.UnsafePointer:
		m.stays(t, p)
		m.bad = m.bad || *(*unsafe.Pointer)(p) != nil
	default:
		m.span(p, t.Size())
	}
}

// dynamic adds what an interface holds: that it is itself does not change.
func (m *Image) dynamic(v reflect.Value) {
	if v.Kind() == reflect.Pointer {
		m.pointee(v.Type().Elem(), v.UnsafePointer())
	} else {
		m.bad = m.bad || Pointy(v.Type())
	}
}

func (m *Image) ofStruct(t reflect.Type, p unsafe.Pointer) {
	if t == reflect.TypeFor[atomic.Value]() {
		m.stays(t, p)
		if v := (*atomic.Value)(p).Load(); v != nil {
			m.dynamic(reflect.ValueOf(v))
		}
		return
	}
	if elem, at, ok := pointerTo(t); ok {
		at := unsafe.Add(p, at)
		m.stay(at, unsafe.Sizeof(p))
		m.pointee(elem, *(*unsafe.Pointer)(at))
		return
	}
	for i := range t.NumField() {
		f := t.Field(i)
		if at := unsafe.Add(p, f.Offset); f.Name != "_" && !m.ignore[at] {
			m.value(f.Type, at)
		}
	}
}

// pointee adds what a pointer leads to.
func (m *Image) pointee(t reflect.Type, p unsafe.Pointer) {
	if p != nil && t.Size() > 0 {
		m.region(t, p, 1)
	}
}

// span adds bytes that are saved.
func (m *Image) span(p unsafe.Pointer, size uintptr) {
	if n := len(m.spans); n > m.first && unsafe.Add(m.spans[n-1].at, m.spans[n-1].size) == p {
		m.spans[n-1].size += size
	} else if size > 0 {
		m.spans = append(m.spans, span{p, size})
	}
}

// stays adds a value that must not change, of one or two words.
func (m *Image) stays(t reflect.Type, p unsafe.Pointer) { m.stay(p, t.Size()) }

func (m *Image) stay(p unsafe.Pointer, size uintptr) {
	h := held{at: p, size: size}
	copy(unsafe.Slice((*byte)(unsafe.Pointer(&h.was)), size), unsafe.Slice((*byte)(p), size))
	m.shape = append(m.shape, h)
}
