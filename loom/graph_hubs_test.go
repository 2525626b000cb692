//go:build loom

package loom_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/cell"
	"github.com/filch-sched/filch/loom/internal/graph"
	"github.com/filch-sched/filch/loom/sync"
)

// searched returns the graph of body as text, and the result.
func searched(t *testing.T, body func(), opts graph.Options) (string, graph.Result) {
	t.Helper()
	opts.MaxSteps = 100_000
	res := graph.Run(body, opts)
	require.NoError(t, res.Err)
	require.True(t, res.Closed)
	var b strings.Builder
	require.NoError(t, res.Graph.Write(&b))
	return b.String(), res
}

// hubbed has what a leap must put in place: words, plain memory behind a lock, a
// slice that grows and shrinks in its array, what threads have for themselves, and
// who has been signalled.
func hubbed(symmetric bool) func() {
	return func() {
		s := &struct {
			x    atomic.Uint32
			mu   sync.Mutex
			cond *sync.Cond
			list []int
			slot cell.Cell[int]
		}{list: make([]int, 0, 2)}
		s.cond = sync.NewCond(&s.mu)
		d := loom.Drive()
		d.Root("s", s)
		var all []*loom.Thread
		for range 2 {
			own := new(int)
			th := forever(func() {
				v := s.x.Load()
				*own = (*own + 1) % 2
				s.x.CompareAndSwap(v, 1-v)
			})
			d.Own(th, "own", own)
			all = append(all, th)
		}
		if symmetric {
			d.Symmetric(all...)
		}
		forever(func() {
			s.mu.Lock()
			if len(s.list) < 2 {
				s.list = append(s.list, 1+len(s.list))
				s.slot.Store(len(s.list))
				s.cond.Signal()
			}
			s.mu.Unlock()
		})
		forever(func() {
			s.mu.Lock()
			for len(s.list) == 0 {
				s.cond.Wait()
			}
			s.list = s.list[:len(s.list)-1]
			s.slot.Store(0)
			s.mu.Unlock()
		})
	}
}

// held has a lock that one operation takes and another one gives back.
func held() {
	s := &struct {
		mu  sync.Mutex
		has bool
		x   atomic.Int32
	}{}
	loom.Drive().Root("s", s)
	forever(func() {
		if s.has = !s.has; s.has {
			s.mu.Lock()
		} else {
			s.mu.Unlock()
		}
	})
	forever(func() {
		if s.mu.TryLock() {
			s.x.Store((s.x.Load() + 1) % 3)
			s.mu.Unlock()
		}
	})
}

// TestLeapsMakeNoDifference: whether paths begin at the first state or at another one
// that is put in place, the graph is the same; and executions are fewer.
func TestLeapsMakeNoDifference(t *testing.T) {
	for name, body := range map[string]func(){
		"registers": registers(100), "hubs": hubbed(false), "symmetric": hubbed(true), "held": held,
	} {
		want, straight := searched(t, body, graph.Options{Straight: true})
		for _, opts := range []graph.Options{{}, {FullKeys: true}, {Workers: 3}} {
			got, res := searched(t, body, opts)
			require.Equal(t, want, got, "%s, %+v", name, opts)
			if straight.Executions > 100 {
				require.Less(t, 4*res.Executions, straight.Executions, "%s, %+v", name, opts)
			}
		}
		t.Logf("%s: %d states, %d executions without leaps", name, straight.States, straight.Executions)
	}
}

// looping is a random program whose threads loop for ever: by thread, operations.
func looping(r *rand.Rand) (body func(), text string) {
	type op struct{ kind, a, b, v int }
	threads := make([][]op, 2+r.IntN(2))
	for i := range threads {
		for range 1 + r.IntN(3) {
			threads[i] = append(threads[i], op{r.IntN(6), r.IntN(2), r.IntN(2), r.IntN(3)})
		}
	}
	return func() {
		s := &struct {
			words [2]atomic.Int32
			mu    sync.Mutex
			plain [2]int
		}{}
		loom.Drive().Root("s", s)
		run := func(o op) {
			switch w := &s.words[o.a]; o.kind {
			case 0:
				w.Store((s.words[o.b].Load() + int32(o.v)) % 3)
			case 1:
				w.CompareAndSwap(int32(o.v), int32(o.b))
			case 2:
				s.mu.Lock()
				s.plain[o.a] = (s.plain[o.b] + o.v) % 3
				s.mu.Unlock()
			case 3:
				w.Store(int32(loom.Choose(2)))
			case 4:
				w.Swap(int32(o.v))
			default:
				s.mu.Lock()
				v := s.plain[o.a]
				s.mu.Unlock()
				s.words[o.b].Store(int32(v))
			}
		}
		for _, ops := range threads {
			loom.Go(func() {
				for {
					for i, o := range ops {
						loom.Boundary(uint64(i))
						run(o)
					}
				}
			})
		}
	}, fmt.Sprint(threads)
}

// TestLeapsMakeNoDifferenceToRandomPrograms is the same of many small programs, and
// that hashes merge no states.
func TestLeapsMakeNoDifferenceToRandomPrograms(t *testing.T) {
	seed := number(t, "LOOM_SEED", uint64(time.Now().UnixNano()))
	t.Logf("seed %d: LOOM_SEED=%d go test -tags loom -run '^%s$' ./loom", seed, seed, t.Name())
	r := rand.New(rand.NewPCG(seed, 0))
	compared, fewer := 0, 0
	for begin := time.Now(); compared < 300 && time.Since(begin) < 20*time.Second; compared++ {
		body, text := looping(r)
		want, straight := searched(t, body, graph.Options{Straight: true, FullKeys: true})
		got, res := searched(t, body, graph.Options{Workers: 1 + r.IntN(2)})
		require.Equal(t, want, got, "%v", text)
		if res.Executions < straight.Executions {
			fewer++
		}
	}
	t.Logf("%d programs, %d of them with leaps", compared, fewer)
	require.Greater(t, compared, 30)
	require.Greater(t, fewer, compared/4)
}

// TestLeapsNeedTheShapeOfTheFirstState: a state that others cannot be made of by
// putting values in place is reached from where it can.
func TestLeapsNeedTheShapeOfTheFirstState(t *testing.T) {
	type node struct{ next *node }
	body := func() {
		s := &struct {
			mu   sync.Mutex
			head *node
			n    int
			x    atomic.Int32
		}{}
		loom.Drive().Root("s", s)
		forever(func() {
			s.mu.Lock()
			if s.n < 3 {
				s.head, s.n = &node{s.head}, s.n+1
			}
			s.mu.Unlock()
		})
		forever(func() {
			s.mu.Lock()
			if s.head != nil {
				s.head, s.n = s.head.next, s.n-1
			}
			s.mu.Unlock()
		})
		forever(func() { s.x.Store((s.x.Load() + 1) % 3) })
	}
	want, straight := searched(t, body, graph.Options{Straight: true})
	got, res := searched(t, body, graph.Options{})
	require.Equal(t, want, got)
	require.Less(t, res.Executions, straight.Executions)
}
