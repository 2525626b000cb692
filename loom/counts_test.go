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

// filesystem: each thread gives inode i a free block, looking from block 2i on.
func filesystem(n, inodes, blocks int) {
	locki := make([]sync.Mutex, inodes)
	inode := make([]cell.Cell[int], inodes)
	lockb := make([]sync.Mutex, blocks)
	busy := make([]cell.Cell[bool], blocks)
	each(n, func(t int) {
		i := t % inodes
		locki[i].Lock()
		defer locki[i].Unlock()
		if inode[i].Load() != 0 {
			return
		}
		for b := 2 * i % blocks; ; b = (b + 1) % blocks {
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

// indexer: each thread puts 4 messages into a hash table with linear probing.
func indexer(n int) {
	const size = 128
	table := make([]atomic.Int32, size)
	each(n, func(t int) {
		for m := 1; m <= 4; m++ {
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

// litmus holds the classic shapes, one step per access.
var litmus = map[string]func(x, y, z *atomic.Int32){
	"SB":   func(x, y, _ *atomic.Int32) { all(func() { x.Store(1); y.Load() }, func() { y.Store(1); x.Load() }) },
	"LB":   func(x, y, _ *atomic.Int32) { all(func() { x.Load(); y.Store(1) }, func() { y.Load(); x.Store(1) }) },
	"MP":   func(x, y, _ *atomic.Int32) { all(func() { x.Store(1); y.Store(1) }, func() { y.Load(); x.Load() }) },
	"2+2W": func(x, y, _ *atomic.Int32) { all(func() { x.Store(1); y.Store(2) }, func() { y.Store(1); x.Store(2) }) },
	"IRIW": func(x, y, _ *atomic.Int32) {
		all(func() { x.Store(1) }, func() { y.Store(1) },
			func() { x.Load(); y.Load() }, func() { y.Load(); x.Load() })
	},
	"W+RWC": func(x, y, z *atomic.Int32) {
		all(func() { x.Store(1); z.Store(1) }, func() { z.Load(); y.Load() }, func() { y.Store(1); x.Load() })
	},
	"Z6.U": func(x, y, _ *atomic.Int32) {
		all(func() { x.Store(1); y.Store(1) }, func() { y.Add(1); y.Load() }, func() { y.Store(3); x.Load() })
	},
}

// conditionalSSB is Figure 2 of the source-set paper (JACM 2017).
func conditionalSSB() {
	var x, y, z atomic.Int32
	all(func() { x.Load() },
		func() { y.Store(1) },
		func() {
			if y.Load() == 0 {
				z.Store(1)
			}
		},
		func() {
			n, l := z.Load(), y.Load()
			if n == 1 && l == 0 {
				x.Store(1)
			}
		})
}

// conditionalNested is the program of that name in dscheck's tests.
func conditionalNested() {
	var b, c atomic.Int32
	var ok atomic.Bool
	all(func() { b.Store(1) },
		func() { c.Store(1); b.Store(2) },
		func() {
			if c.Load() == 0 && b.Load() == 0 {
				ok.Store(true)
			}
		})
}

// dekkerF is the entry of Dekker's algorithm with a fence: at most one of two
// threads finds the flag of the other down.
func dekkerF() {
	var flag [2]atomic.Int32
	var entered [2]bool
	each(2, func(i int) {
		flag[i].Store(1)
		entered[i] = flag[1-i].Load() == 0
		if entered[0] && entered[1] {
			loom.Failf("MutualExclusion", "both have entered")
		}
	})
}

// count is a program with its numbers of traces and of deadlocked ones.
type count struct {
	name         string
	body         func()
	traces, dead int
}

// counts are known from the literature and the tests of its tools: POPL'14 and
// JACM'17 (filesystem, indexer, readers, lastzero, the first conditional one),
// GenMC and Nidhugg (litmus, adds, locks, writers), dscheck (the conditional
// ones), Concuerror (readers, filesystem).
func counts() []count {
	list := []count{
		{"writers(5)", func() { writers(5) }, 720, 0},
		{"cas(5)", func() { cas(5) }, 5, 0},
		{"lockinc(4)", func() { lockinc(4, 1) }, 24, 0},
		{"lock2inc(4)", func() { lockinc(4, 2) }, 24, 0},
		{"mutex_order(4)", func() { var mu sync.Mutex; each(4, func(int) { mu.Lock(); mu.Unlock() }) }, 24, 0},
		{"mutex_deadlock(5)", func() { var mu sync.Mutex; each(5, func(int) { mu.Lock() }) }, 5, 5},
		{"abba", abba, 3, 1},
		{"distinct(6)", func() { distinct(6) }, 1, 0},
		{"dekker_f", dekkerF, 3, 0},
		{"conditional_ssb", conditionalSSB, 7, 0},
		{"conditional_nested", conditionalNested, 8, 0},
		// The threads of an inode in any order, and inodes do not meet.
		{"filesystem(3,1,2)", func() { filesystem(3, 1, 2) }, 6, 0},
	}
	for name, traces := range map[string]int{"SB": 3, "LB": 3, "MP": 3, "2+2W": 3, "IRIW": 15, "W+RWC": 7, "Z6.U": 18} {
		list = append(list, count{name, func() { var x, y, z atomic.Int32; litmus[name](&x, &y, &z) }, traces, 0})
	}
	for i, traces := range []int{2, 5, 12, 28, 64, 144, 320, 704} { // (n+3)*2^(n-2)
		list = append(list, count{fmt.Sprintf("lastzero(%d)", i+1), func() { lastzero(i + 1) }, traces, 0})
	}
	for _, n := range []int{2, 4, 8} {
		list = append(list, count{fmt.Sprintf("readers(%d)", n), func() { readers(n) }, 1 << n, 0})
	}
	for _, c := range []struct{ n, words, traces int }{
		{2, 1, 2}, {3, 1, 6}, {4, 1, 24}, {2, 2, 4}, {3, 2, 36}, {4, 2, 576}, {2, 3, 8}, {3, 3, 216}, {4, 3, 13824},
	} { // (n!)^words: ainc, binc, cinc
		list = append(list, count{fmt.Sprintf("adds(%d,%d)", c.n, c.words), func() { adds(c.n, c.words) }, c.traces, 0})
	}
	return list
}

// large are counts that sleep sets alone do not reach in reasonable time: they
// meet every state of threads that do not conflict.
func large() []count {
	list := []count{{"readers(13)", func() { readers(13) }, 8192, 0}}
	for n, traces := range map[int]int{10: 3328, 12: 15_360, 15: 147_456} {
		list = append(list, count{fmt.Sprintf("lastzero(%d)", n), func() { lastzero(n) }, traces, 0})
	}
	for _, n := range []int{14, 16, 18, 19} {
		list = append(list, count{fmt.Sprintf("filesystem(%d)", n), func() { filesystem(n, 32, 26) }, 1 << (n - 13), 0})
	}
	for _, n := range []int{12, 13, 14, 15} {
		list = append(list, count{fmt.Sprintf("indexer(%d)", n), func() { indexer(n) }, 1 << (3 * (n - 11)), 0})
	}
	return list
}

// TestCounts: the optimal search runs each trace once, and nothing else.
func TestCounts(t *testing.T) {
	for _, c := range append(counts(), large()...) {
		t.Run(c.name, func(t *testing.T) {
			r := c.check(t, "optimal")
			require.Zero(t, r.Blocked)
			require.Equal(t, r.Traces, r.Executions)
			t.Logf("%v, %.0f executions/s", r, float64(r.Executions)/r.Elapsed.Seconds())
		})
	}
}

// TestCountsOfSleepSets: the reference runs each trace once to its end.
func TestCountsOfSleepSets(t *testing.T) {
	for _, c := range counts() {
		t.Run(c.name, func(t *testing.T) {
			r := c.check(t, "sleep")
			require.Equal(t, r.Executions, r.Traces+r.Blocked)
		})
	}
}

func (c count) check(t *testing.T, algorithm string) loom.Report {
	r, err := loom.Explore(c.body, loom.KeepGoing(), loom.Algorithm(algorithm))
	if c.dead == 0 {
		require.NoError(t, err)
	} else {
		require.ErrorContains(t, err, loom.ClaimDeadlock)
	}
	require.True(t, r.Exhausted)
	require.Equal(t, c.traces, r.Traces)
	require.Equal(t, c.dead, r.Deadlocks)
	return r
}
