package sync_test

import (
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

// TestOnceBegins with the word by which a new one is told from one that has run.
func TestOnceBegins(t *testing.T) {
	var real stdsync.Once
	word := (*uint32)(unsafe.Pointer(&real))
	require.Zero(t, *word)
	real.Do(func() {})
	require.NotZero(t, *word)
}
