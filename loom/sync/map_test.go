package sync_test

import (
	"maps"
	"reflect"
	"slices"
	stdsync "sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom/sync"
)

// TestMapMirrors: Map has the methods of sync.Map.
func TestMapMirrors(t *testing.T) {
	want, got := reflect.TypeOf(new(stdsync.Map)), reflect.TypeOf(new(sync.Map))
	require.Equal(t, want.NumMethod(), got.NumMethod())
	for i := range want.NumMethod() {
		require.Equal(t, want.Method(i).Name, got.Method(i).Name)
		require.Equal(t, want.Method(i).Type.NumIn(), got.Method(i).Type.NumIn())
		require.Equal(t, want.Method(i).Type.NumOut(), got.Method(i).Type.NumOut())
	}
}

// TestMapIsAMap compares it with sync.Map, call by call.
func TestMapIsAMap(t *testing.T) {
	type both struct {
		a any
		b bool
	}
	type mapping interface {
		Load(key any) (any, bool)
		Store(key, value any)
		LoadOrStore(key, value any) (any, bool)
		LoadAndDelete(key any) (any, bool)
		Delete(key any)
		Swap(key, value any) (any, bool)
		CompareAndSwap(key, old, new any) bool
		CompareAndDelete(key, old any) bool
		Range(f func(key, value any) bool)
		Clear()
	}
	run := func(m mapping) (log []both) {
		two := func(a any, b bool) { log = append(log, both{a, b}) }
		contents := func() {
			all := map[any]any{}
			m.Range(func(k, v any) bool { all[k] = v; return true })
			for _, k := range slices.Sorted(maps.Keys(map[int]bool{1: true, 2: true, 3: true})) {
				two(all[k], len(all) > 1)
			}
		}
		two(m.Load(1))
		two(m.LoadOrStore(1, "a"))
		two(m.LoadOrStore(1, "b"))
		m.Store(2, "c")
		contents()
		two(m.Swap(2, "d"))
		two(m.Swap(3, "e"))
		two(nil, m.CompareAndSwap(1, "z", "y"))
		two(nil, m.CompareAndSwap(1, "a", "y"))
		two(nil, m.CompareAndSwap(9, nil, "y"))
		two(nil, m.CompareAndDelete(1, "z"))
		two(nil, m.CompareAndDelete(1, "y"))
		two(m.LoadAndDelete(2))
		two(m.LoadAndDelete(2))
		contents()
		m.Delete(3)
		m.Delete(3)
		contents()
		m.Store(1, 1)
		n := 0
		m.Store(2, 2)
		m.Range(func(k, v any) bool { n++; m.Delete(1); m.Delete(2); return true })
		two(n, false)
		m.Store(1, 1)
		m.Clear()
		contents()
		return log
	}
	require.Equal(t, run(new(stdsync.Map)), run(new(sync.Map)))
}

// TestOnceFunctions: f runs once, and what it panics with every call panics with.
func TestOnceFunctions(t *testing.T) {
	runs := 0
	f := sync.OnceFunc(func() { runs++ })
	f()
	f()
	require.Equal(t, 1, runs)
	v := sync.OnceValue(func() int { runs++; return runs })
	require.Equal(t, 2, v())
	require.Equal(t, 2, v())
	vs := sync.OnceValues(func() (int, string) { runs++; return runs, "x" })
	for range 2 {
		a, b := vs()
		require.Equal(t, 3, a)
		require.Equal(t, "x", b)
	}
	bad := sync.OnceFunc(func() { runs++; panic("on purpose") })
	require.PanicsWithValue(t, "on purpose", bad)
	require.PanicsWithValue(t, "on purpose", bad)
	require.Equal(t, 4, runs)
}
