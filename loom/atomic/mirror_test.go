package atomic_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	stdatomic "sync/atomic"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom/atomic"
)

// TestTypesMirror: the types have the methods of sync/atomic's, no more, no less.
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
}

// functions returns the exported functions that the files declare, with their
// parameters.
func functions(t *testing.T, pattern string, keep func(file string) bool) map[string]int {
	files, err := filepath.Glob(pattern)
	require.NoError(t, err)
	found := map[string]int{}
	for _, f := range files {
		if !keep(filepath.Base(f)) {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), f, nil, 0)
		require.NoError(t, err)
		for _, d := range file.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.IsExported() {
				found[fn.Name.Name] = fn.Type.Params.NumFields()
			}
		}
	}
	return found
}

// TestFunctionsMirror: both builds have the functions of sync/atomic.
func TestFunctionsMirror(t *testing.T) {
	std := functions(t, filepath.Join(runtime.GOROOT(), "src", "sync", "atomic", "*.go"),
		func(f string) bool { return !strings.HasSuffix(f, "_test.go") })
	require.Greater(t, len(std), 30)
	require.Equal(t, std, functions(t, "*.go", func(f string) bool { return f == "func.go" }))
	require.Equal(t, std, functions(t, "*.go", func(f string) bool { return strings.HasSuffix(f, "_loom.go") }))
}

// TestAlignment: 64-bit words are aligned to 8 bytes wherever they are, also
// on 32-bit machines.
func TestAlignment(t *testing.T) {
	var s struct {
		_ uint32
		a atomic.Int64
		_ uint32
		b atomic.Uint64
	}
	require.Zero(t, unsafe.Offsetof(s.a)%8)
	require.Zero(t, unsafe.Offsetof(s.b)%8)
	require.Zero(t, uintptr(unsafe.Pointer(&s.a))%8)
	s.a.Add(1)
	s.b.Add(1)
}

// TestOutsideAnExploration: the words are real ones, shared by goroutines.
func TestOutsideAnExploration(t *testing.T) {
	var b atomic.Bool
	require.False(t, b.Swap(true))
	require.True(t, b.CompareAndSwap(true, false))
	require.False(t, b.CompareAndSwap(true, false))
	b.Store(true)
	require.True(t, b.Load())

	var i atomic.Int32
	i.Store(6)
	require.EqualValues(t, 4, i.Add(-2))
	require.EqualValues(t, 4, i.And(5))
	require.EqualValues(t, 4, i.Or(3))
	require.EqualValues(t, 7, i.Swap(-1))
	require.True(t, i.CompareAndSwap(-1, 9))
	require.EqualValues(t, 9, i.Load())

	x, y := new(int), new(int)
	var p atomic.Pointer[int]
	require.Nil(t, p.Swap(x))
	require.True(t, p.CompareAndSwap(x, y))
	require.False(t, p.CompareAndSwap(x, y))
	require.Same(t, y, p.Load())
	p.Store(nil)
	require.Nil(t, p.Load())

	var v atomic.Value
	require.Nil(t, v.Load())
	v.Store("a")
	require.Equal(t, "a", v.Swap("b"))
	require.True(t, v.CompareAndSwap("b", "c"))
	require.Equal(t, "c", v.Load())
	require.Panics(t, func() { v.Store(1) }, "another type")

	var plain uint64
	require.EqualValues(t, 5, atomic.AddUint64(&plain, 5))
	require.EqualValues(t, 5, atomic.OrUint64(&plain, 2))
	require.EqualValues(t, 7, atomic.LoadUint64(&plain))

	var raw unsafe.Pointer
	atomic.StorePointer(&raw, unsafe.Pointer(x))
	require.True(t, atomic.CompareAndSwapPointer(&raw, unsafe.Pointer(x), nil))

	var sum atomic.Uint64
	done := make(chan bool)
	for range 4 {
		go func() {
			for range 10_000 {
				sum.Add(1)
				atomic.AddUint64(&plain, 1)
			}
			done <- true
		}()
	}
	for range 4 {
		<-done
	}
	require.EqualValues(t, 40_000, sum.Load())
	require.EqualValues(t, 40_007, atomic.LoadUint64(&plain))
}
