package try

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
