//go:build loom

package loom_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/cell"
	"github.com/filch-sched/filch/loom/sync"
)

// node has everything in which an object can be.
type node struct {
	word  atomic.Uint32
	array [2][2]atomic.Int64
	slice []cell.Cell[int]
	inner struct {
		mu   sync.Mutex
		deep []struct{ flag atomic.Bool }
	}
	next  *node
	plain int32
	empty [0]int
	none  *node
}

// TestNames: an object is called by where it is in what has a name.
func TestNames(t *testing.T) {
	v := violation(t, func() {
		var loose, other atomic.Int32
		n := &node{slice: make([]cell.Cell[int], 3)}
		n.inner.deep = make([]struct{ flag atomic.Bool }, 2)
		n.next = &node{next: n} // round and round
		loom.Name(n, "n")
		loom.Name(&loose, "loose")
		loom.Name((*node)(nil), "nothing")
		n.word.Load()
		n.array[1][0].Load()
		n.slice[2].Load()
		n.inner.mu.Lock()
		n.inner.deep[1].flag.Load()
		n.next.word.Load()
		atomic.AddInt32(&n.plain, 1)
		loose.Load()
		other.Load()
		loom.Failf("Planted", "on purpose")
	})
	for _, want := range []string{"n.word Load", "n.array[1][0] Load", "n.slice[2] Load", "n.inner.mu Lock", "n.inner.deep[1].flag Load",
		"n.next.word Load", "n.plain Add", "loose Load", "int#7 Load"} {
		require.Contains(t, v.Schedule, "  "+want)
	}
}

// TestNamesOfWhatIsNamedLate: what was done before has the names, too.
func TestNamesOfWhatIsNamedLate(t *testing.T) {
	v := violation(t, func() {
		n := &node{slice: make([]cell.Cell[int], 1)}
		n.word.Store(1)
		n.slice[0].Store(1)
		n.inner.mu.Lock()
		atomic.AddInt32(&n.plain, 1)
		loom.Name(n, "n")
		n.word.Load()
		loom.Failf("Planted", "on purpose")
	})
	for _, want := range []string{"n.word Store 1", "n.slice[0] Store 1", "n.inner.mu Lock", "n.plain Add +1", "n.word Load"} {
		require.Contains(t, v.Schedule, "  "+want)
	}
	require.NotContains(t, v.Schedule, "#0 ")
}

// TestNamesInADeadlock: the words about it use names, too.
func TestNamesInADeadlock(t *testing.T) {
	v := violation(t, func() {
		var accounts [2]struct{ mu sync.Mutex }
		loom.Name(&accounts, "accounts")
		transfer := func(from, to int) func() {
			return func() {
				accounts[from].mu.Lock()
				accounts[to].mu.Lock()
				accounts[to].mu.Unlock()
				accounts[from].mu.Unlock()
			}
		}
		all(transfer(0, 1), transfer(1, 0))
	})
	require.Regexp(t, `thread 1 waits in Lock of accounts\[1\]\.mu at name_test\.go:\d+, held by thread 2 since`, v.Message)
	require.Contains(t, v.Schedule, "waits in accounts[0].mu Lock")
}

// TestNameOutside: without an exploration there is nothing to name.
func TestNameOutside(t *testing.T) { loom.Name(new(int), "x") }
