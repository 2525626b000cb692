//go:build loom

package loom_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/cell"
	"github.com/filch-sched/filch/loom/internal/graph"
)

// wordy is a random program whose threads share words alone: by thread, operations.
type wordy struct {
	threads   [][]wordyOp
	rounds    int  // of each thread; 0: for ever
	symmetric bool // the last two threads do the same
	bound     int32
}

type wordyOp struct{ kind, a, b, v int }

func randomWordy(r *rand.Rand) (w wordy) {
	threads, most := 2, 2
	if r.IntN(4) == 0 {
		threads, most = 3, 1
	}
	for range threads {
		var ops []wordyOp
		for range 1 + r.IntN(most) {
			ops = append(ops, wordyOp{r.IntN(9), r.IntN(2), r.IntN(2), r.IntN(3)})
		}
		w.threads = append(w.threads, ops)
	}
	if w.symmetric = r.IntN(3) == 0; w.symmetric {
		w.threads[threads-1] = w.threads[threads-2]
	}
	if r.IntN(4) == 0 {
		w.rounds = 1 + r.IntN(2)
	}
	w.bound = 100
	return w
}

// board is what they share: plain[i] and cells[i] are used by thread i alone.
type board struct {
	words [2]atomic.Int32
	plain [4]int32
	cells [4]cell.Cell[int32]
}

// hand is what a thread has for itself.
type hand struct {
	word  atomic.Int32
	plain int32
}

func (w wordy) body() {
	b := &board{}
	d := loom.Drive()
	d.Root("board", b)
	d.Always("Small", func() string {
		if n := b.words[0].Load() + b.words[1].Load(); n > w.bound {
			return fmt.Sprintf("%d is large", n)
		}
		return ""
	})
	var all []*loom.Thread
	for i, ops := range w.threads {
		h := &hand{}
		named := i
		if w.symmetric && i >= len(w.threads)-2 {
			named = -1
		}
		t := loom.Go(func() {
			for round := 0; w.rounds == 0 || round < w.rounds; round++ {
				for k, o := range ops {
					loom.Boundary(uint64(k | round%2<<8))
					o.run(b, h, named)
					loom.Completed()
				}
			}
		})
		d.Own(t, "hand", h)
		all = append(all, t)
	}
	if w.symmetric {
		d.Symmetric(all[len(all)-2:]...)
	}
}

// run does o. A thread without a name has nothing on the board for itself.
func (o wordyOp) run(b *board, h *hand, named int) {
	w, v := &b.words[o.a], int32(o.v)
	switch kind := o.kind; {
	case kind == 0:
		w.Store((b.words[o.b].Load() + v) % 3)
	case kind == 1:
		w.CompareAndSwap(v, int32(o.b))
	case kind == 2:
		w.Store(int32(loom.Choose(2)) + int32(loom.Choose(1+o.b)))
	case kind == 3:
		h.word.Store(w.Swap(v))
	case kind == 4:
		w.Store(h.word.Load())
	case kind == 5: // remembers what no operation has told it
		had := h.plain
		h.plain = (h.plain + 1) % 2
		b.words[o.b].Load()
		w.Store(had + v/2)
	case named < 0:
		h.plain = (h.plain + w.Load()) % 2
	case kind == 6: // likewise, and others may have changed it meanwhile
		had := b.plain[named]
		b.plain[named] = 1 - had
		if b.words[o.b].Load() == 0 {
			w.Store(had)
		}
	case kind == 7:
		b.cells[named].Store((b.cells[named].Load() + b.words[o.b].Load()) % 2)
		w.Store(b.cells[named].Load())
	default:
		if b.words[o.b].Load() == 1 {
			b.cells[named].Store(v % 2)
		}
		w.And(1)
	}
}

// TestKnownStepsMakeNoDifference: whether every edge is a step that is taken, or some
// are known from other states, the graph is the same.
func TestKnownStepsMakeNoDifference(t *testing.T) {
	seed := number(t, "LOOM_SEED", uint64(time.Now().UnixNano()))
	t.Logf("seed %d: LOOM_SEED=%d go test -tags loom -run '^%s$' ./loom", seed, seed, t.Name())
	r := rand.New(rand.NewPCG(seed, 0))
	compared, known, edges := 0, 0, 0
	for begin := time.Now(); compared < 400 && time.Since(begin) < 15*time.Second; compared++ {
		p := randomWordy(r)
		want, _ := searched(t, p.body, graph.Options{Live: true, FullKeys: true})
		got, res := searched(t, p.body, graph.Options{Workers: 1 + r.IntN(2), FullKeys: r.IntN(2) == 0})
		require.Equal(t, want, got, "%+v", p)
		if res.Taken > 0 {
			known, edges = known+res.Edges-res.Taken, edges+res.Edges
		}
	}
	t.Logf("%d programs, %d of %d edges known", compared, known, edges)
	require.Greater(t, compared, 30)
	require.Greater(t, known, edges/4)
}

// TestKnownStepsFindTheSameViolations, by paths as short that can be gone again.
func TestKnownStepsFindTheSameViolations(t *testing.T) {
	seed := number(t, "LOOM_SEED", uint64(time.Now().UnixNano()))
	t.Logf("seed %d: LOOM_SEED=%d go test -tags loom -run '^%s$' ./loom", seed, seed, t.Name())
	r := rand.New(rand.NewPCG(seed, 0))
	compared, failed := 0, 0
	for begin := time.Now(); compared < 300 && time.Since(begin) < 20*time.Second; compared++ {
		p := randomWordy(r)
		p.bound = 1 + int32(r.IntN(2))
		opts := graph.Options{MaxSteps: 100_000}
		got := graph.Run(p.body, opts)
		opts.Live = true
		want := graph.Run(p.body, opts)
		require.NoError(t, want.Err)
		require.NoError(t, got.Err)
		require.Equal(t, want.Failure == nil, got.Failure == nil, "%+v", p)
		if want.Failure == nil {
			continue
		}
		failed++
		require.Equal(t, want.Failure.Claim, got.Failure.Claim, "%+v", p)
		require.Len(t, got.Path, len(want.Path), "%+v", p)
		for _, res := range []graph.Result{got, want} {
			e := graph.Replay(p.body, graph.Schedule(res.Path), opts)
			require.NotNil(t, e.Failure, "%+v", p)
			require.Equal(t, want.Failure.Claim, e.Failure.Claim)
		}
	}
	t.Logf("%d programs, %d fail", compared, failed)
	require.Greater(t, compared, 30)
	require.Greater(t, failed, compared/10)
}
