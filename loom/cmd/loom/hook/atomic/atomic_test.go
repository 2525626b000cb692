package atomic_test

import (
	"reflect"
	stdatomic "sync/atomic"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom/cmd/loom/hook/atomic"
)

// TestTypesMirror: the types have the size, the alignment and the methods of those
// of sync/atomic.
func TestTypesMirror(t *testing.T) {
	for _, pair := range [][2]any{
		{new(stdatomic.Bool), new(atomic.Bool)},
		{new(stdatomic.Int32), new(atomic.Int32)},
		{new(stdatomic.Int64), new(atomic.Int64)},
		{new(stdatomic.Uint32), new(atomic.Uint32)},
		{new(stdatomic.Uint64), new(atomic.Uint64)},
		{new(stdatomic.Uintptr), new(atomic.Uintptr)},
		{new(stdatomic.Value), new(atomic.Value)},
		{new(stdatomic.Pointer[int]), new(atomic.Pointer[int])},
	} {
		want, got := reflect.TypeOf(pair[0]), reflect.TypeOf(pair[1])
		require.Equal(t, want.Elem().Size(), got.Elem().Size(), want)
		require.Equal(t, want.Elem().Align(), got.Elem().Align(), want)
		require.Equal(t, want.NumMethod(), got.NumMethod(), want)
		for i := range want.NumMethod() {
			w, g := want.Method(i), got.Method(i)
			require.Equal(t, w.Name, g.Name, want)
			require.Equal(t, w.Type.NumIn(), g.Type.NumIn())
			for k := 1; k < w.Type.NumIn(); k++ {
				require.Equal(t, w.Type.In(k), g.Type.In(k), "%v.%s", want, w.Name)
			}
			for k := range w.Type.NumOut() {
				require.Equal(t, w.Type.Out(k), g.Type.Out(k), "%v.%s", want, w.Name)
			}
		}
	}
	var s struct {
		_ uint32
		a atomic.Int64
	}
	require.Zero(t, unsafe.Offsetof(s.a)%8)
}

// TestOutsideAnExploration: the words are real ones.
func TestOutsideAnExploration(t *testing.T) {
	var b atomic.Bool
	require.False(t, b.Swap(true))
	require.True(t, b.CompareAndSwap(true, false))
	b.Store(true)
	require.True(t, b.Load())
	var i atomic.Int64
	i.Store(6)
	require.EqualValues(t, 4, i.Add(-2))
	require.EqualValues(t, 4, i.And(5))
	require.EqualValues(t, 4, i.Or(3))
	require.EqualValues(t, 7, i.Swap(-1))
	require.True(t, i.CompareAndSwap(-1, 9))
	var p atomic.Pointer[int]
	x := new(int)
	require.Nil(t, p.Swap(x))
	require.True(t, p.CompareAndSwap(x, nil))
	var v atomic.Value
	require.Nil(t, v.Load())
	v.Store("a")
	require.Equal(t, "a", v.Swap("b"))
	require.True(t, v.CompareAndSwap("b", "c"))
	require.Panics(t, func() { v.Store(1) }, "another type")
	var plain uint32
	require.EqualValues(t, 5, atomic.AddUint32(&plain, 5))
	require.EqualValues(t, 5, plain)
}
