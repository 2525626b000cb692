//go:build loom

package sync

import (
	"slices"
	"sync"

	"github.com/filch-sched/filch/loom/internal/machine"
)

// Map is sync.Map, scheduled by package loom. An operation is one step; those
// that only look at the map commute. Range looks at the map once for each key
// that it meets, in the order in which the keys came, which sync.Map leaves open.
type Map struct {
	ref machine.Ref

	mu     sync.Mutex // never held across a step
	values map[any]any
	keys   []any
}

// look announces an operation that changes nothing, and looks.
func (m *Map) look(name string, key any) (value any, ok bool) {
	t := machine.Current()
	if t != nil {
		t.LoadWord(&m.ref, machine.Map)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	value, ok = m.values[key]
	if t != nil && t.Tracing() {
		t.Saw("(%s %v) = %v, %v", name, key, value, ok)
	}
	return value, ok
}

// modify announces an operation that may change the map, and does it. change is
// called with what was there, and returns what is to be there.
func (m *Map) modify(name string, key any, change func(old any, ok bool) (value any, keep bool)) (old any, ok bool) {
	t := machine.Current()
	if t != nil {
		t.ModifyWord(machine.Store, &m.ref, machine.Map)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	old, ok = m.values[key]
	value, keep := change(old, ok)
	m.set(key, value, keep)
	if t != nil {
		t.Wrote(ok != keep || ok && differ(old, value))
		if t.Tracing() {
			t.Saw("(%s %v)", name, key)
		}
	}
	return old, ok
}

// set puts a value, or removes it if it is not to be kept.
func (m *Map) set(key, value any, keep bool) {
	_, known := m.values[key]
	switch {
	case !keep && known:
		delete(m.values, key)
		i := slices.Index(m.keys, key)
		m.keys = slices.Delete(m.keys, i, i+1)
	case keep && !known:
		if m.values == nil {
			m.values = make(map[any]any)
		}
		m.keys = append(m.keys, key)
	}
	if keep {
		m.values[key] = value
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

// Load is Load of sync.Map.
func (m *Map) Load(key any) (value any, ok bool) { return m.look("Load", key) }

// Store is Store of sync.Map.
func (m *Map) Store(key, value any) {
	m.modify("Store", key, func(any, bool) (any, bool) { return value, true })
}

// LoadOrStore is LoadOrStore of sync.Map.
func (m *Map) LoadOrStore(key, value any) (actual any, loaded bool) {
	old, ok := m.modify("LoadOrStore", key, func(old any, ok bool) (any, bool) {
		if ok {
			return old, true
		}
		return value, true
	})
	if ok {
		return old, true
	}
	return value, false
}

// LoadAndDelete is LoadAndDelete of sync.Map.
func (m *Map) LoadAndDelete(key any) (value any, loaded bool) {
	return m.modify("LoadAndDelete", key, func(any, bool) (any, bool) { return nil, false })
}

// Delete is Delete of sync.Map.
func (m *Map) Delete(key any) {
	m.modify("Delete", key, func(any, bool) (any, bool) { return nil, false })
}

// Swap is Swap of sync.Map.
func (m *Map) Swap(key, value any) (previous any, loaded bool) {
	return m.modify("Swap", key, func(any, bool) (any, bool) { return value, true })
}

// CompareAndSwap is CompareAndSwap of sync.Map.
func (m *Map) CompareAndSwap(key, old, new any) (swapped bool) {
	m.modify("CompareAndSwap", key, func(is any, ok bool) (any, bool) {
		if swapped = ok && is == old; swapped {
			return new, true
		}
		return is, ok
	})
	return swapped
}

// CompareAndDelete is CompareAndDelete of sync.Map.
func (m *Map) CompareAndDelete(key, old any) (deleted bool) {
	m.modify("CompareAndDelete", key, func(is any, ok bool) (any, bool) {
		deleted = ok && is == old
		return is, ok && !deleted
	})
	return deleted
}

// Clear is Clear of sync.Map.
func (m *Map) Clear() {
	t := machine.Current()
	if t != nil {
		t.ModifyWord(machine.Store, &m.ref, machine.Map)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	n := len(m.keys)
	m.values, m.keys = nil, nil
	if t != nil {
		t.Wrote(n > 0)
		if t.Tracing() {
			t.Saw("(Clear)")
		}
	}
}

// Range is Range of sync.Map.
func (m *Map) Range(f func(key, value any) bool) {
	if t := machine.Current(); t != nil {
		t.LoadWord(&m.ref, machine.Map)
		if t.Tracing() {
			t.Saw("(Range begins)")
		}
	}
	m.mu.Lock()
	keys := slices.Clone(m.keys)
	m.mu.Unlock()
	for _, key := range keys {
		if value, ok := m.look("Range", key); ok && !f(key, value) {
			return
		}
	}
}
