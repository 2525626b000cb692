package memory_test

import (
	"reflect"
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom/internal/memory"
)

// plain has all that an Image can save.
type plain struct {
	_      [64]byte
	word   atomic.Uint64
	flag   atomic.Bool
	small  int8
	array  [3]struct{ a, b int16 }
	list   []int
	inner  *plain
	swaps  atomic.Pointer[plain]
	boxed  any
	value  atomic.Value
	name   string
	lock   sync.Mutex
	keeps  int
	absent map[string]int
}

// made returns a plain with another one behind each pointer of it.
func made() *plain {
	p := &plain{list: make([]int, 2, 4), inner: &plain{}, boxed: &plain{}, name: "it"}
	p.swaps.Store(&plain{})
	p.value.Store(&plain{})
	return p
}

// image returns an Image of p, that leaves keeps and the lock out.
func image(t *testing.T, p *plain) *memory.Image {
	t.Helper()
	at, err := memory.At(p, "keeps")
	require.NoError(t, err)
	m := memory.NewImage([]reflect.Type{reflect.TypeFor[sync.Mutex]()}, []unsafe.Pointer{at})
	m.Root(p)
	require.True(t, m.Ready())
	return m
}

// changes are all the ways to change what is saved.
var changes = map[string]func(p *plain){
	"word":       func(p *plain) { p.word.Add(1 << 40) },
	"flag":       func(p *plain) { p.flag.Store(true) },
	"small":      func(p *plain) { p.small-- },
	"array":      func(p *plain) { p.array[2].b = 7 },
	"length":     func(p *plain) { p.list = append(p.list, 5) },
	"element":    func(p *plain) { p.list[1] = 6 },
	"pointer":    func(p *plain) { p.inner.word.Store(8) },
	"atomic":     func(p *plain) { p.swaps.Load().small = 9 },
	"interface":  func(p *plain) { p.boxed.(*plain).small = 10 },
	"value":      func(p *plain) { p.value.Load().(*plain).array[0].a = 11 },
	"everything": func(p *plain) { p.word.Store(1); p.list = append(p.list, 1, 2); p.list[0] = 3 },
}

// TestImagePutsBackWhatItHasSaved, in its own memory and in that of another one.
func TestImagePutsBackWhatItHasSaved(t *testing.T) {
	for name, change := range changes {
		p, other := made(), made()
		m, n := image(t, p), image(t, other)
		before, was := written(t, &shared{boxed: p}), m.Save(nil)
		require.Len(t, was, m.Size())
		change(p)
		after := written(t, &shared{boxed: p})
		require.NotEqual(t, before, after, name)
		is := m.Save(nil)
		require.NotEqual(t, was, is, name)
		p.keeps = 3
		n.Restore(is)
		require.Equal(t, after, written(t, &shared{boxed: other}), "%s: elsewhere", name)
		require.True(t, m.Same(), name)
		m.Restore(was)
		require.Equal(t, 3, p.keeps, "what is left out stays")
		p.keeps = 0
		require.Equal(t, before, written(t, &shared{boxed: p}), name)
	}
}

// TestImageSeesAnotherShape: pointers, and what holds them, are not saved: it shows
// that they are not what they were, and when they are again.
func TestImageSeesAnotherShape(t *testing.T) {
	for name, change := range map[string]func(p *plain) (back func()){
		"pointer": func(p *plain) func() { was := p.inner; p.inner = &plain{}; return func() { p.inner = was } },
		"nil":     func(p *plain) func() { was := p.inner; p.inner = nil; return func() { p.inner = was } },
		"atomic":  func(p *plain) func() { was := p.swaps.Swap(p.inner); return func() { p.swaps.Store(was) } },
		"value":   func(p *plain) func() { was := p.value.Swap(&plain{}); return func() { p.value.Store(was) } },
		"slice": func(p *plain) func() {
			was := p.list
			p.list = append(p.list, 1, 2, 3)
			return func() { p.list = was }
		},
		"capacity":  func(p *plain) func() { was := p.list; p.list = was[:2:2]; return func() { p.list = was } },
		"interface": func(p *plain) func() { was := p.boxed; p.boxed = 3; return func() { p.boxed = was } },
		"string":    func(p *plain) func() { was := p.name; p.name += "!"; return func() { p.name = was } },
		"map":       func(p *plain) func() { p.absent = map[string]int{}; return func() { p.absent = nil } },
		"behind":    func(p *plain) func() { p.inner.inner = p; return func() { p.inner.inner = nil } },
	} {
		p := made()
		m := image(t, p)
		require.True(t, m.Same(), name)
		back := change(p)
		require.False(t, m.Same(), name)
		back()
		require.True(t, m.Same(), name)
	}
}

