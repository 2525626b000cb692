package machine

import "unsafe"

// plains has the plain variables that the execution numbered run has met, by
// their addresses. That keeps them where they are: no address is used twice in
// one execution. Like Current it relies on one machine running at a time.
var plains struct {
	run  uint64
	refs map[unsafe.Pointer]*Ref
}

// Plain is Cell for the plain variable at addr. There are many of them and they
// matter only if they race, so the trace has nothing but the access that does.
func (t *Thread) Plain(addr unsafe.Pointer, store bool) {
	m := t.m
	if plains.run != m.run {
		plains.run, plains.refs = m.run, make(map[unsafe.Pointer]*Ref)
	}
	r := plains.refs[addr]
	if r == nil {
		r = &Ref{}
		plains.refs[addr] = r
	}
	n := len(m.Trace)
	t.Cell(r, store)
	m.Trace = m.Trace[:n]
}
