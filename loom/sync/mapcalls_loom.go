//go:build loom

package sync

import (
	"slices"

	"github.com/filch-sched/filch/loom/internal/machine"
)

func store(value any) func(any, bool) (any, bool) {
	return func(any, bool) (any, bool) { return value, true }
}

func remove(any, bool) (any, bool) { return nil, false }

// Load is Load of sync.Map.
func (m *Map) Load(key any) (value any, ok bool) { return m.do(call{name: "Load", key: key}) }

// Store is Store of sync.Map.
func (m *Map) Store(key, value any) {
	m.do(call{name: "Store", key: key, change: store(value), blind: true, always: true})
}

// LoadOrStore is LoadOrStore of sync.Map.
func (m *Map) LoadOrStore(key, value any) (actual any, loaded bool) {
	was, ok := m.do(call{name: "LoadOrStore", key: key, change: func(is any, ok bool) (any, bool) {
		if ok {
			return is, true
		}
		return value, true
	}})
	if ok {
		return was, true
	}
	return value, false
}

// LoadAndDelete is LoadAndDelete of sync.Map.
func (m *Map) LoadAndDelete(key any) (value any, loaded bool) {
	return m.do(call{name: "LoadAndDelete", key: key, change: remove})
}

// Delete is Delete of sync.Map.
func (m *Map) Delete(key any) {
	m.do(call{name: "Delete", key: key, change: remove, blind: true})
}

// Swap is Swap of sync.Map.
func (m *Map) Swap(key, value any) (previous any, loaded bool) {
	return m.do(call{name: "Swap", key: key, change: store(value), always: true})
}

// CompareAndSwap is CompareAndSwap of sync.Map.
func (m *Map) CompareAndSwap(key, old, new any) (swapped bool) {
	m.do(call{name: "CompareAndSwap", key: key, change: func(is any, ok bool) (any, bool) {
		if swapped = ok && is == old; swapped {
			return new, true
		}
		return is, ok
	}})
	return swapped
}

// CompareAndDelete is CompareAndDelete of sync.Map.
func (m *Map) CompareAndDelete(key, old any) (deleted bool) {
	m.do(call{name: "CompareAndDelete", key: key, change: func(is any, ok bool) (any, bool) {
		deleted = ok && is == old
		return is, ok && !deleted
	}})
	return deleted
}

// Clear is Clear of sync.Map.
func (m *Map) Clear() {
	t := machine.Current()
	if t != nil {
		t.MapStep(&m.ref, func() bool { return true })
	} else if e := machine.Begin(&m.ref, nil, machine.Map, "Clear"); e != nil {
		defer e.Done("", "")
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	changed := false
	for _, e := range slices.Clone(m.order) {
		if e.there {
			m.put(t, e, e.key, nil, false)
			changed = true
		}
	}
	if t != nil {
		t.Wrote(changed)
		if t.Tracing() {
			t.Saw("Clear()")
		}
	}
}

// Range is Range of sync.Map.
func (m *Map) Range(f func(key, value any) bool) {
	t := machine.Current()
	if t == nil {
		machine.Outside(&m.ref, machine.Map)
	} else {
		t.MapStep(&m.ref, func() bool { return false })
		t.Wrote(false)
		if t.Tracing() {
			t.Saw("Range()")
		}
	}
	m.mu.Lock()
	var met []*entry
	for _, e := range m.order {
		if e.there {
			met = append(met, e)
		}
	}
	m.mu.Unlock()
	for _, e := range met {
		if value, ok := m.do(call{name: "Range", key: e.key, entry: e}); ok && !f(e.key, value) {
			return
		}
	}
}
