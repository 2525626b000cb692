//go:build loom

package loom_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/cell"
	"github.com/filch-sched/filch/loom/internal/graph"
)

// belt is a queue of at most two values between two counters that only grow.
type belt struct {
	head, tail atomic.Uint32
	slots      []cell.Cell[int]
}

// put adds a value if there is room.
func (b *belt) put(v int) {
	if tail := b.tail.Load(); tail-b.head.Load() < 2 {
		b.slots[tail&1].Store(v)
		b.tail.Store(tail + 1)
	}
}

// take passes one by, if there is one.
func (b *belt) take() bool {
	for {
		h := b.head.Load()
		if b.tail.Load() == h {
			return false
		}
		if b.head.CompareAndSwap(h, h+1) {
			return true
		}
	}
}

// belted is one that puts and some that take.
func belted(takers int) func() {
	return func() {
		b := &belt{slots: make([]cell.Cell[int], 2)}
		d := loom.Drive()
		d.Root("belt", b)
		head := loom.Peek(b, "head")
		behind := func(v uint64) uint64 { return uint64(uint32(max(int32(uint32(v)-uint32(head())), -4))) }
		d.View(b, "head", behind)
		d.View(b, "tail", behind)
		d.Fresh(b, "head")
		d.Rotate(b, "slots", func() int { return int(head() & 1) })
		forever(func() { b.put(1 + loom.Choose(2)) })
		var all []*loom.Thread
		for range takers {
			took := new(int)
			t := forever(func() {
				if b.take() {
					*took = 1 - *took
				}
			})
			d.Own(t, "took", took)
			all = append(all, t)
		}
		d.Symmetric(all...)
	}
}

// TestKnownStepsCountFromWhereTheyAre: a memory that keys write like another one is
// not that one, and what a thread is beside the one it need not be beside the other.
func TestKnownStepsCountFromWhereTheyAre(t *testing.T) {
	for _, takers := range []int{1, 2} {
		for _, workers := range []int{1, 2} {
			opts := graph.Options{Live: true, Retries: []string{"belt.take"}}
			want, _ := searched(t, belted(takers), opts)
			opts.Live, opts.Workers = false, workers
			got, res := searched(t, belted(takers), opts)
			require.Equal(t, want, got)
			t.Logf("%d takers: %d states, %d edges, %d steps taken", takers, res.States, res.Edges, res.Taken)
			if takers == 2 {
				require.Positive(t, res.Taken)
				require.Less(t, 2*res.Taken, res.Edges)
			}
		}
	}
}

// TestKnownStepsNeedOneShape: where memory is not only values the search goes without.
func TestKnownStepsNeedOneShape(t *testing.T) {
	type node struct {
		next *node
		x    atomic.Int32
	}
	for name, body := range map[string]func(){
		"list": func() {
			s := &struct {
				list *node
				x    atomic.Int32
			}{}
			loom.Drive().Root("s", s)
			forever(func() {
				switch x := s.x.Load(); {
				case s.list == nil:
					s.list = &node{}
				case x == 1:
					s.list = nil
				case s.list.next == nil:
					s.list.next = &node{}
				}
			})
			forever(func() { s.x.Store(1 - s.x.Load()) })
		},
		"pointer": func() {
			s := &struct {
				p    atomic.Pointer[node]
				a, b node
			}{}
			loom.Drive().Root("s", s)
			forever(func() { s.p.Store(&s.a) })
			forever(func() { s.p.Store(&s.b) })
			forever(func() { s.p.CompareAndSwap(&s.a, nil) })
			forever(func() {
				if p := s.p.Load(); p != nil {
					p.x.Store(1 - p.x.Load())
				}
			})
		},
		"compared": func() { // with an address, which is another one in each execution
			s := &struct {
				p atomic.Pointer[node]
				x atomic.Int32
				a node
			}{}
			loom.Drive().Root("s", s)
			forever(func() { s.p.CompareAndSwap(&s.a, nil) })
			forever(func() { s.x.Store(1 - s.x.Load()) })
		},
	} {
		want, _ := searched(t, body, graph.Options{Live: true})
		got, res := searched(t, body, graph.Options{})
		require.Equal(t, want, got, name)
		require.Zero(t, res.Taken, name)
	}
}