// TestImageKnowsWhatItCannotSave: what a map or a channel holds is not in memory
// that could be put back.
func TestImageKnowsWhatItCannotSave(t *testing.T) {
	for name, root := range map[string]any{
		"map":     &map[string]int{"a": 1},
		"channel": &struct{ c chan int }{make(chan int)},
		"boxed":   &struct{ any }{struct{ p *int }{new(int)}},
	} {
		m := memory.NewImage(nil, nil)
		m.Root(root)
		require.False(t, m.Ready(), name)
	}
}

// TestImageOfARing ends.
func TestImageOfARing(t *testing.T) {
	p := made()
	p.inner.inner = p
	m := image(t, p)
	was := m.Save(nil)
	p.small = 5
	m.Restore(was)
	require.Zero(t, p.small)
}

// TestImageSectionsAreSavedApart: what one root leads to is saved without what another
// does, goes into a section that is laid out alike, and has its own marks. Memory that
// two roots lead to is in the section of the first.
func TestImageSectionsAreSavedApart(t *testing.T) {
	type own struct {
		word atomic.Uint32
		n    [3]int16
		both *int
	}
	both := 7
	a, b, c := &own{both: &both}, &own{both: &both}, &struct{ n int64 }{}
	m := memory.NewImage(nil, nil)
	m.Mark(reflect.TypeFor[atomic.Uint32]())
	for _, root := range []any{&both, a, b, c} {
		m.Section()
		m.Root(root)
	}
	require.True(t, m.Ready())
	marks, begins := m.Marks()
	require.Equal(t, []unsafe.Pointer{unsafe.Pointer(&a.word), unsafe.Pointer(&b.word)}, marks)
	require.Equal(t, []int{0, 0, 1, 2}, begins)
	require.True(t, m.Alike(1, 2))
	require.False(t, m.Alike(1, 3))
	require.Equal(t, m.Size(), m.SizeOf(0)+m.SizeOf(1)+m.SizeOf(2)+m.SizeOf(3))

	a.word.Store(1)
	a.n[2] = 2
	is := m.SaveOf(1, nil)
	require.Len(t, is, m.SizeOf(1))
	both, a.n[2] = 8, 3
	m.RestoreOf(2, string(is))
	require.Equal(t, [3]int16{0, 0, 2}, b.n)
	require.EqualValues(t, 1, b.word.Load())
	require.Equal(t, [3]int16{0, 0, 3}, a.n, "another section")
	require.Equal(t, 8, both, "another section")
	m.RestoreOf(1, string(is))
	require.Equal(t, [3]int16{0, 0, 2}, a.n)
}

// linked is memory with what an Image leaves as it is.
type linked struct {
	name  string
	word  atomic.Uint32
	self  *linked
	other *int
	list  []int32
	any   any
	n     [2]int
	nth   *int
}

// TestImageSectionsAreAlike: if what does not change is the same in both, or the
// corresponding part of either.
func TestImageSectionsAreAlike(t *testing.T) {
	both, away := new(int), new(int)
	alike := func(change func(b *linked), first ...any) bool {
		a := &linked{name: "a", other: both, list: make([]int32, 1, 2), any: both}
		b := &linked{name: string([]byte{'a'}), other: both, list: make([]int32, 1, 2), any: both}
		a.self, b.self = a, b
		a.nth, b.nth = &a.n[0], &b.n[0]
		change(b)
		m := memory.NewImage(nil, nil)
		m.Mark(reflect.TypeFor[atomic.Uint32]())
		m.Section()
		for _, root := range append(first, both) {
			m.Root(root)
		}
		if len(first) == 1 {
			m.Root(&[2]*linked{a, b})
		}
		for _, root := range []any{a, b} {
			m.Section()
			m.Root(root)
		}
		require.True(t, m.Ready())
		return m.Alike(1, 2)
	}
	require.True(t, alike(func(*linked) {}))
	require.True(t, alike(func(b *linked) { b.list[0] = 7; b.word.Store(7) }), "what it holds makes no difference")
	require.False(t, alike(func(*linked) {}, new(int)), "both are reached from elsewhere")
	for name, change := range map[string]func(b *linked){
		"another string":      func(b *linked) { b.name = "b" },
		"elsewhere":           func(b *linked) { b.other = away },
		"to nothing":          func(b *linked) { b.self = nil },
		"into another part":   func(b *linked) { b.nth = &b.n[1] },
		"another capacity":    func(b *linked) { b.list = make([]int32, 1, 3) },
		"another type behind": func(b *linked) { b.any = (*int32)(unsafe.Pointer(both)) },
		"out of the other's":  func(b *linked) { b.self = &linked{self: b} },
	} {
		require.False(t, alike(change), name)
	}
}
