package memory_test

import (
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom/internal/memory"
)

type node struct {
	next  *node
	value int
}

type shared struct {
	_     [64]byte
	word  atomic.Uint64
	flag  atomic.Bool
	any   atomic.Value
	head  atomic.Pointer[node]
	list  []int
	byKey map[string]*node
	boxed any
	both  [2]*node
}

// written is what a Writer makes of s.
func written(t *testing.T, s *shared) string {
	w := memory.New(nil)
	require.NoError(t, w.Root("s", s))
	return string(w.Bytes)
}

func chain(values ...int) *node {
	var head *node
	for i := len(values) - 1; i >= 0; i-- {
		head = &node{head, values[i]}
	}
	return head
}

// some fills all kinds of fields.
func some() *shared {
	s := &shared{list: []int{1, 2, 3}, byKey: map[string]*node{"a": chain(1), "b": chain(2, 3)}, boxed: *chain(9)}
	s.word.Store(7)
	s.any.Store("x")
	s.head.Store(chain(4, 5))
	n := chain(6)
	s.both = [2]*node{n, n}
	return s
}

func TestEqualContentsElsewhereAreWrittenTheSame(t *testing.T) {
	require.Equal(t, written(t, some()), written(t, some()))
	require.Equal(t, written(t, &shared{}), written(t, &shared{}))
}

// TestEveryDifferenceIsWritten changes one thing at a time.
func TestEveryDifferenceIsWritten(t *testing.T) {
	changes := map[string]func(s *shared){
		"a word":                        func(s *shared) { s.word.Store(8) },
		"a flag":                        func(s *shared) { s.flag.Store(true) },
		"a value of another type":       func(s *shared) { s.any = atomic.Value{}; s.any.Store(7) },
		"a value":                       func(s *shared) { s.any.Store("y") },
		"what a pointer leads to":       func(s *shared) { s.head.Load().next.value = 6 },
		"a nil":                         func(s *shared) { s.head.Store(nil) },
		"one node less":                 func(s *shared) { s.head.Load().next = nil },
		"an element":                    func(s *shared) { s.list[1] = 9 },
		"a length":                      func(s *shared) { s.list = s.list[:2] },
		"where a slice begins":          func(s *shared) { s.list = s.list[1:] },
		"a map's value":                 func(s *shared) { s.byKey["a"].value = 8 },
		"a map's key":                   func(s *shared) { s.byKey["c"] = s.byKey["a"]; delete(s.byKey, "a") },
		"a boxed value":                 func(s *shared) { s.boxed = *chain(8) },
		"a box of another type":         func(s *shared) { s.boxed = 9 },
		"two nodes where there was one": func(s *shared) { s.both[1] = chain(6) },
		"a cycle":                       func(s *shared) { s.both[0].next = s.both[0] },
		"a pointer to an older node":    func(s *shared) { s.both[0] = s.head.Load(); s.both[1] = s.head.Load() },
	}
	seen := map[string]string{written(t, some()): "nothing"}
	for name, change := range changes {
		s := some()
		change(s)
		key := written(t, s)
		require.NotContains(t, seen, key, "%s and %s", name, seen[key])
		seen[key] = name
	}
}

// TestSharedArraysAreTold: two slices of one array are not two slices of two,
// and a pointer into an array is not one to a variable.
func TestSharedArraysAreTold(t *testing.T) {
	type pair struct {
		a, b []int
		p    *int
	}
	array := []int{1, 2, 3}
	keys := map[string]string{}
	for name, p := range map[string]*pair{
		"one array":            {a: array[:2], b: array[1:]},
		"two arrays":           {a: []int{1, 2}, b: []int{2, 3}},
		"the other way round":  {a: array[1:], b: array[:2]},
		"a pointer in between": {a: array[:2], b: []int{2, 3}, p: &array[1]},
		"a pointer elsewhere":  {a: array[:2], b: []int{2, 3}, p: new(int)},
		"the whole later":      {a: array[1:2], b: array},
	} {
		w := memory.New(nil)
		require.NoError(t, w.Root("p", p))
		require.NotContains(t, keys, string(w.Bytes), "%s", name)
		keys[string(w.Bytes)] = name
	}
}

func TestSecondRootKnowsTheFirst(t *testing.T) {
	n := chain(1)
	key := func(second *node) string {
		w := memory.New(nil)
		require.NoError(t, w.Root("first", n))
		require.NoError(t, w.Root("second", &node{next: second}))
		return string(w.Bytes)
	}
	require.NotEqual(t, key(n), key(chain(1)))
}

func TestWhatIsNoMemoryIsRefusedByItsPath(t *testing.T) {
	type inner struct {
		calls []func()
		ch    chan int
		m     map[*int]int
	}
	type outer struct{ in *inner }
	w := memory.New(nil)
	require.NoError(t, w.Root("root", &outer{&inner{calls: []func(){nil}}}))
	w.Reset()
	require.EqualError(t, w.Root("root", &outer{&inner{calls: []func(){func() {}}}}),
		"memory: root.in.calls[] is a func(), whose state is not memory")
	w.Reset()
	require.EqualError(t, w.Root("root", &outer{&inner{ch: make(chan int)}}),
		"memory: root.in.ch is a chan int, whose state is not memory")
	w.Reset()
	require.EqualError(t, w.Root("root", &outer{&inner{m: map[*int]int{nil: 1}}}),
		"memory: root.in.m is a map by *int, which holds pointers: it has no order")
	w.Reset()
	require.EqualError(t, w.Root("root", 7), "memory: root root is a int, not a pointer to something")
}
