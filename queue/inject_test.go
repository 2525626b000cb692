package queue_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/queue"
)

// InjectFIFO
func TestInjectFIFO(t *testing.T) {
	var q queue.Inject[int]
	next, want := 0, 0
	buf := make([]int, 300)
	for round := range 40 {
		for range round % 7 {
			require.True(t, q.Push(next))
			next++
		}
		batch := ints(next, next+round*13%290)
		require.True(t, q.PushBatch(batch))
		next += len(batch)
		require.Equal(t, next-want, q.Len())
		if next > want {
			n := q.PopN(buf[:1+round*11%len(buf)])
			require.Equal(t, ints(want, want+n), append([]int(nil), buf[:n]...))
			want += n
		}
	}
	for v, ok := q.Pop(); ok; v, ok = q.Pop() {
		require.Equal(t, want, v)
		want++
	}
	require.Equal(t, next, want)
	require.Zero(t, q.Len())
}

func TestPopNTakesWhatThereIs(t *testing.T) {
	var q queue.Inject[int]
	require.Zero(t, q.PopN(make([]int, 3)))
	q.PushBatch(ints(0, 5))
	buf := make([]int, 3)
	require.Equal(t, 3, q.PopN(buf))
	require.Equal(t, []int{0, 1, 2}, buf)
	require.Equal(t, 2, q.PopN(buf))
	require.Equal(t, []int{3, 4, 2}, buf)
	require.PanicsWithValue(t, "queue: PopN into an empty slice", func() { q.PopN(nil) })
}

// ClosedReturnsTasks
func TestClosedReturnsTasks(t *testing.T) {
	var q queue.Inject[int]
	require.True(t, q.Push(1))
	require.True(t, q.Close())
	require.False(t, q.Close(), "not the first")
	require.False(t, q.Push(2))
	require.False(t, q.PushBatch([]int{3, 4}))
	require.Equal(t, 1, q.Len())
	v, ok := q.Pop()
	require.True(t, ok)
	require.Equal(t, 1, v)
	_, ok = q.Pop()
	require.False(t, ok)
}
