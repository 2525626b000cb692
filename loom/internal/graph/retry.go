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
	known     map[uint64]int32 // by place
	last      [256]known       // some of these
}

// known is what a place is known to be.
type known struct {
	place uint64
	where int32
}

// Where is part of machine.Rounds.
func (r *rounds) Where(t *machine.Thread, code machine.Code, object int32) int32 {
	place, ok := t.Place()
	last := &r.last[place%uint64(len(r.last))]
	if !ok {
		last = &known{}
	}
	if !ok || last.place != place {
		where, known := r.known[place]
		if !ok || !known {
			var pcs [16]uintptr
			where = r.function(pcs[:runtime.Callers(4, pcs[:])])
			if ok {
				r.known[place] = where
			}
		}
		last.place, last.where = place, where
	}
	where := last.where
	if where != 0 && code == machine.Load {
		forget(t, object, where)
	}
	return where
}

// Failed is part of machine.Rounds.
func (r *rounds) Failed(t *machine.Thread, object, where int32) {
	if forget(t, object, where) {
		return
	}
	// A loop that begins with the compare-and-swap itself.
	seen := t.Observations()
	last := len(seen) - 1
	for i := last - 1; i >= 0; i-- {
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

// function returns which of the declared functions has called the shim, counted
// from 1, 0 if none of them has.
func (r *rounds) function(pcs []uintptr) int32 {
	frames := runtime.CallersFrames(pcs)
	for {
		f, more := frames.Next()
		if !machine.Inside(f.Function) {
			name := strings.ReplaceAll(f.Function, "[...]", "")
			name = strings.NewReplacer("(*", "", ")", "").Replace(name)
			for i, declared := range r.functions {
				if before, is := strings.CutSuffix(name, declared); is && (before == "" || strings.HasSuffix(before, ".") || strings.HasSuffix(before, "/")) {
					return int32(i) + 1
				}
			}
			return 0
		}
		if !more {
			return 0
		}
	}
}
