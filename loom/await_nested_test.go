//go:build loom

package loom_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
)

// pool is what the threads of a nested program share. The values are kept beside
// the words, for a look at them when the execution is over.
type pool struct {
	x, y   atomic.Int32
	xn, yn int32
	in     *nest // the loop that waits
	others int   // threads that have not ended
}

// goals are what loops wait for: as a thread looks at it, and as it is.
var goals = []struct {
	name string
	see  func(p *pool) bool
	is   func(p *pool) bool
}{
	{"x", func(p *pool) bool { return p.x.Load() != 0 }, func(p *pool) bool { return p.xn != 0 }},
	{"y", func(p *pool) bool { return p.y.Load() != 0 }, func(p *pool) bool { return p.yn != 0 }},
	{"x and y", func(p *pool) bool { return p.x.Load() != 0 && p.y.Load() != 0 }, func(p *pool) bool { return p.xn != 0 && p.yn != 0 }},
	{"x is y", func(p *pool) bool { return p.x.Load() == p.y.Load() }, func(p *pool) bool { return p.xn == p.yn }},
	{"y is 2", func(p *pool) bool { return p.y.Load() == 2 }, func(p *pool) bool { return p.yn == 2 }},
}

// feats are what the other threads do meanwhile.
var feats = []struct {
	name string
	do   func(p *pool)
}{
	{"x = 1", func(p *pool) { p.x.Store(1); p.xn = 1 }},
	{"x = 0", func(p *pool) { p.x.Store(0); p.xn = 0 }},
	{"y = 1", func(p *pool) { p.y.Store(1); p.yn = 1 }},
	{"y = 2", func(p *pool) { p.y.Store(2); p.yn = 2 }},
	{"y = 0", func(p *pool) { p.y.Store(0); p.yn = 0 }},
}

// nest is a loop, which goes through the loops in it in each round.
type nest struct {
	goal  int
	loops []*nest
}

func (n *nest) String() string {
	var in []string
	for _, k := range n.loops {
		in = append(in, k.String())
	}
	return fmt.Sprintf("until %s {%s}", goals[n.goal].name, strings.Join(in, "; "))
}

// nested is a program: one thread goes through loops, others do feats.
type nested struct {
	loops []*nest
	feats [][]int
}

