//go:build loom

package loom_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/cell"
	"github.com/filch-sched/filch/loom/sync"
)

// each starts n threads that run f with their numbers.
func each(n int, f func(i int)) {
	for i := range n {
		loom.Go(func() { f(i) })
	}
}

// all starts a thread for each function.
func all(fs ...func()) {
	for _, f := range fs {
		loom.Go(f)
	}
}

func lastzero(n int) {
	a := make([]atomic.Int32, n+1)
	loom.Go(func() {
		i := n
		for a[i].Load() != 0 {
			i--
		}
	})
	for j := 1; j <= n; j++ {
		loom.Go(func() { a[j].Store(a[j-1].Load() + 1) })
	}
}

func readers(n int) {
	var x atomic.Int32
	loom.Go(func() { x.Store(42) })
	each(n, func(int) { x.Load() })
}

// filesystem: thread i gives inode i%32 a block, from 2i%26 on.
func filesystem(n int) {
	const inodes, blocks = 32, 26
	var locki [inodes]sync.Mutex
	var inode [inodes]cell.Cell[int]
	var lockb [blocks]sync.Mutex
	var busy [blocks]cell.Cell[bool]
	each(n, func(t int) {
		i := t % inodes
		locki[i].Lock()
		defer locki[i].Unlock()
		if inode[i].Load() != 0 {
			return
		}
		for b := i * 2 % blocks; ; b = (b + 1) % blocks {
			lockb[b].Lock()
			if !busy[b].Load() {
				busy[b].Store(true)
				inode[i].Store(b + 1)
				lockb[b].Unlock()
				return
			}
			lockb[b].Unlock()
		}
	})
}

// indexer: thread t puts 4 messages into a hash table with linear probing.
func indexer(n int) {
	const size, most = 128, 4
	var table [size]atomic.Int32
	each(n, func(t int) {
		for m := 1; m <= most; m++ {
			w := 11*m + t
			for h := 7 * w % size; !table[h].CompareAndSwap(0, int32(w)); {
				h = (h + 1) % size
			}
		}
	})
}

func adds(n, words int) {
	x := make([]atomic.Int64, words)
	each(n, func(int) {
		for w := range x {
			x[w].Add(1)
		}
	})
}

func lockinc(n, pairs int) {
	var mu sync.Mutex
	var x, y atomic.Int32
	each(n, func(int) {
		mu.Lock()
		x.Store(x.Load() + 1)
		if pairs == 2 {
			y.Store(y.Load() + 1)
		}
		mu.Unlock()
	})
}

func writers(n int) {
	var x atomic.Int32
	each(n, func(i int) { x.Store(int32(i)) })
	loom.Go(func() { x.Load() })
}

func cas(n int) {
	var x atomic.Int32
	each(n, func(i int) { x.CompareAndSwap(0, int32(i+1)) })
}

func distinct(n int) {
	x := make([]atomic.Int32, n)
	each(n, func(i int) { x[i].Store(1) })
}

func abba() {
	var a, b sync.Mutex
	both := func(m, n *sync.Mutex) func() {
		return func() { m.Lock(); n.Lock(); n.Unlock(); m.Unlock() }
	}
	all(both(&a, &b), both(&b, &a))
}

func litmus(name string) func() {
	return func() {
		var x, y, z atomic.Int32
		switch name {
		case "SB":
			all(func() { x.Store(1); y.Load() }, func() { y.Store(1); x.Load() })
		case "LB":
			all(func() { x.Load(); y.Store(1) }, func() { y.Load(); x.Store(1) })
		case "MP":
			all(func() { x.Store(1); y.Store(1) }, func() { y.Load(); x.Load() })
		case "2+2W":
			all(func() { x.Store(1); y.Store(2) }, func() { y.Store(1); x.Store(2) })
		case "IRIW":
			all(func() { x.Store(1) }, func() { y.Store(1) },
				func() { x.Load(); y.Load() }, func() { y.Load(); x.Load() })
		case "W+RWC":
			all(func() { x.Store(1); z.Store(1) }, func() { z.Load(); y.Load() }, func() { y.Store(1); x.Load() })
		case "Z6.U":
			all(func() { x.Store(1); y.Store(1) }, func() { y.Store(2); z.Store(1) }, func() { z.Load(); x.Load() })
		}
	}
}

// TestCounts compares the number of traces with what the literature and its
// tools have for the same programs: POPL'14 (filesystem, indexer, readers,
// lastzero), GenMC's and Nidhugg's test suites (the rest).
func TestCounts(t *testing.T) {
	tests := []struct {
		name   string
		body   func()
		traces int
		dead   int
	}{
		{"cas", func() { cas(5) }, 5, 0},
		{"distinct", func() { distinct(6) }, 1, 0},
		{"abba", abba, 3, 1},
		{"mutexdead", func() { var mu sync.Mutex; each(5, func(int) { mu.Lock() }) }, 5, 5},
		{"writers(5)", func() { writers(5) }, 720, 0},
		{"lockinc(4)", func() { lockinc(4, 1) }, 24, 0},
		{"lock2inc(4)", func() { lockinc(4, 2) }, 24, 0},
		{"ainc(4)", func() { adds(4, 1) }, 24, 0},
		{"binc(2)", func() { adds(2, 2) }, 4, 0},
		{"binc(3)", func() { adds(3, 2) }, 36, 0},
		{"binc(4)", func() { adds(4, 2) }, 576, 0},
		{"cinc(2)", func() { adds(2, 3) }, 8, 0},
		{"cinc(3)", func() { adds(3, 3) }, 216, 0},
		{"cinc(4)", func() { adds(4, 3) }, 13824, 0},
		{"SB", litmus("SB"), 3, 0}, {"LB", litmus("LB"), 3, 0}, {"MP", litmus("MP"), 3, 0}, {"2+2W", litmus("2+2W"), 3, 0},
		{"IRIW", litmus("IRIW"), 15, 0}, {"W+RWC", litmus("W+RWC"), 7, 0}, {"Z6.U", litmus("Z6.U"), 18, 0},
	}
	for n, want := range []int{2, 5, 12, 28, 64, 144, 320, 704} {
		tests = append(tests, struct {
			name   string
			body   func()
			traces int
			dead   int
		}{fmt.Sprintf("lastzero(%d)", n+1), func() { lastzero(n + 1) }, want, 0})
	}
	for _, n := range []int{2, 8} {
		tests = append(tests, struct {
			name   string
			body   func()
			traces int
			dead   int
		}{fmt.Sprintf("readers(%d)", n), func() { readers(n) }, 1 << n, 0})
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, err := loom.Explore(tt.body, loom.KeepGoing())
			if tt.dead == 0 {
				require.NoError(t, err)
			} else {
				require.Error(t, err)
			}
			t.Log(r, r.Elapsed, float64(r.Executions)/r.Elapsed.Seconds())
			require.True(t, r.Exhausted)
			require.Equal(t, tt.traces, r.Traces)
			require.Equal(t, tt.dead, r.Deadlocks)
		})
	}
}
