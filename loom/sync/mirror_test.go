package sync_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	stdsync "sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom/sync"
)

// TestTypesMirror: the types have the methods of package sync's.
func TestTypesMirror(t *testing.T) {
	for _, pair := range [][2]any{
		{new(stdsync.Mutex), new(sync.Mutex)},
		{new(stdsync.RWMutex), new(sync.RWMutex)},
		{new(stdsync.Cond), new(sync.Cond)},
		{new(stdsync.WaitGroup), new(sync.WaitGroup)},
		{new(stdsync.Once), new(sync.Once)},
		{new(stdsync.Pool), new(sync.Pool)},
	} {
		want, got := reflect.TypeOf(pair[0]), reflect.TypeOf(pair[1])
		require.Equal(t, want.NumMethod(), got.NumMethod(), want)
		for i := range want.NumMethod() {
			w, g := want.Method(i), got.Method(i)
			require.Equal(t, w.Name, g.Name, want)
			require.Equal(t, w.Type.NumIn(), g.Type.NumIn(), "%v.%s", want, w.Name)
			require.Equal(t, w.Type.NumOut(), g.Type.NumOut(), "%v.%s", want, w.Name)
		}
	}
}

// TestOutsideAnExploration: the objects are real ones, shared by goroutines.
func TestOutsideAnExploration(t *testing.T) {
	var mu sync.Mutex
	require.True(t, mu.TryLock())
	require.False(t, mu.TryLock())
	mu.Unlock()

	var rw sync.RWMutex
	rw.RLock()
	require.True(t, rw.TryRLock())
	require.False(t, rw.TryLock())
	rw.RUnlock()
	rw.RLocker().Unlock()
	rw.Lock()
	require.False(t, rw.TryRLock())
	rw.Unlock()

	c := sync.NewCond(&mu)
	var group sync.WaitGroup
	queued, taken := 0, 0
	for range 4 {
		group.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			for queued == 0 {
				c.Wait()
			}
			queued--
			taken++
		})
	}
	for i := range 4 {
		mu.Lock()
		queued++
		mu.Unlock()
		if i%2 == 0 {
			c.Signal()
		} else {
			c.Broadcast()
		}
	}
	group.Wait()
	require.Equal(t, 4, taken)

	runs := 0
	var once sync.Once
	for range 3 {
		once.Do(func() { runs++ })
	}
	require.Equal(t, 1, runs)

	pool := sync.Pool{New: func() any { return "new" }}
	require.Equal(t, "new", pool.Get())
	pool.Put(nil)
	require.Equal(t, "new", pool.Get())
	pool.Put("old")
	require.Contains(t, []any{"old", "new"}, pool.Get())
}

// exported returns the exported types and functions that files declare.
func exported(t *testing.T, pattern string, keep func(file string) bool) map[string]bool {
	files, err := filepath.Glob(pattern)
	require.NoError(t, err)
	found := map[string]bool{}
	for _, f := range files {
		if !keep(filepath.Base(f)) {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), f, nil, 0)
		require.NoError(t, err)
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				found[d.Name.Name] = found[d.Name.Name] || d.Recv == nil && d.Name.IsExported()
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if s, ok := spec.(*ast.TypeSpec); ok {
						found[s.Name.Name] = s.Name.IsExported()
					}
				}
			}
		}
	}
	maps.DeleteFunc(found, func(_ string, yes bool) bool { return !yes })
	return found
}

// TestPackageMirrors: both builds have all that package sync exports, and no more.
func TestPackageMirrors(t *testing.T) {
	test := func(f string) bool { return strings.HasSuffix(f, "_test.go") }
	tagged := func(f string) bool { return strings.HasSuffix(f, "_loom.go") }
	std := exported(t, filepath.Join(runtime.GOROOT(), "src", "sync", "*.go"), func(f string) bool { return !test(f) })
	require.Contains(t, std, "OnceValues")
	require.Equal(t, std, exported(t, "*.go", func(f string) bool { return !test(f) && !tagged(f) }))
	require.Equal(t, std, exported(t, "*.go", tagged))
}
