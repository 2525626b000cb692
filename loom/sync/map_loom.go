//go:build loom

package sync

import (
	"fmt"
	"slices"
	"sync"

	"github.com/filch-sched/filch/loom/internal/machine"
)

// Map is sync.Map, scheduled by package loom. An operation is one step; those
// that change nothing commute. As in sync.Map, a write to a key synchronizes
// before what observes it, and other keys have no part in that. Range looks at
// the map once for each key that it meets, in the order in which the keys came,
// which sync.Map leaves open, and does not meet those that come meanwhile.
type Map struct {
	ref machine.Ref

	mu      sync.Mutex // never held across a step
	entries map[any]*entry
	order   []*entry // in the order in which they came
}

// entry is what there is for a key. In an exploration it outlives the value, for
// the sake of those that observe that there is none.
type entry struct {
	key   any // NaN: entries does not lead here
	value any
	there bool
	clock machine.Clock // what those that observe the entry learn
	run   uint64        // the execution that clock belongs to
}

// call is a call of a method. change gets what is there for the key and returns
// what is to be there.
type call struct {
	name   string
	key    any
	entry  *entry                                        // of the key, if entries does not lead there
	change func(is any, ok bool) (value any, there bool) // nil: only look
	blind  bool                                          // it does not observe what was there
	always bool                                          // it writes, whatever was there
}

// do does a call, as a step of the machine if the caller is a thread of one, and
// returns what was there.
func (m *Map) do(c call) (was any, ok bool) {
	t := machine.Current()
	var rec *machine.Recorder
	if t == nil {
		rec = machine.Begin(&m.ref, nil, machine.Map, c.name)
	} else {
		t.MapStep(&m.ref, func() bool { return c.always || m.changes(c) })
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if rec != nil {
		defer func() { rec.Done(machine.Plain(c.key), machine.Plain(was)+" "+fmt.Sprint(ok)) }()
	}
	e := m.entries[c.key]
	if e == nil {
		e = c.entry
	}
	if e != nil && e.there {
		was, ok = e.value, true
	}
	if t != nil && e != nil && e.run == t.Run() && !c.blind {
		t.Acquire(e.clock)
	}
	changed := false
	if c.change != nil {
		value, there := c.change(was, ok)
		if changed = ok != there || ok && differ(was, value); changed || c.always {
			m.put(t, e, c.key, value, there)
		}
	}
	if t != nil {
		t.Wrote(changed)
		if t.Tracing() {
			t.Saw("%s(%v) = %v, %v", c.name, c.key, was, ok)
		}
	}
	return was, ok
}

// changes reports whether a call would change the map now. Keys and values may be
// such that comparing them panics: then the call will, too.
func (m *Map) changes(c call) (yes bool) {
	if c.change == nil {
		return false
	}
	defer func() {
		if recover() != nil {
			yes = true
		}
	}()
	m.mu.Lock()
	defer m.mu.Unlock()
	var is any
	e := m.entries[c.key]
	ok := e != nil && e.there
	if ok {
		is = e.value
	}
	value, there := c.change(is, ok)
	return ok != there || ok && differ(is, value)
}

// put sets what there is for a key, whose entry is e, nil if it has none. In an exploration it is a write that others
// can observe, also if it removes the value.
func (m *Map) put(t *machine.Thread, e *entry, key, value any, there bool) {
	if e == nil {
		if m.entries == nil {
			m.entries = make(map[any]*entry)
		}
		e = &entry{key: key}
		m.entries[key] = e
		m.order = append(m.order, e)
	} else if there && !e.there { // it comes anew
		i := slices.Index(m.order, e)
		m.order = append(slices.Delete(m.order, i, i+1), e)
	}
	e.value, e.there = value, there
	switch {
	case t != nil:
		if e.run != t.Run() {
			e.run, e.clock = t.Run(), nil
		}
		t.Release(&e.clock)
	case !there:
		delete(m.entries, key)
		i := slices.Index(m.order, e)
		m.order = slices.Delete(m.order, i, i+1)
	}
}

// differ reports whether two values are different. Values that cannot be
// compared are.
func differ(a, b any) (yes bool) {
	defer func() {
		if recover() != nil {
			yes = true
		}
	}()
	return a != b
}
