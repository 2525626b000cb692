package queue_test

import (
	"fmt"
	"math"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/queue"
)

// starts are first indices: a plain one, and one from which every test crosses
// the wrap (WrapSafe).
var starts = []uint32{0, math.MaxUint32 - 2}

// each runs a test at every small capacity, the default and a large one, from
// every start.
func each(t *testing.T, test func(t *testing.T, capacity int, ring func() *queue.Ring[int])) {
	for _, capacity := range []int{2, 4, 8, queue.DefaultCapacity, 1024} {
		for _, start := range starts {
			t.Run(fmt.Sprintf("capacity=%d/start=%d", capacity, start), func(t *testing.T) {
				test(t, capacity, func() *queue.Ring[int] {
					r, err := queue.NewRing[int](capacity, queue.StartAt(start))
					require.NoError(t, err)
					return r
				})
			})
		}
	}
}

// sink is an overflow that keeps what it is given.
type sink struct {
	singles []int
	batches [][]int
	closed  bool
}

func (s *sink) Push(v int) bool {
	if !s.closed {
		s.singles = append(s.singles, v)
	}
	return !s.closed
}

func (s *sink) PushBatch(vs []int) bool {
	if !s.closed {
		s.batches = append(s.batches, append([]int(nil), vs...))
	}
	return !s.closed
}

// none fails the test if anything overflows.
type none struct{ testing.TB }

func (n none) Push(v int) bool         { n.Fatalf("overflow of %d", v); return false }
func (n none) PushBatch(vs []int) bool { n.Fatalf("overflow of %v", vs); return false }

func ints(from, to int) []int {
	var vs []int
	for v := from; v < to; v++ {
		vs = append(vs, v)
	}
	return vs
}

func drain(r *queue.Ring[int]) []int {
	var vs []int
	for v, ok := r.Pop(); ok; v, ok = r.Pop() {
		vs = append(vs, v)
	}
	return vs
}

func TestRingHoldsItsCapacityInOrder(t *testing.T) {
	each(t, func(t *testing.T, capacity int, ring func() *queue.Ring[int]) {
		r := ring()
		require.Equal(t, capacity, r.Cap())
		for v := range capacity {
			require.Equal(t, v, r.Len())
			require.Equal(t, capacity-v, r.Free())
			require.Equal(t, v == 0, r.Stealer().Empty())
			require.Nil(t, r.Push(v, none{t}))
			require.Equal(t, v+1, r.Stealer().Len(), "LenHint")
		}
		require.Equal(t, ints(0, capacity), drain(r), "FIFO")
		_, ok := r.Pop()
		require.False(t, ok)
	})
}

// OverflowKeepsOldest
func TestOverflowKeepsOldest(t *testing.T) {
	each(t, func(t *testing.T, capacity int, ring func() *queue.Ring[int]) {
		r := ring()
		var over sink
		next := 0
		for round := 1; round <= 3; round++ {
			for len(over.batches) < round {
				require.Nil(t, r.Push(next, &over))
				next++
			}
			batch := over.batches[round-1]
			require.Len(t, batch, capacity/2+1)
			require.Equal(t, ints(next-capacity/2-1, next), batch, "the newest half and the pushed task, in order")
			require.Equal(t, capacity/2, r.Len())
		}
		require.Empty(t, over.singles)
		require.Equal(t, ints(0, capacity/2), drain(r), "the oldest half stays through every overflow")
	})
}

func TestOverflowGivesBackWhatIsRefused(t *testing.T) {
	each(t, func(t *testing.T, capacity int, ring func() *queue.Ring[int]) {
		r := ring()
		for v := range capacity {
			r.Push(v, none{t})
		}
		refused := r.Push(capacity, &sink{closed: true})
		require.Equal(t, ints(capacity/2, capacity+1), refused)
		require.Equal(t, ints(0, capacity/2), drain(r))
		// The batch was given away: the ring must not use its memory again.
		for v := 100; v < 101+capacity; v++ {
			r.Push(v, &sink{})
		}
		require.Equal(t, ints(capacity/2, capacity+1), refused)
	})
}

// StealHalf
func TestStealHalf(t *testing.T) {
	each(t, func(t *testing.T, capacity int, ring func() *queue.Ring[int]) {
		for n := range capacity + 1 {
			victim, thief := ring(), ring()
			for v := range n {
				victim.Push(v, none{t})
			}
			want := n - n/2
			last, took, out := victim.Stealer().StealInto(thief)
			require.Equal(t, want, took)
			if n == 0 {
				require.Equal(t, queue.Empty, out)
				continue
			}
			require.Equal(t, queue.Stole, out)
			require.Equal(t, ints(0, want), append(drain(thief), last), "the oldest, the last of them returned")
			require.Equal(t, ints(want, n), drain(victim))
		}
	})
}

