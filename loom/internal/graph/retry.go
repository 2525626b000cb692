package graph

import (
	"runtime"
	"strings"

	"github.com/filch-sched/filch/loom/internal/machine"
)

// rounds forgets what threads have observed in rounds of a loop that have failed.
// The driver declares the functions that are such loops. It sees to it that
// between two calls of one of them there is a boundary, so that what a thread has
// observed in the function since its last boundary was in one call.
//
// A round begins with a load of the word that its compare-and-swap is about. So
// if the compare-and-swap fails, what came after the last load in this function,
// and the load itself, is forgotten; and if a round gives up before and loads the
// word again, likewise. What the loop has observed before its first load stays.
type rounds struct {
	functions []string
	heads     []Head
	known     map[uint64]spot // by place
	last      [256]known      // some of these
	pcs       []uintptr       // all calls that have led there
}

// Head is where a thread remembers nothing but that: it is about to do an operation
// that is called in a function.
type Head struct {
	Function string
	Code     machine.Code
}

// spot is what a place is known to be: in which loop, and at which head, 0 for none.
type spot struct {
	where int32
	head  uint64
}

type known struct {
	place uint64
	spot
}

// newRounds returns what knows the loops and heads that opts names, nil if there
// are none. Heads make graphs smaller, so Exact leaves them out.
func newRounds(opts Options) machine.Rounds {
	r := &rounds{functions: opts.Retries, known: map[uint64]spot{}, pcs: make([]uintptr, 64)}
	if !opts.Exact {
		r.heads = opts.Heads
	}
	if len(r.functions)+len(r.heads) == 0 {
		return nil
	}
	return r
}

// Where is part of machine.Rounds.
func (r *rounds) Where(t *machine.Thread, code machine.Code, object int32) int32 {
	loop := code == machine.Load || code == machine.CompareAndSwap
	if !loop && len(r.heads) == 0 {
		return 0
	}
	at := r.at(code)
	if at.head != 0 {
		t.Head(at.head, object)
	}
	if !loop {
		return 0
	}
	if at.where != 0 && code == machine.Load {
		forget(t, object, at.where)
	}
	return at.where
}

// at returns what is known of the place at which t is about to do code, which is told
// by the calls that have led there: what a thread has observed does not tell, since it
// may go by plain memory as well.
func (r *rounds) at(code machine.Code) spot {
	n := runtime.Callers(5, r.pcs)
	for n == len(r.pcs) { // there may be more
		r.pcs = make([]uintptr, 2*n)
		n = runtime.Callers(5, r.pcs)
	}
	calls := r.pcs[:n]
	place := hash(calls)
	last := &r.last[place%uint64(len(r.last))]
	if last.place == place {
		return last.spot
	}
	at, known := r.known[place]
	if !known {
		at = r.spot(calls, code)
		r.known[place] = at
	}
	last.place, last.spot = place, at
	return at
}

// hash tells calls apart.
func hash(calls []uintptr) (h uint64) {
	for _, pc := range calls {
		h = (h ^ uint64(pc)) * 0x9e3779b97f4a7c15
		h ^= h >> 32
	}
	return h
}

// Failed is part of machine.Rounds.
func (r *rounds) Failed(t *machine.Thread, object, where int32) {
	if forget(t, object, where) {
		return
	}
	// A loop that begins with the compare-and-swap itself.
	seen := t.Observations()
	last := len(seen) - 1
	for i := last - 1; i >= 0 && !elsewhere(&seen[i], where); i-- {
		if o := &seen[i]; o.Object == object && o.Where == where && o.Code == machine.CompareAndSwap {
			seen[i] = seen[last]
			t.Forget(i + 1)
			return
		}
	}
}

// forget drops what t has observed from its last load of an object in a function
// on, and reports whether there is one.
func forget(t *machine.Thread, object, where int32) bool {
	i := lastLoad(t.Observations(), object, where)
	if i >= 0 {
		t.Forget(i)
	}
	return i >= 0
}

// spot returns which of the declared functions has called the shim to do code,
// counted from 1, 0 if none of them has; and, if it is a head, what tells it from
// other ones: a head is where it is by the calls that have led there.
func (r *rounds) spot(pcs []uintptr, code machine.Code) (at spot) {
	frames := runtime.CallersFrames(pcs)
	name := ""
	for more := true; more && name == ""; {
		var f runtime.Frame
		if f, more = frames.Next(); !machine.Inside(f.Function) {
			name = strings.ReplaceAll(f.Function, "[...]", "")
			name = strings.NewReplacer("(*", "", ")", "").Replace(name)
		}
	}
	for i, declared := range r.functions {
		if called(name, declared) {
			at.where = int32(i) + 1
			break
		}
	}
	for _, h := range r.heads {
		if h.Code == code && called(name, h.Function) {
			at.head = hash(pcs)
			break
		}
	}
	return at
}

// called reports whether a function is called what is declared: with or without its
// package.
func called(name, declared string) bool {
	before, is := strings.CutSuffix(name, declared)
	return is && (before == "" || strings.HasSuffix(before, ".") || strings.HasSuffix(before, "/"))
}
