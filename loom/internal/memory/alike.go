package memory

import (
	"slices"
	"unsafe"
)

// Alike reports whether two sections can stand for one another: they are laid out in the
// same way, so that what one holds can be put into the other, and what does not change in
// them is the same: strings, and where pointers lead, which is the same place, or the
// corresponding one of either section. A root that an earlier section has led to is
// such a pointer.
//
// It may say no where it could say yes, as of equal values behind interfaces.
func (m *Image) Alike(i, j int) bool {
	a, b := m.view(i), m.view(j)
	return slices.EqualFunc(a.spans, b.spans, func(s, t span) bool {
		return s.size == t.size && leadAlike(&a, &b, uintptr(s.at), uintptr(t.at))
	}) && slices.EqualFunc(a.marks, b.marks, func(p, q unsafe.Pointer) bool {
		return leadAlike(&a, &b, uintptr(p), uintptr(q))
	}) && slices.EqualFunc(a.roots, b.roots, func(p, q uintptr) bool {
		return leadAlike(&a, &b, p, q)
	}) && slices.EqualFunc(a.shape, b.shape, func(h, g held) bool {
		return h.size == g.size && leadAlike(&a, &b, uintptr(h.at), uintptr(g.at)) && h.alike(&g, &a, &b)
	})
}

// alike reports whether what does not change in one section corresponds to that in
// another one.
func (h *held) alike(g *held, a, b *sight) bool {
	if h.text || g.text {
		return h.text == g.text && *(*string)(h.at) == *(*string)(g.at)
	}
	for k := range h.was {
		if !leadAlike(a, b, h.was[k], g.was[k]) {
			return false
		}
	}
	return true
}

// sight is a section by its parts.
type sight struct {
	spans   []span
	marks   []unsafe.Pointer
	shape   []held
	regions []region
	roots   []uintptr
}

// view returns a section by its parts.
func (m *Image) view(i int) sight {
	s := m.sections[i]
	next := section{mark: len(m.marks), shape: len(m.shape), seen: len(m.seen), root: len(m.roots)}
	if i+1 < len(m.sections) {
		next = m.sections[i+1]
	}
	return sight{m.part(i), m.marks[s.mark:next.mark], m.shape[s.shape:next.shape], m.seen[s.seen:next.seen], m.roots[s.root:next.root]}
}

// leadAlike reports whether two words are the same, or lead to the same place of a region
// of one section and of the region of the other that was met as early.
func leadAlike(a, b *sight, p, q uintptr) bool {
	if p == q {
		return true
	}
	i, at := a.place(p)
	j, other := b.place(q)
	return i >= 0 && i == j && at == other
}

// place returns which region of a section a word leads to, and where in it; -1: to none.
func (s *sight) place(p uintptr) (region int, at uintptr) {
	for i, r := range s.regions {
		if r.begin <= p && p < r.begin+r.size {
			return i, p - r.begin
		}
	}
	return -1, 0
}
