package machine

import (
	"encoding/binary"
	"unsafe"
)

// This file writes down where a thread is, for a search of states that goes on from
// there without the thread: what it has observed and what it does next. Numbers of
// objects differ between executions, so an object is named by its place among those
// that the memory of the search has.

// Places are the objects of the running execution by their places: first those that
// threads share, then those that single threads have for themselves.
type Places struct {
	m     *Machine
	refs  []*Ref
	froms []int // where in refs each section begins; the first is shared, then one for each owner
	index map[*Ref]int32
	of    []int32 // by object, its place, or why it has none
}

// What an object is that has no place.
const (
	unplaced = -1 - iota
	decider  // what Choose is a step on
	unsought // not looked for yet
)

// NewPlaces returns the places of the objects at refs, in sections that begin at
// froms.
func (m *Machine) NewPlaces(refs []unsafe.Pointer, froms []int) *Places {
	p := &Places{m: m, froms: append(append([]int(nil), froms...), len(refs)), index: make(map[*Ref]int32, len(refs))}
	for i, r := range refs {
		p.refs = append(p.refs, (*Ref)(r))
		p.index[(*Ref)(r)] = int32(i)
	}
	return p
}

// place returns the place of an object for the thread that has a section for itself,
// 0 if it has none: places there follow those that are shared.
func (p *Places) place(o *object, section int) int32 {
	for len(p.of) <= int(o.id) {
		p.of = append(p.of, unsought)
	}
	at := &p.of[o.id]
	if *at == unsought {
		*at = unplaced
		if i, is := p.index[o.ref]; is {
			*at = i
		} else if o.ref == &p.m.choices {
			*at = decider
		}
	}
	i := int(*at)
	if i < p.froms[1] {
		return *at // shared, or none
	}
	if section == 0 || i < p.froms[section] || i >= p.froms[section+1] {
		return unplaced
	}
	return int32(i - p.froms[section] + p.froms[1])
}

// at returns the object at a place.
func (p *Places) at(place int32, kind Kind, section int) *object {
	switch n := int32(p.froms[1]); {
	case place == decider:
		return p.m.object(&p.m.choices, Choices)
	case place < n:
		return p.m.object(p.refs[place], kind)
	default:
		return p.m.object(p.refs[int(place-n)+p.froms[section]], kind)
	}
}

// Bits of what stands first in what Local writes.
const (
	localDone = 1 << iota
	localSettling
	localBound
	localPending
)

// Local appends what a search of states knows of t: equal bytes say that it is in one
// place and has observed the same. It reports false if that cannot be written down,
// since something is a matter of this execution: memory that no root leads to, a
// pointer that was observed, a lock, a thread that has not begun.
func (t *Thread) Local(p *Places, section int, b []byte) ([]byte, bool) {
	if t.failed || t.signalled || t.asleep || t.disturbed || t.co == nil && !t.done {
		return b, false
	}
	if t.done {
		return append(b, localDone), true
	}
	flags := byte(0)
	for i, f := range [...]bool{t.settling, t.bounds > 0, t.op.obj != nil} {
		if f {
			flags |= localSettling << i
		}
	}
	b = binary.AppendUvarint(append(b, flags), t.key)
	b = binary.LittleEndian.AppendUint64(b, t.whence)
	b, ok := t.pends(p, section, b)
	b = binary.AppendUvarint(b, uint64(len(t.seen)))
	for i := range t.seen {
		o := &t.seen[i]
		if o.Any != nil || o.Object < 0 {
			return b, false
		}
		b = append(b, byte(o.Code), byte(o.Where))
		b = binary.AppendUvarint(b, o.Value)
		var is bool
		b, is = p.name(p.m.objects[o.Object], section, b)
		ok = ok && is
	}
	b = binary.AppendUvarint(b, uint64(len(t.touched)))
	for _, c := range t.touched {
		var is bool
		b, is = p.name(p.m.objects[c.Object], section, append(b, truth(c.Store)))
		ok = ok && is
	}
	return b, ok
}

