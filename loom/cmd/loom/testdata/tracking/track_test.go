package try

import (
	"sync"
	"sync/atomic"
	"testing"
)

type node struct {
	a, b int
	in   struct{ x, y string }
	list []int
	m    map[string]int
}

var global int

func both(f, g func()) {
	var wg sync.WaitGroup
	wg.Go(f)
	wg.Go(g)
	wg.Wait()
}

func TestRaceField(t *testing.T)   { n := new(node); both(func() { n.a++ }, func() { n.a = 1 }) }
func TestRaceInner(t *testing.T)   { n := new(node); both(func() { n.in.x = "" }, func() { _ = n.in }) }
func TestRaceWhole(t *testing.T)   { n := new(node); both(func() { *n = node{} }, func() { _ = n.b }) }
func TestRacePointer(t *testing.T) { p := new(int); both(func() { *p = 1 }, func() { _ = *p }) }
func TestRaceElement(t *testing.T) {
	s := make([]int, 2)
	both(func() { s[1] = 1 }, func() { _ = s[1] })
}
func TestRaceRange(t *testing.T) {
	s := make([]int, 2)
	both(func() { s[1] = 1 }, func() {
		for range 1 {
			for _, v := range s {
				_ = v
			}
		}
	})
}
func TestRaceMap(t *testing.T) { m := map[int]int{}; both(func() { m[1] = 1 }, func() { _ = len(m) }) }
func TestRaceDelete(t *testing.T) {
	m := map[int]int{}
	both(func() { delete(m, 1) }, func() { _, _ = m[2] })
}
func TestRaceLocal(t *testing.T)  { n := 0; both(func() { n = 1 }, func() { _ = n }) }
func TestRaceGlobal(t *testing.T) { both(func() { global = 1 }, func() { _ = global }) }
func TestRaceArray(t *testing.T)  { var a [3]int; both(func() { a[2]++ }, func() { _ = a }) }
func TestRaceCall(t *testing.T) {
	n := new(node)
	f := func() int { return 1 }
	both(func() { n.a = f() }, func() { _ = n.a })
}
func TestRaceResult(t *testing.T) {
	var err error
	f := func() (int, error) { return 0, nil }
	both(func() { n, err := f(); _, _ = n, err }, func() { _ = err })
	both(func() { var n int; n, err = f(); _ = n }, func() { _ = err })
}
func TestRaceHeader(t *testing.T) {
	n := new(node)
	both(func() { n.list = append(n.list, 1) }, func() { _ = n.list })
}

func TestRaceMixed(t *testing.T) {
	n := new(struct{ word int32 })
	both(func() { atomic.StoreInt32(&n.word, 1) }, func() { _ = n.word })
}
func TestRaceMixedOther(t *testing.T) {
	n := new(struct{ word int32 })
	both(func() { n.word++ }, func() { atomic.LoadInt32(&n.word) })
}

// One thread alone writes the word, and reads it as it likes.
func TestFineMixed(t *testing.T) {
	n := new(struct{ word, data int32 })
	both(func() {
		n.data = 1
		atomic.StoreInt32(&n.word, n.word+1)
		atomic.AddInt32(&n.word, n.word)
	}, func() {
		if atomic.LoadInt32(&n.word) > 0 && n.data != 1 {
			t.Error(n.data)
		}
	})
	if n.word != 2 {
		t.Error(n.word)
	}
	n.word = 0
	both(func() { atomic.CompareAndSwapInt32(&n.word, 1, 2) }, func() { _ = n.word })
}

func TestFineMutex(t *testing.T) {
	n := &node{m: map[string]int{}}
	var mu sync.Mutex
	f := func() {
		mu.Lock()
		defer mu.Unlock()
		n.a++
		n.in.x += "x"
		n.list = append(n.list, len(n.list))
		n.m["k"] += n.list[0]
		for i, v := range n.list {
			n.list[i] = v
		}
		for k := range n.m {
			n.m[k]++
		}
		*n = *n
	}
	both(f, f)
	if n.a != 2 || len(n.list) != 2 || n.m["k"] != 2 {
		t.Errorf("%+v", n)
	}
}

func TestFineOtherPart(t *testing.T) {
	n := new(node)
	var a [2]int
	s := a[:]
	both(func() { n.a = 1; n.in.x = ""; s[0] = 1 }, func() { n.b = 1; n.in.y = ""; s[1] = 1 })
}

func TestFinePublished(t *testing.T) {
	var p atomic.Pointer[node]
	both(func() { n := &node{a: 1}; n.b = 2; p.Store(n) }, func() {
		if n := p.Load(); n != nil && n.a+n.b != 3 {
			t.Error(n.a, n.b)
		}
	})
}

// A store whose value takes steps to work out is recorded when it happens.
func TestFineLate(t *testing.T) {
	n := new(node)
	var mu sync.Mutex
	n.a = 1
	first := true
	get := func() int {
		mu.Lock()
		defer mu.Unlock()
		if first {
			first = false
			return n.a
		}
		return 0
	}
	done := new(atomic.Bool)
	both(func() { mu.Lock(); n.b = 5; mu.Unlock(); done.Store(true) }, func() {
		if done.Load() {
			n.b = get()
		}
	})
}

// Own copies of variables are nobody else's.
func TestFineLoop(t *testing.T) {
	var wg sync.WaitGroup
	sum := make([]int, 3)
	for i := range 3 {
		wg.Go(func() {
			for j := 0; j < 2; j++ {
				sum[i] += j
			}
		})
	}
	wg.Wait()
	total := 0
	for _, n := range sum {
		total += n
	}
	if total != 3 {
		t.Error(total)
	}
}
