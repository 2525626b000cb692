//go:build loom

package loom_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/cell"
	"github.com/filch-sched/filch/loom/internal/explore"
	"github.com/filch-sched/filch/loom/sync"
)

// estimated are programs with known numbers of traces, too many to be counted by
// a few hundred random executions.
func estimated() []count {
	list := []count{
		{"writers(6)", func() { writers(6) }, 5040, 0},
		{"lastzero(9)", func() { lastzero(9) }, 1536, 0},
		{"lastzero(12)", func() { lastzero(12) }, 15360, 0},
		{"readers(10)", func() { readers(10) }, 1024, 0},
		{"readers(13)", func() { readers(13) }, 8192, 0},
		{"adds(3,4)", func() { adds(3, 4) }, 1296, 0},
		{"adds(4,3)", func() { adds(4, 3) }, 13824, 0},
		{"adds(5,3)", func() { adds(5, 3) }, 1728000, 0},
		{"lockinc(6)", func() { lockinc(6, 1) }, 720, 0},
		{"collide(6)", func() { collide(6) }, 720, 0},
		{"blocks(8)", func() { blocks(8) }, 0, 0},
		{"turns", turns, 0, 0},
		{"philosophers(7)", func() { philosophers(7) }, 0, 0},
		{"choices", func() {
			for range 12 {
				loom.Choose(2)
			}
		}, 4096, 0},
	}
	return list
}

// collide: threads put a message each into a hash table, all from slot 0 on.
func collide(n int) {
	table := make([]atomic.Int32, n)
	each(n, func(t int) {
		h := 0
		for !table[h].CompareAndSwap(0, int32(t+1)) {
			h++
		}
	})
}

// blocks: threads, each with one of two inodes, look for one of two free blocks
// if theirs has none.
func blocks(n int) {
	var inode, block [2]sync.Mutex
	var has, busy [2]cell.Cell[bool]
	each(n, func(t int) {
		i := t % 2
		inode[i].Lock()
		defer inode[i].Unlock()
		for b := i; !has[i].Load(); b = 1 - b {
			block[b].Lock()
			if !busy[b].Load() {
				busy[b].Store(true)
				has[i].Store(true)
			}
			block[b].Unlock()
		}
	})
}

// turns: threads that wait on a condition variable until it is their turn.
func turns() {
	var mu sync.Mutex
	c := sync.NewCond(&mu)
	turn := 0
	each(5, func(i int) {
		mu.Lock()
		for turn != i {
			c.Wait()
		}
		turn++
		c.Broadcast()
		mu.Unlock()
	})
}

// philosophers eat once each, and some executions deadlock.
func philosophers(n int) {
	forks := make([]sync.Mutex, n)
	var eaten atomic.Int32
	each(n, func(i int) {
		forks[i].Lock()
		forks[(i+1)%n].Lock()
		eaten.Add(1)
		forks[(i+1)%n].Unlock()
		forks[i].Unlock()
	})
}

// explored fills in the number of traces of a program that is not in the
// literature.
func (c *count) explored(t *testing.T) {
	if c.traces == 0 {
		r := explore.Search(c.body, explore.Options{KeepGoing: true, MaxSteps: 10_000})
		require.NoError(t, r.Err)
		require.True(t, r.Exhausted)
		c.traces = r.Traces
	}
}

// apart is by which factor two numbers differ.
func apart(a, b float64) float64 { return math.Exp(math.Abs(math.Log(a / b))) }

func median(list []float64) float64 {
	slices.Sort(list)
	return list[len(list)/2]
}

// TestEstimate: before anything has been searched, two rounds of few particles
// are mostly within a factor of 4, and more are better.
func TestEstimate(t *testing.T) {
	intervals, right := 0, 0
	for _, c := range estimated() {
		t.Run(c.name, func(t *testing.T) {
			c.explored(t)
			var few, many []float64
			runs, covered := 0, 0
			const repeats = 5
			for seed := range uint64(repeats) {
				e := explore.NewEstimator(c.body, explore.Options{KeepGoing: true, MaxSteps: 10_000}, seed)
				for i, particles := range []int{50, 50, 100, 100} {
					require.Nil(t, e.Round(particles, time.Time{}))
					if g, _ := e.Estimate(0); i == 1 {
						few = append(few, apart(g.Traces, float64(c.traces)))
					}
				}
				g, ok := e.Estimate(0)
				require.True(t, ok)
				many = append(many, apart(g.Traces, float64(c.traces)))
				if g.Low <= float64(c.traces)+0.5 && float64(c.traces)-0.5 <= g.High {
					covered++
				}
				runs += e.Runs
				e.Close()
			}
			t.Logf("%d traces: off by a factor of %.2f after two rounds, of %.2f after four; %d of %d intervals are right; %d executions",
				c.traces, median(few), median(many), covered, repeats, runs/repeats)
			require.Less(t, median(few), 4.0)
			require.Less(t, median(many), 2.0)
			intervals, right = intervals+repeats, right+covered
		})
	}
	t.Logf("%d of %d intervals enclose the number", right, intervals)
	require.Greater(t, right*4, intervals*3)
}

