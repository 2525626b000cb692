package machine

import (
	"fmt"
	"sync"
	"sync/atomic"
	"unsafe"
)

// words are the plain variables that the function forms of sync/atomic work on,
// by their addresses.
type words struct {
	sync.Mutex // of changes to the maps, and of what other goroutines do
	byAddr     map[unsafe.Pointer]*Ref
	guests     map[unsafe.Pointer]uint64
	marked     atomic.Bool // whether there are guests
	refs       []*Ref      // reused by later executions
	n          int
	sizes      map[uintptr]uintptr // of those in byAddr that WordAt has returned
	sites      map[uintptr]Site    // where they were first used, only while tracing
}

// At returns the Ref of the plain word at addr, for the function forms of
// sync/atomic.
func (t *Thread) At(addr unsafe.Pointer) *Ref {
	w := &t.m.words
	if r := w.byAddr[addr]; r != nil {
		return r
	}
	if w.n == len(w.refs) {
		w.refs = append(w.refs, &Ref{})
	}
	r := w.refs[w.n]
	w.n++
	w.Lock()
	defer w.Unlock()
	if w.byAddr == nil {
		w.byAddr = make(map[unsafe.Pointer]*Ref)
	}
	w.byAddr[addr] = r
	if g, ok := w.guests[addr]; ok {
		r.guest.Store(g)
	}
	return r
}

// WordAt is At for a word of size bytes, 4 or 8. One that overlaps another in part
// is refused: steps on the one could change what the other has, and seem to
// commute with those on it.
func (t *Thread) WordAt(addr unsafe.Pointer, size uintptr) *Ref {
	w := &t.m.words
	at := uintptr(addr) // what is beside it may be no memory: no pointer is made of that
	if r := w.byAddr[addr]; r != nil && size <= w.sizes[at] {
		return r
	}
	switch {
	case w.sizes[at-4] == 8:
		t.overlap(at, size, at-4)
	case size == 8 && w.sizes[at+4] > 0:
		t.overlap(at, size, at+4)
	}
	if w.sizes == nil {
		w.sizes = make(map[uintptr]uintptr)
	}
	w.sizes[at] = size
	if t.m.Tracing {
		if w.sites == nil {
			w.sites = make(map[uintptr]Site)
		}
		w.sites[at] = t.here()
	}
	return t.At(addr)
}

// Overlap is the error of a program that uses words which overlap in part. While
// tracing it has both places.
type Overlap struct{ text string }

// Error says what overlaps, and where.
func (o *Overlap) Error() string { return o.text }

// overlap refuses the word at addr, since it overlaps other.
func (t *Thread) overlap(addr, size, other uintptr) {
	m := t.m
	if t.over() {
		t.unwind()
	}
	where := "from before them on"
	if addr < other {
		where = "in the middle of them"
	}
	m.ending, m.Err = true, &Overlap{fmt.Sprintf("loom: words that overlap: %d bytes are used at %v, and %d bytes %s at %v; "+
		"steps on the one seem to have nothing to do with the other", size, t.here(), m.words.sizes[other], where, m.words.sites[other])}
	t.unwind()
}

func (w *words) reset() {
	if w.n == 0 && !w.marked.Load() {
		return
	}
	w.Lock()
	defer w.Unlock()
	w.n, w.guests, w.sites = 0, nil, nil
	clear(w.sizes)
	w.marked.Store(false)
	clear(w.byAddr)
}
