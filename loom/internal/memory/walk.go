package memory

import (
	"encoding/binary"
	"fmt"
	"reflect"
	"strings"
	"unsafe"
)

// Special writes a value of a type that the walk must not look into itself.
type Special func(w *Writer, p unsafe.Pointer)

// Writer appends the contents of memory to a buffer. Make it by [New].
type Writer struct {
	// Bytes is what has been written since Reset.
	Bytes []byte
	// Leave reports whether values of a type are left out; nil: none are. It is
	// asked once for each type.
	Leave func(t reflect.Type) bool

	special map[reflect.Type]Special
	plans   map[reflect.Type]write
	regions []region
	over    []override // by address, open addressing
	nover   int
	path    []string
	err     error

	mark   int
	past   []region // met and forgotten
	groups []int    // where in past each Back ends
}

// write appends the value at p, of the type that it was made for.
type write func(w *Writer, p unsafe.Pointer)

// override is how a field is written that is not written as its type says.
type override struct {
	at    unsafe.Pointer // nil: none
	write write
}

// region is a piece of memory that the walk has met; its number is its place.
type region struct{ begin, size uintptr }

// New returns a Writer that hands values of the types in special to its
// functions. A nil function leaves the values of its type out.
func New(special map[reflect.Type]Special) *Writer {
	return &Writer{special: special, plans: map[reflect.Type]write{}}
}

// Reset forgets what has been written and met.
func (w *Writer) Reset() {
	w.Bytes, w.regions, w.err = w.Bytes[:0], w.regions[:0], nil
	w.past, w.groups = w.past[:0], w.groups[:0]
}

// Restore undoes what Override and Rotate have asked for.
func (w *Writer) Restore() {
	clear(w.over)
	w.nover = 0
}

// Override has the field of a struct at p, until Restore, written by f.
func (w *Writer) Override(p unsafe.Pointer, f func(w *Writer)) {
	if 4*(w.nover+1) > len(w.over) {
		old := w.over
		w.over = make([]override, max(64, 2*len(old)))
		for _, o := range old {
			if o.at != nil {
				*w.place(o.at) = o
			}
		}
	}
	o := w.place(p)
	if o.at == nil {
		w.nover++
	}
	*o = override{p, func(w *Writer, _ unsafe.Pointer) { f(w) }}
}

// place returns where the override for an address is, or belongs.
func (w *Writer) place(p unsafe.Pointer) *override {
	for i := uint64(uintptr(p)) * 0x9e3779b97f4a7c15 >> 32; ; i++ {
		if o := &w.over[i&uint64(len(w.over)-1)]; o.at == p || o.at == nil {
			return o
		}
	}
}

// overridden returns how the field at p is written, nil if as its type says.
func (w *Writer) overridden(p unsafe.Pointer) write {
	if w.nover == 0 {
		return nil
	}
	return w.place(p).write
}

// Root writes what root, a pointer that is not nil, leads to. The error says what
// cannot be written, and by which path it is reached. Memory that an earlier root
// since Reset has led to is not written again.
func (w *Writer) Root(name string, root any) error {
	v := reflect.ValueOf(root)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return fmt.Errorf("memory: root %s is a %T, not a pointer to something", name, root)
	}
	w.path = append(w.path[:0], name)
	w.pointee(v.UnsafePointer(), v.Type().Elem(), w.plan(v.Type().Elem()), 1)
	return w.err
}

// Mark returns a mark for Back.
func (w *Writer) Mark() int {
	w.mark = len(w.regions)
	return w.mark
}

// Back forgets the memory that has been met since a mark, but for Apart.
func (w *Writer) Back(mark int) {
	if len(w.regions) > mark {
		w.groups = append(w.groups, len(w.past)+len(w.regions)-mark)
		w.past = append(w.past, w.regions[mark:]...)
		w.regions = w.regions[:mark]
	}
}

// Met returns how much memory has been met, for Forget.
func (w *Writer) Met() int { return len(w.regions) }

// Forget forgets the memory that has been met since Met, for Apart, too.
func (w *Writer) Forget(met int) { w.regions = w.regions[:met] }

// Apart reports memory that has been met both before and after a Back, since
// Reset and after the mark.
func (w *Writer) Apart() error {
	if len(w.groups) == 0 {
		return nil
	}
	w.Back(w.mark)
	begin := 0
	for _, end := range w.groups {
		for _, r := range w.past[begin:end] {
			for _, o := range w.past[end:] {
				if r.begin < o.begin+o.size && o.begin < r.begin+r.size {
					return fmt.Errorf("memory: what is one thread's own is reached from another one's")
				}
			}
		}
		begin = end
	}
	return nil
}

// Value writes one value that is not part of memory that was met.
func (w *Writer) Value(name string, v any) error {
	w.path = append(w.path[:0], name)
	w.dynamic(reflect.ValueOf(v))
	return w.err
}

// Uint appends a number.
func (w *Writer) Uint(n uint64) { w.Bytes = binary.AppendUvarint(w.Bytes, n) }

// Text appends a string with its length.
func (w *Writer) Text(s string) {
	w.Uint(uint64(len(s)))
	w.Bytes = append(w.Bytes, s...)
}

// refuse remembers the first thing that cannot be written.
func (w *Writer) refuse(format string, args ...any) {
	if w.err == nil {
		w.err = fmt.Errorf("memory: %s is %s", strings.Join(w.path, ""), fmt.Sprintf(format, args...))
	}
}

// How a pointer is written: first which of these.
const (
	toNothing = iota // nil
	toEmpty          // to memory of size 0
	toNew            // to memory that is met now; its contents follow
	toOld            // into memory that has been met: number and offset
)

// pointee writes what n values of a type at p hold, unless they have been met.
func (w *Writer) pointee(p unsafe.Pointer, t reflect.Type, each write, n int) {
	r := region{uintptr(p), uintptr(n) * t.Size()}
	switch {
	case p == nil:
		w.Uint(toNothing)
		return
	case r.size == 0:
		w.Uint(toEmpty)
		return
	}
	for i, old := range w.regions {
		if old.begin <= r.begin && r.begin+r.size <= old.begin+old.size {
			w.Uint(toOld)
			w.Uint(uint64(i))
			w.Uint(uint64(r.begin - old.begin))
			return
		}
	}
	w.Uint(toNew)
	w.overlaps(r)
	w.regions = append(w.regions, r)
	for i := range n {
		each(w, unsafe.Add(p, uintptr(i)*t.Size()))
	}
}

// overlaps writes which regions that have been met are parts of r, or overlap
// it, and where: their contents are written twice.
func (w *Writer) overlaps(r region) {
	for i, old := range w.regions {
		if old.begin < r.begin+r.size && r.begin < old.begin+old.size {
			w.Uint(uint64(i) + 1)
			w.Uint(uint64(old.begin-r.begin) & (1<<32 - 1))
		}
	}
	w.Uint(0)
}

// dynamic writes a value with its type.
func (w *Writer) dynamic(v reflect.Value) {
	if !v.IsValid() {
		w.Text("")
		return
	}
	t := v.Type()
	w.Text(t.PkgPath() + "." + t.String())
	box := reflect.New(t)
	box.Elem().Set(v)
	w.plan(t)(w, box.UnsafePointer())
}
