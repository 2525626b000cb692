//go:build !loom && !race

package main_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestGoStatements have the meaning that they have in the language: the function
// and its arguments are evaluated where the statement is, once and in order.
func TestGoStatements(t *testing.T) {
	dir := module(t, files{"go_test.go": `package try

import (
	"fmt"
	"sync"
	"testing"
)

type number int

func (n number) value(wg *sync.WaitGroup, got *[4]int, i int) { defer wg.Done(); got[i] = int(n) }

func (n *number) pointer(wg *sync.WaitGroup, got *[4]int, i int) { defer wg.Done(); got[i] = int(*n) }

type valuer interface {
	value(*sync.WaitGroup, *[4]int, int)
}

type flag bool

func generic[T any](wg *sync.WaitGroup, to *T, v T) { defer wg.Done(); *to = v }

func variadic(wg *sync.WaitGroup, to *int, all ...int) {
	defer wg.Done()
	for _, n := range all {
		*to += n
	}
}

func three() (int64, *string, error) { s := "three"; return 3, &s, nil }

func TestGo(t *testing.T) {
	var wg sync.WaitGroup

	// Evaluated at the statement.
	var got [4]int
	n, q := number(1), number(1)
	wg.Add(4)
	go n.value(&wg, &got, 0)
	go q.pointer(&wg, &got, 1)
	var v valuer = n
	go v.value(&wg, &got, 2)
	f := n.value
	go f(&wg, &got, 3)
	n, f, v = 2, nil, nil
	wg.Wait()
	if got[0] != 1 || got[2] != 1 || got[3] != 1 || got[1] != 1 {
		t.Errorf("got %v", got)
	}

	// Order of evaluation.
	var order []int
	at := func(i int) int { order = append(order, i); return i }
	fun := func(i int) func(a, b int) { at(i); wg.Add(1); return func(a, b int) { wg.Done() } }
	go fun(1)(at(2), at(3))
	wg.Wait()
	if fmt.Sprint(order) != "[1 2 3]" {
		t.Errorf("evaluated in order %v", order)
	}

	// Constants take the type of the parameter, nil too.
	var wide int64
	var narrow byte
	var iface error = fmt.Errorf("set")
	wg.Add(4)
	go func(w int64, b byte, e error, p *int) { defer wg.Done(); wide, narrow, iface = w, b, e }(1<<40, 'a', nil, nil)
	go generic(&wg, new(float64), 1)
	go generic[any](&wg, new(any), nil)
	go func() { defer wg.Done() }()
	wg.Wait()
	if wide != 1<<40 || narrow != 'a' || iface != nil {
		t.Errorf("%v %v %v", wide, narrow, iface)
	}

	// Variadic, and the results of a call.
	var a, b int
	list := []int{1, 2, 3}
	wg.Add(3)
	go variadic(&wg, &a, 1, 2, 3)
	go variadic(&wg, &b, list...)
	var x int64
	var s string
	take := func(i int64, p *string, err error) { defer wg.Done(); x, s = i, *p }
	i, p, err := three()
	go take(i, p, err)
	wg.Wait()
	if a != 6 || b != 6 || x != 3 || s != "three" {
		t.Errorf("%v %v %v %v", a, b, x, s)
	}

	// Over several lines, with a comparison and a labelled statement.
	var yes bool
	wg.Add(2)
	go func(
		is bool,
		more ...string,
	) {
		defer wg.Done()
		yes = is
	}(
		a == b,
		"x", "y",
	)
label:
	go wg.Done()
	if a < 0 {
		goto label
	}
	wg.Wait()
	if !yes {
		t.Error("the comparison is lost")
	}
}

func TestBuiltin(t *testing.T) {
	m := map[int]int{1: 1}
	var mu sync.Mutex
	mu.Lock()
	go clear(m)
	go print()
	go mu.Unlock()
	mu.Lock()
}
`})
	plain := run(t, dir, nil, "go", "test", "-count=1", ".")
	require.Zero(t, plain.status, "%s", plain.all())
	r := loom(t, dir, "-for", "2s", "go", "test", ".")
	require.Zero(t, r.status, "%s", r.all())
	require.Contains(t, r.err, "TestGo: ")
	require.NotContains(t, r.err, "NOT EXPLORED")
}

// TestGoStatementsThatCannotBeFollowed are refused with their place.
func TestGoStatementsThatCannotBeFollowed(t *testing.T) {
	for name, c := range map[string][2]string{
		"results of a call for a function value": {"f := func(int, int) {}; go f(two())", "go_test.go:12:29: loom: a go statement whose function is a value"},
		"comparison of a named type":             {"go func(f flag) {}(1 == n)", "go_test.go:12:21: loom: a go statement with a comparison as an argument of type example.com/try.flag"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := module(t, files{"go_test.go": `package try

import "testing"

type flag bool

func two() (int, int) { return 1, 2 }

var n = 1

func TestGo(t *testing.T) {
	` + c[0] + `
}
`})
			r := fails(t, dir, "go", "test", ".")
			require.Contains(t, r.err, c[1])
			require.Contains(t, r.err, "cannot be followed: give")
		})
	}
}