// pends appends what t does next.
func (t *Thread) pends(p *Places, section int, b []byte) (_ []byte, ok bool) {
	op := &t.op
	b = append(b, byte(op.Code), byte(t.where))
	if op.obj == nil {
		return b, op.Code == Boundary
	}
	if b, ok = p.name(op.obj, section, b); op.Code == CompareAndSwap {
		ok = ok && op.size > 0
		b = binary.AppendVarint(append(b, op.size), int64(uintptr(op.addr)-uintptr(unsafe.Pointer(op.obj.ref))))
		b = binary.AppendUvarint(b, op.old)
	}
	return b, ok
}

// name appends the place and the kind of an object. Only words, cells and choices
// have names: what others are is not memory alone.
func (p *Places) name(o *object, section int, b []byte) ([]byte, bool) {
	at := p.place(o, section)
	return append(binary.AppendVarint(b, int64(at)), byte(o.kind)), at != unplaced && plainly(o.kind)
}

// plainly reports whether the state of such an object is what memory holds, in
// numbers.
func plainly(k Kind) bool { return k <= Bool || k == Cells || k == Choices }

// Plainly reports whether the state of all objects from number n on is what memory
// holds.
func (m *Machine) Plainly(n int) bool {
	for _, o := range m.objects[n:m.nobjects] {
		if !plainly(o.kind) {
			return false
		}
	}
	return true
}

// pose is what a thread keeps of itself while it poses as another.
type pose struct {
	on   bool
	op   Op
	done bool
	witness
}

// Pose makes t look to a search of states like the thread of which Local has
// written b, in an execution of which t has that section for itself. It must not take
// a step before Rise.
func (t *Thread) Pose(p *Places, section int, b string) {
	if !t.kept.on {
		seen, touched := t.kept.seen, t.kept.touched
		t.kept = pose{true, t.op, t.done, t.witness}
		t.seen, t.touched = seen[:0], touched[:0]
	}
	r := reading{b}
	flags := r.byte()
	t.op, t.seen, t.touched = Op{}, t.seen[:0], t.touched[:0]
	if t.done = flags&localDone != 0; t.done {
		return
	}
	t.settling, t.bounds = flags&localSettling != 0, int32(flags&localBound/localBound)
	t.key, t.whence = r.uint(), r.word()
	t.op.Code, t.where = Code(r.byte()), int32(r.byte())
	if flags&localPending != 0 {
		t.op.obj = r.object(p, section)
		if t.op.Code == CompareAndSwap {
			t.op.size = r.byte()
			t.op.addr = unsafe.Add(unsafe.Pointer(t.op.obj.ref), r.int())
			t.op.old = r.uint()
		}
	}
	for range r.uint() {
		o := Observation{Code: Code(r.byte()), Where: int32(r.byte()), Value: r.uint()}
		o.Object = r.object(p, section).id
		t.seen = append(t.seen, o)
	}
	for range r.uint() {
		store := r.byte() != 0
		t.touched = append(t.touched, Touch{Object: r.object(p, section).id, Store: store})
	}
}

// Rise makes t what it was before it posed.
func (t *Thread) Rise() {
	if k := &t.kept; k.on {
		seen, touched := t.seen, t.touched
		t.op, t.done, t.witness = k.op, k.done, k.witness
		*k = pose{witness: witness{seen: seen, touched: touched}}
	}
}

// reading reads what Local has written.
type reading struct{ b string }

func (r *reading) byte() byte {
	v := r.b[0]
	r.b = r.b[1:]
	return v
}

func (r *reading) uint() (v uint64) {
	for shift := 0; ; shift += 7 {
		b := r.byte()
		if v |= uint64(b&127) << shift; b < 128 {
			return v
		}
	}
}

func (r *reading) int() int64 {
	v := r.uint()
	return int64(v>>1) ^ -int64(v&1)
}

func (r *reading) word() (v uint64) {
	for i := range 8 {
		v |= uint64(r.byte()) << (8 * i)
	}
	return v
}

func (r *reading) object(p *Places, section int) *object {
	at := int32(r.int())
	return p.at(at, Kind(r.byte()), section)
}

func truth(b bool) byte {
	if b {
		return 1
	}
	return 0
}
