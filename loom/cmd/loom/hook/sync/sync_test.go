package sync_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"runtime"
	"strings"
	stdsync "sync"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom/cmd/loom/hook/sync"
)

// TestSizes: source may depend on how large a mutex is.
func TestSizes(t *testing.T) {
	require.Equal(t, unsafe.Sizeof(stdsync.Mutex{}), unsafe.Sizeof(sync.Mutex{}))
	require.Equal(t, unsafe.Sizeof(stdsync.RWMutex{}), unsafe.Sizeof(sync.RWMutex{}))
	require.Equal(t, unsafe.Sizeof(stdsync.WaitGroup{}), unsafe.Sizeof(sync.WaitGroup{}))
	require.Equal(t, unsafe.Sizeof(stdsync.Once{}), unsafe.Sizeof(sync.Once{}))
}

// TestWords: a Once begins with the word that says whether it has run, a WaitGroup
// with its counter.
func TestWords(t *testing.T) {
	var once stdsync.Once
	word := (*uint32)(unsafe.Pointer(&once))
	require.Zero(t, *word)
	once.Do(func() {})
	require.EqualValues(t, 1, *word)
	*word = 0
	runs := 0
	once.Do(func() { runs++ })
	once.Do(func() { runs++ })
	require.Equal(t, 1, runs)

	var group stdsync.WaitGroup
	count := (*uint64)(unsafe.Pointer(&group))
	require.Zero(t, *count)
	group.Add(1)
	require.NotZero(t, *count)
	group.Done()
	require.Zero(t, *count)
}

// TestOutsideAnExploration: the objects are real ones.
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
	rw.Unlock()
	var group sync.WaitGroup
	var once sync.Once
	runs := 0
	for range 3 {
		group.Go(func() { once.Do(func() { runs++ }) })
	}
	group.Wait()
	require.Equal(t, 1, runs)
}

// TestAllIsThere: the package declares what package sync exports.
func TestAllIsThere(t *testing.T) {
	require.Equal(t, exported(t, filepath.Join(runtime.GOROOT(), "src", "sync")), exported(t, "."))
	require.Equal(t, exported(t, filepath.Join(runtime.GOROOT(), "src", "sync", "atomic")), exported(t, "../atomic"))
}

func exported(t *testing.T, dir string) map[string]bool {
	names := map[string]bool{}
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	require.NoError(t, err)
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		require.NoError(t, err)
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil && d.Name.IsExported() {
					names[d.Name.Name] = true
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if s, ok := s.(*ast.TypeSpec); ok && s.Name.IsExported() {
						names[s.Name.Name] = true
					}
				}
			}
		}
	}
	return names
}