func TestStealNeedsHalfARing(t *testing.T) {
	each(t, func(t *testing.T, capacity int, ring func() *queue.Ring[int]) {
		victim, thief := ring(), ring()
		for v := range capacity {
			victim.Push(v, none{t})
		}
		for v := range capacity/2 + 1 {
			thief.Push(-v, none{t})
		}
		_, n, out := victim.Stealer().StealInto(thief)
		require.Equal(t, queue.NoRoom, out)
		require.Zero(t, n)
		require.Equal(t, capacity, victim.Len())
		thief.Pop()
		_, _, out = victim.Stealer().StealInto(thief)
		require.Equal(t, queue.Stole, out)
		require.LessOrEqual(t, thief.Len(), capacity, "CapacityFromSteal")
	})
}

func TestPushBatchPublishesInOrderAndRefusesTooMany(t *testing.T) {
	each(t, func(t *testing.T, capacity int, ring func() *queue.Ring[int]) {
		r := ring()
		r.Push(0, none{t})
		r.PushBatch(nil)
		r.PushBatch(ints(1, capacity))
		require.PanicsWithValue(t, "queue: PushBatch of 1 tasks into a ring with room for 0",
			func() { r.PushBatch([]int{9}) })
		require.Equal(t, ints(0, capacity), drain(r))
	})
}

// WrapSafe: many times around the ring, past the wrap of the index where it is near.
func TestWrapSafe(t *testing.T) {
	each(t, func(t *testing.T, capacity int, ring func() *queue.Ring[int]) {
		victim, thief := ring(), ring()
		next, seen := 0, map[int]bool{}
		take := func(v int) {
			require.False(t, seen[v], "NoDuplicateTask: %d", v)
			seen[v] = true
		}
		for range 5 {
			for range capacity {
				victim.Push(next, none{t})
				next++
			}
			for out := queue.Stole; out == queue.Stole; {
				var v int
				if v, _, out = victim.Stealer().StealInto(thief); out == queue.Stole {
					take(v)
				}
				for _, v := range drain(thief) {
					take(v)
				}
			}
			require.Len(t, seen, next, "NoLostTask")
		}
	})
}

// A taken task can be collected while the ring lives (NoRetention).
func TestNoRetention(t *testing.T) {
	const capacity = 4
	var over queue.Inject[*[64]byte]
	victim, err := queue.NewRing[*[64]byte](capacity)
	require.NoError(t, err)
	thief, err := queue.NewRing[*[64]byte](capacity)
	require.NoError(t, err)
	collected := make(chan struct{}, 64)
	made := 0
	push := func() {
		made++
		v := new([64]byte)
		runtime.AddCleanup(v, func(int) { collected <- struct{}{} }, 0)
		victim.Push(v, &over)
	}
	for range capacity + 1 {
		push() // the last one overflows
	}
	for n := 1; n > 0; {
		_, n, _ = victim.Stealer().StealInto(thief)
		for _, ok := thief.Pop(); ok; _, ok = thief.Pop() {
		}
	}
	for _, ok := over.Pop(); ok; _, ok = over.Pop() {
	}
	push()
	victim.Pop()
	for range made {
		runtime.GC()
		<-collected // hangs, and the test times out, if one is held on to
	}
	runtime.KeepAlive(victim)
	runtime.KeepAlive(thief)
	runtime.KeepAlive(&over)
}

func TestBadCapacityIsAnError(t *testing.T) {
	for _, c := range []int{math.MinInt, -1, 0, 1, 3, 6, 255, 1<<16 + 1, 1 << 17, math.MaxInt} {
		_, err := queue.NewRing[int](c)
		require.EqualError(t, err, fmt.Sprintf("queue: capacity %d is not a power of two from 2 to 65536", c))
	}
	for c := queue.MinCapacity; c <= queue.MaxCapacity; c *= 2 {
		_, err := queue.NewRing[int](c)
		require.NoError(t, err)
	}
}

func TestMisuseOfStealPanics(t *testing.T) {
	a, _ := queue.NewRing[int](4)
	b, _ := queue.NewRing[int](8)
	require.PanicsWithValue(t, "queue: StealInto: a ring cannot steal from itself",
		func() { a.Stealer().StealInto(a) })
	require.PanicsWithValue(t, "queue: StealInto: from capacity 4 to capacity 8",
		func() { a.Stealer().StealInto(b) })
}

func TestOutcomesHaveNames(t *testing.T) {
	require.Equal(t, "[empty stole busy no room queue.Outcome(4)]",
		fmt.Sprint([]queue.Outcome{queue.Empty, queue.Stole, queue.Busy, queue.NoRoom, 4}))
}
