package fuzz_test

import (
	"math"
	"runtime"
	"testing"
	"weak"

	"github.com/filch-sched/filch/model"
	"github.com/filch-sched/filch/queue"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// payload is a task large enough to be collected by itself.
type payload struct {
	self *payload
	_    [32]byte
}

// holdings are two rings, the queue they overflow to, and every task that was
// ever pushed, known by weak pointers only.
type holdings struct {
	rings  [2]*queue.Ring[*payload]
	inject *queue.Inject[*payload]
	pushed []weak.Pointer[payload]
	taken  map[weak.Pointer[payload]]bool
}

func newHoldings(t *rapid.T) *holdings {
	h := &holdings{inject: new(queue.Inject[*payload]), taken: map[weak.Pointer[payload]]bool{}}
	capacity := rapid.SampledFrom([]int{2, 4, 8, 16}).Draw(t, "capacity")
	start := uint32(math.MaxUint32) - rapid.Uint32Range(0, 20).Draw(t, "before the wrap")
	for i := range h.rings {
		var err error
		h.rings[i], err = queue.NewRing[*payload](capacity, queue.StartAt(start))
		require.NoError(t, err)
	}
	return h
}

func (h *holdings) fresh() *payload {
	p := new(payload)
	h.pushed = append(h.pushed, weak.Make(p))
	return p
}

func (h *holdings) take(ps ...*payload) {
	for _, p := range ps {
		h.taken[weak.Make(p)] = true
	}
}

func (h *holdings) ring(t *rapid.T) *queue.Ring[*payload] {
	return h.rings[rapid.IntRange(0, 1).Draw(t, "ring")]
}

func (h *holdings) Push(t *rapid.T) { h.take(h.ring(t).Push(h.fresh(), h.inject)...) }

func (h *holdings) Pop(t *rapid.T) {
	if p, ok := h.ring(t).Pop(); ok {
		h.take(p)
	}
}

func (h *holdings) Steal(t *rapid.T) {
	i := rapid.IntRange(0, 1).Draw(t, "victim")
	if p, _, out := h.rings[i].Stealer().StealInto(h.rings[1-i]); out == queue.Stole {
		h.take(p)
	}
}

func (h *holdings) InjectBatch(t *rapid.T) {
	batch := make([]*payload, rapid.IntRange(1, 200).Draw(t, "size"))
	for i := range batch {
		batch[i] = h.fresh()
	}
	if !h.inject.PushBatch(batch) {
		h.take(batch...)
	}
}

func (h *holdings) InjectPopN(t *rapid.T) {
	dst := make([]*payload, rapid.IntRange(1, 200).Draw(t, "size"))
	h.take(dst[:h.inject.PopN(dst)]...)
}

func (h *holdings) Close(t *rapid.T) {
	if rapid.IntRange(0, 9).Draw(t, "rarely") == 9 {
		h.inject.Close()
	}
}

// TestTakenTasksAreCollected holds NoRetention: while the queues live, a task
// that was taken is garbage and one that was not is kept.
func TestTakenTasksAreCollected(t *testing.T) {
	effort(t, 100, 60)
	rapid.Check(t, func(t *rapid.T) {
		h := newHoldings(t)
		t.Repeat(map[string]func(*rapid.T){
			"push": h.Push, "push again": h.Push, "pop": h.Pop, "steal": h.Steal,
			"inject.batch": h.InjectBatch, "inject.popn": h.InjectPopN, "close": h.Close,
		})
		runtime.GC()
		for i, w := range h.pushed {
			require.Equal(t, h.taken[w], w.Value() == nil, "%s or %s violated: task %d of %d, taken: %v, collected: %v",
				model.NoRetention, model.NoLostTask, i+1, len(h.pushed), h.taken[w], w.Value() == nil)
		}
		runtime.KeepAlive(h.rings)
		runtime.KeepAlive(h.inject)
	})
}
