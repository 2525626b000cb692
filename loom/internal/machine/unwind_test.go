package machine

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// ender is a controller that gives up after some steps.
type ender struct {
	first
	left int
}

func (e *ender) Next(m *Machine) *Thread {
	if e.left--; e.left < 0 {
		return nil
	}
	return e.first.Next(m)
}

// TestAbandonedByTheController: executions that end in the middle, at any step and
// with threads in every state, leave nothing behind.
func TestAbandonedByTheController(t *testing.T) {
	e := &ender{}
	m := New(e)
	var word, lock, cond, group Ref
	body := func() {
		me := Current()
		waiter := me.Go(func() {
			me := Current()
			me.Lock(&lock, Mutex)
			me.CondEnter(&cond)
			me.Unlock(&lock, Mutex)
			me.CondSleep()
		})
		me.Go(func() {
			defer func() { _ = recover() }()
			Current().GroupWait(&group)
		})
		me.Go(func() { Current().Join(waiter) })
		me.Go(func() {
			Current().LoadWord(&word, Int)
			Current().Yield()
		})
		me.Go(runtime.Goexit)
		me.GroupAdd(&group, 1)
		me.Lock(&lock, Mutex)
		me.Lock(&lock, Mutex)
	}
	goroutines := runtime.NumGoroutine()
	var before uint64
	for i := range 100_000 {
		e.left = i % 8
		m.Run(body)
		require.False(t, m.Done)
		if i == 1000 {
			before = heap()
		}
	}
	require.Less(t, heap(), before+1<<20, "bytes more than after 1000 executions")
	m.Close()
	for runtime.NumGoroutine() > goroutines {
		runtime.Gosched()
	}
}

// heap returns how many bytes the garbage collector cannot free.
func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