// follower is a watcher that estimates, and keeps what it estimated when.
type follower struct {
	estimator *explore.Estimator
	every     int
	guesses   []explore.Guess
}

func (f *follower) Listens() bool { return true }

func (f *follower) Ran(r *explore.Result, traced bool, fingerprint uint64) *explore.Found {
	if traced {
		f.estimator.Saw(fingerprint)
	}
	if r.Traces%f.every == 0 && traced {
		g, _ := f.estimator.Estimate(r.Traces)
		f.guesses = append(f.guesses, g)
	}
	return nil
}

// TestEstimateImproves: what the search has run is counted, not estimated, and
// in the end nothing is left to estimate.
func TestEstimateImproves(t *testing.T) {
	var early, late, end []float64
	for _, c := range estimated() {
		c.explored(t)
		if c.traces > 20_000 {
			continue
		}
		for seed := range uint64(3) {
			opts := explore.Options{KeepGoing: true, MaxSteps: 10_000}
			f := &follower{estimator: explore.NewEstimator(c.body, opts, seed), every: max(c.traces/10, 1)}
			for range 3 {
				require.Nil(t, f.estimator.Round(20, time.Time{}))
			}
			opts.Watch = f
			res := explore.Search(c.body, opts)
			require.NoError(t, res.Err)
			require.Equal(t, c.traces, res.Traces)
			off := func(g explore.Guess) float64 { return apart(g.Traces, float64(c.traces)) }
			early = append(early, off(f.guesses[0]))
			late = append(late, off(f.guesses[8]))
			g, _ := f.estimator.Estimate(res.Traces)
			end = append(end, off(g))
			f.estimator.Close()
		}
	}
	t.Logf("off by a factor of %.3f when a tenth is seen, of %.3f when nine tenths are, of %.3f in the end; at worst %.2f, %.2f and %.4f",
		median(early), median(late), median(end), slices.Max(early), slices.Max(late), slices.Max(end))
	require.Less(t, slices.Max(late), 4.0)
	require.Less(t, median(late), 1.2)
	require.Less(t, median(late), median(early))
	require.InDelta(t, 1, slices.Max(end), 0.001)
}

// climber is a watcher that looks at the tree of the search.
type climber struct {
	size  func() float64
	every int
	sizes []float64
	last  float64
}

func (c *climber) Tree(size func() float64) { c.size = size }
func (c *climber) Listens() bool            { return false }

func (c *climber) Ran(r *explore.Result, traced bool, _ uint64) *explore.Found {
	c.last = c.size()
	if traced && r.Traces%c.every == 0 {
		c.sizes = append(c.sizes, c.last)
	}
	return nil
}

// TestEstimateOfTheTree: what the search knows itself is too little early on,
// then rarely far off, and in the end true.
func TestEstimateOfTheTree(t *testing.T) {
	var half []float64
	for _, c := range estimated() {
		c.explored(t)
		if c.traces > 20_000 {
			continue
		}
		w := &climber{every: max(c.traces/10, 1)}
		res := explore.Search(c.body, explore.Options{KeepGoing: true, MaxSteps: 10_000, Watch: w})
		require.NoError(t, res.Err)
		require.Equal(t, c.traces, res.Traces)
		require.InDelta(t, c.traces, w.last, 0.01, c.name)
		require.GreaterOrEqual(t, w.sizes[4]*1.001, float64(c.traces)/2, "%s: not less than what has been seen", c.name)
		half = append(half, apart(w.sizes[4], float64(c.traces)))
	}
	t.Logf("off by a factor of %.2f when half is seen, at worst %.2f", median(half), slices.Max(half))
	require.Less(t, median(half), 2.0)
}