func (n nested) String() string {
	var b strings.Builder
	for _, l := range n.loops {
		fmt.Fprintf(&b, "%v\n", l)
	}
	for _, list := range n.feats {
		b.WriteString("beside:")
		for _, f := range list {
			fmt.Fprintf(&b, " %s;", feats[f].name)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func randomNest(r *rand.Rand, depth int) *nest {
	n := &nest{goal: r.IntN(len(goals))}
	for depth > 0 && len(n.loops) < 2 && r.IntN(3) > 0 {
		n.loops = append(n.loops, randomNest(r, depth-1))
	}
	return n
}

func randomNested(r *rand.Rand) nested {
	n := nested{loops: []*nest{randomNest(r, 2)}, feats: make([][]int, 1+r.IntN(2))}
	if r.IntN(3) == 0 {
		n.loops = append(n.loops, randomNest(r, 1))
	}
	for range 2 + r.IntN(2) {
		i := r.IntN(len(n.feats))
		n.feats[i] = append(n.feats[i], r.IntN(len(feats)))
	}
	return n
}

// walk goes through loops. It gives up when there have been so many rounds.
func walk(loops []*nest, rounds *int, done func(goal int) bool, wait func(in *nest)) bool {
	for _, n := range loops {
		for !done(n.goal) {
			if !walk(n.loops, rounds, done, wait) {
				return false
			}
			if *rounds--; *rounds < 0 {
				return false
			}
			wait(n)
		}
	}
	return true
}

// run is one exploration of a program: its endings, and how often all waited.
type nestedRun struct {
	ends      []string
	livelocks int
}

// run explores n. With waiting, loops wait in Yield, and an execution in which
// nobody goes on is looked at when the next one begins: the loop that waits must
// not have an end. Without, they go round at most so many times.
func (n nested) run(t *testing.T, waiting bool, rounds int, algorithm string) (run nestedRun) {
	t.Helper()
	ends := map[string]bool{}
	var last *pool
	stuck := func() {
		if last == nil || last.in == nil || last.others > 0 {
			return // it has ended, or been given up
		}
		run.livelocks++
		many := 100
		goes := walk([]*nest{last.in}, &many, func(goal int) bool { return goals[goal].is(last) }, func(*nest) {})
		require.False(t, goes, "x = %d, y = %d, and nobody goes on in %v of\n%v", last.xn, last.yn, last.in, n)
	}
	r, err := loom.Explore(func() {
		stuck()
		p := &pool{others: len(n.feats)}
		last = p
		loom.Yield() // returns at once; a search gives up its first execution with a Yield, and that is not to look like one in which nobody goes on
		for _, list := range n.feats {
			loom.Go(func() {
				for _, f := range list {
					feats[f].do(p)
				}
				p.others--
			})
		}
		wait, left := func(in *nest) { p.in = in; loom.Yield(); p.in = nil }, 1_000
		if !waiting {
			wait, left = func(*nest) {}, rounds
		}
		if walk(n.loops, &left, func(goal int) bool { return goals[goal].see(p) }, wait) {
			ends[fmt.Sprint(p.x.Load(), p.y.Load())] = true
		}
	}, loom.KeepGoing(), loom.Algorithm(algorithm))
	stuck()
	if run.livelocks == 0 {
		require.NoError(t, err, "%v", n)
	}
	require.True(t, r.Exhausted, "%v\n%v", err, n)
	run.ends = slices.Sorted(maps.Keys(ends))
	return run
}

// TestNestedYieldsHaveTheEndsOfGoingRound compares, on random programs, loops in
// loops that each wait in Yield to loops that go round and round: the same can come
// of them. And where all wait for ever, going round would have no end.
func TestNestedYieldsHaveTheEndsOfGoingRound(t *testing.T) {
	seed := number(t, "LOOM_TEST_SEED", uint64(time.Now().UnixNano()))
	programs := number(t, "LOOM_TEST_PROGRAMS", 150)
	t.Logf("replay: LOOM_TEST_SEED=%d LOOM_TEST_PROGRAMS=%d go test -tags loom -run '^%s$' ./loom", seed, programs, t.Name())
	r := rand.New(rand.NewPCG(seed, 4))
	ends, livelocks := 0, 0
	for range programs {
		p := randomNested(r)
		want := p.run(t, false, 7, "sleep")
		ends += len(want.ends)
		for _, algorithm := range []string{"sleep", "optimal"} {
			got := p.run(t, true, 0, algorithm)
			require.Equal(t, want.ends, got.ends, "%s:\n%v", algorithm, p)
			livelocks += got.livelocks
		}
	}
	require.Greater(t, ends, int(programs)/5)
	require.Greater(t, livelocks, int(programs)/5)
}

// TestYieldOfAnInnerLoop: the outer loop waits for what it has looked at before the
// inner one, too.
func TestYieldOfAnInnerLoop(t *testing.T) {
	help := func() { loom.Yield() } // it is not the place of the call alone that tells loops apart
	for name, yield := range map[string]func(){"directly": loom.Yield, "by a function": help} {
		t.Run(name, func(t *testing.T) {
			r := holds(t, func() {
				var x, y atomic.Int32
				loom.Go(func() {
					y.Store(1)
					x.Store(1)
				})
				for x.Load() == 0 {
					for y.Load() == 0 {
						yield()
					}
					yield()
				}
			})
			require.Less(t, r.MaxDepth, 12)
		})
	}
}

// TestYieldOfAnInnerLoopHidesNothing: the outer loop can end before a change comes
// that would wake it from a wait for the inner one's word alone.
func TestYieldOfAnInnerLoopHidesNothing(t *testing.T) {
	saw := outcomes(t, func(saw func(string)) {
		var x, y atomic.Int32
		loom.Go(func() { // it leaves no trace itself
			waited := false
			for x.Load() == 0 {
				for y.Load() == 0 {
					waited = true
					loom.Yield()
				}
				loom.Yield()
			}
			saw(fmt.Sprint(y.Load(), waited))
		})
		y.Store(1)
		x.Store(1)
		y.Store(2)
	})
	require.Equal(t, []string{"1 false", "1 true", "2 false", "2 true"}, saw)
}