// TestTracking finds races on plain memory of every kind, and none where there is
// none.
func TestTracking(t *testing.T) {
	dir := module(t, files{"track_test.go": `package try

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
func TestRaceElement(t *testing.T) { s := make([]int, 2); both(func() { s[1] = 1 }, func() { _ = s[1] }) }
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
func TestRaceMap(t *testing.T)    { m := map[int]int{}; both(func() { m[1] = 1 }, func() { _ = len(m) }) }
func TestRaceDelete(t *testing.T) { m := map[int]int{}; both(func() { delete(m, 1) }, func() { _, _ = m[2] }) }
func TestRaceLocal(t *testing.T)  { n := 0; both(func() { n = 1 }, func() { _ = n }) }
func TestRaceGlobal(t *testing.T) { both(func() { global = 1 }, func() { _ = global }) }
func TestRaceArray(t *testing.T)  { var a [3]int; both(func() { a[2]++ }, func() { _ = a }) }
func TestRaceCall(t *testing.T)   { n := new(node); f := func() int { return 1 }; both(func() { n.a = f() }, func() { _ = n.a }) }
func TestRaceResult(t *testing.T) {
	var err error
	f := func() (int, error) { return 0, nil }
	both(func() { n, err := f(); _, _ = n, err }, func() { _ = err })
	both(func() { var n int; n, err = f(); _ = n }, func() { _ = err })
}
func TestRaceHeader(t *testing.T) { n := new(node); both(func() { n.list = append(n.list, 1) }, func() { _ = n.list }) }

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
`})
	r := fails(t, dir, "go", "test", "-v", ".")
	for _, racing := range []string{"Field", "Inner", "Whole", "Pointer", "Element", "Range", "Map", "Delete", "Local", "Global", "Array", "Call", "Result", "Header"} {
		require.Contains(t, r.out, "--- FAIL: TestRace"+racing+" ", "%s", r.err)
	}
	for _, fine := range []string{"Mutex", "OtherPart", "Published", "Late", "Loop"} {
		require.Contains(t, r.out, "--- PASS: TestFine"+fine+" ", "%s", r.all())
		require.Contains(t, r.err, "loom: exhausted TestFine"+fine+":")
	}
	require.Contains(t, r.out, "a store by thread 1 at track_test.go:25 and a store by thread 2 at track_test.go:25")

	r = passes(t, dir, "-track=false", "go", "test", "-run", "RaceField", ".")
	require.Contains(t, r.err, "track_test.go:25:70: field node.a is plain memory that threads may share: not watched for races")
}

// TestLoopsThatWait end: they take no steps while nothing changes, and if nothing
// can they are a livelock.
func TestLoopsThatWait(t *testing.T) {
	dir := module(t, files{"spin_test.go": `package try

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestSpin(t *testing.T) {
	var ready [4]atomic.Bool
	var tries atomic.Int32
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := range ready {
			ready[i].Store(true)
		}
	})
	for !ready[0].Load() {
	}
	for !ready[1].Load() {
		runtime.Gosched()
	}
	for {
		if ok := ready[2].Load(); ok {
			break
		}
		time.Sleep(time.Second)
	}
	// Gives up: no wait.
	for i := 0; i < 3 && !ready[3].Load(); i++ {
		tries.Add(1)
		runtime.Gosched()
	}
	wg.Wait()
}

func TestGivesUp(t *testing.T) {
	var ready atomic.Bool
	n := 0
	for !ready.Load() {
		if n++; n == 3 {
			return
		}
		time.Sleep(time.Hour)
	}
}

func TestForEver(t *testing.T) {
	var ready atomic.Bool
	go func() {}()
	for !ready.Load() {
		time.Sleep(time.Millisecond)
	}
}
`})
	r := fails(t, dir, "-explore", ".", "go", "test", "-v", ".")
	require.Contains(t, r.out, "--- PASS: TestSpin ")
	require.Contains(t, r.err, "loom: exhausted TestSpin:")
	require.Contains(t, r.err, "loom: exhausted TestGivesUp:")
	require.Contains(t, r.err, "loom: VIOLATED TestForEver: Livelock")
	require.Contains(t, r.out, "spin_test.go:54 for a change")
	require.Contains(t, r.err, "spin_test.go:29:8: time.Sleep: in an exploration no time passes")
}
