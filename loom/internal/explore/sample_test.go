//go:build loom

package explore_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/internal/explore"
	"github.com/filch-sched/filch/loom/sync"
)

// sample draws runs executions of body with a fixed seed.
func sample(t *testing.T, algorithm string, runs int, body func(), more ...func(*explore.SampleOptions)) explore.Sampled {
	t.Helper()
	o := explore.SampleOptions{Algorithm: algorithm, Seed: 1, Runs: runs}
	o.KeepGoing, o.MaxSteps = true, 10_000
	for _, m := range more {
		m(&o)
	}
	r := explore.Sample(body, o)
	require.NoError(t, r.Err)
	require.False(t, r.Exhausted, "a sampled run is never exhaustive")
	return r
}

// independent starts a thread for each length that takes as many steps on a
// word of its own, and tells order which thread takes each step.
func independent(lengths []int, order *[]byte) func() {
	return func() {
		*order = (*order)[:0]
		for i, n := range lengths {
			loom.Go(func() {
				var x atomic.Int32
				for range n {
					x.Add(1)
					*order = append(*order, byte('a'+i))
				}
			})
		}
	}
}

// interleavings counts the orders of threads with these lengths.
func interleavings(lengths []int) int {
	total, n := 0, 1.0
	for _, l := range lengths {
		for k := 1; k <= l; k++ {
			total++
			n = n * float64(total) / float64(k)
		}
	}
	return int(math.Round(n))
}

// chiSquare returns the statistic of counts that should be equal, and the value
// that it exceeds by chance once in a thousand (Wilson and Hilferty 1931).
func chiSquare(counts map[string]int, classes, runs int) (statistic, limit float64) {
	want := float64(runs) / float64(classes)
	statistic = float64(classes-len(counts)) * want
	for _, n := range counts {
		statistic += (float64(n) - want) * (float64(n) - want) / want
	}
	k := float64(classes - 1)
	z := 1 - 2/(9*k) + 3.0902*math.Sqrt(2/(9*k))
	return statistic, k * z * z * z
}

// TestUniformRandomWalk: threads that do not wait for each other and take as
// many steps as they always do are interleaved uniformly.
func TestUniformRandomWalk(t *testing.T) {
	for _, lengths := range [][]int{{3, 3}, {1, 8}, {2, 2, 2}, {3, 2, 2}, {1, 1, 1, 3}, {5, 4}} {
		t.Run(fmt.Sprint(lengths), func(t *testing.T) {
			classes := interleavings(lengths)
			runs := 100 * classes
			uniform := func(algorithm string) (float64, float64) {
				counts := map[string]int{}
				var order []byte
				body := independent(lengths, &order)
				sample(t, algorithm, 0, body, func(o *explore.SampleOptions) {
					o.Runs = runs + 1
					first := true
					o.EveryTrace = func(uint64) {
						if !first { // the first is drawn without knowing the lengths
							counts[string(order)]++
						}
						first = false
					}
				})
				return chiSquare(counts, classes, runs)
			}
			got, limit := uniform("urw")
			require.Less(t, got, limit, "chi-square of %d interleavings in %d runs", classes, runs)
			naive, _ := uniform("random")
			require.Greater(t, naive, limit, "the test can tell: drawing threads uniformly is not uniform")
		})
	}
}

// TestUniformWalkCountsUnbornThreads: the steps of a thread that will be started
// count for the one that starts it.
func TestUniformWalkCountsUnbornThreads(t *testing.T) {
	var order []byte
	step := func(x *atomic.Int32, name byte) { x.Add(1); order = append(order, name) }
	counts := map[string]int{}
	const runs = 20_000
	o := explore.SampleOptions{Algorithm: "urw", Seed: 1, Runs: runs + 1}
	o.EveryTrace = func(uint64) { counts[string(order)]++ }
	r := explore.Sample(func() {
		order = order[:0]
		loom.Go(func() {
			var x atomic.Int32
			step(&x, 'a')
			loom.Go(func() {
				var y atomic.Int32
				for range 3 {
					step(&y, 'c')
				}
			})
		})
		loom.Go(func() { var z atomic.Int32; step(&z, 'b') })
	}, o)
	require.NoError(t, r.Err)
	got, limit := chiSquare(counts, 5, runs+1) // b comes anywhere in accc
	require.Less(t, got, limit, "%v", counts)
}

// atomicity has a bug that shows if a thread is interrupted between two steps:
// depth 2, with two threads of before+2 steps.
func atomicity(before int) func() {
	return func() {
		var x atomic.Int32
		work := func() {
			var own atomic.Int32
			for range before {
				own.Add(1)
			}
			x.Store(x.Load() + 1)
		}
		a, b := loom.Go(work), loom.Go(work)
		a.Join()
		b.Join()
		if x.Load() != 2 {
			loom.Failf("NoLostUpdate", "lost")
		}
	}
}

// order has a bug of depth 1: the last of many steps before the first of another
// thread, which is started first or last.
func order(steps int, first bool) func() {
	return func() {
		var ready atomic.Bool
		early := func() {
			if ready.Load() {
				loom.Failf("Order", "ready")
			}
		}
		late := func() {
			for range steps {
				ready.Load()
			}
			ready.Store(true)
		}
		if first {
			loom.Go(early)
			loom.Go(late)
		} else {
			loom.Go(late)
			loom.Go(early)
		}
	}
}

// twice has a bug of depth 3: each of two threads must be interrupted once.
func twice() {
	var x atomic.Int32
	loom.Go(func() { x.Store(1); x.Store(2) })
	loom.Go(func() {
		if x.Load() == 1 && x.Load() == 2 {
			loom.Failf("Twice", "interrupted twice")
		}
	})
}

// TestPCTFindsBugsAsOftenAsItMust: a bug of depth d shows with a probability of
// at least 1/(n*k^(d-1)), with n threads that take k steps.
func TestPCTFindsBugsAsOftenAsItMust(t *testing.T) {
	const runs = 20_000
	for _, c := range []struct {
		name    string
		depth   int
		threads int
		body    func()
	}{
		{"order", 1, 3, order(30, false)},
		{"order, started the other way round", 1, 3, order(30, true)},
		{"atomicity", 2, 3, atomicity(8)},
		{"twice", 3, 3, twice},
	} {
		t.Run(c.name, func(t *testing.T) {
			found := func(depth int) (float64, int) {
				r := sample(t, "pct", runs, c.body, func(o *explore.SampleOptions) { o.Depth = depth })
				return float64(r.Failures) / runs, r.MaxDepth
			}
			share, steps := found(c.depth)
			bound := 1 / (float64(c.threads) * math.Pow(float64(steps), float64(c.depth-1)))
			t.Logf("found in %.2f %% of the runs, the bound is %.2f %%", 100*share, 100*bound)
			require.GreaterOrEqual(t, share, bound)
			if c.depth > 1 {
				less, _ := found(c.depth - 1)
				require.Zero(t, less, "the depth of the bug is what it is said to be")
			}
		})
	}
}

// TestSamplersFindBugsOfTheirKind: what one draws often another hardly ever
// draws.
func TestSamplersFindBugsOfTheirKind(t *testing.T) {
	// Two threads must alternate: no priorities do that.
	alternate := func() {
		var x atomic.Int32
		turns, last := 0, 0
		thread := func(id int) func() {
			return func() {
				for range 3 {
					x.Add(1)
					if id != last {
						turns, last = turns+1, id
					}
				}
			}
		}
		a, b := loom.Go(thread(1)), loom.Go(thread(2))
		a.Join()
		b.Join()
		if turns == 6 {
			loom.Failf("Alternate", "in turns")
		}
	}
	// A short thread in the middle of a long one.
	middle := func() {
		var x atomic.Int32
		loom.Go(func() {
			for range 60 {
				x.Add(1)
			}
		})
		loom.Go(func() {
			if n := x.Load(); n > 20 && n < 40 {
				loom.Failf("Middle", "%d", n)
			}
		})
	}
	for _, c := range []struct {
		name, finds, misses string
		body                func()
	}{
		{"a long thread before a short one", "pct", "random", order(30, false)},
		{"a short thread in the middle of a long one", "urw", "random", middle},
		{"threads that take turns", "random", "pct", alternate},
		{"threads that take turns", "urw", "pct", alternate},
	} {
		t.Run(c.name+", "+c.finds, func(t *testing.T) {
			const runs = 2000
			good, bad := sample(t, c.finds, runs, c.body), sample(t, c.misses, runs, c.body)
			t.Logf("%s finds it %d times in %d runs, %s %d times", c.finds, good.Failures, runs, c.misses, bad.Failures)
			require.Greater(t, good.Failures, runs/100)
			require.Less(t, bad.Failures, good.Failures/5)
		})
	}
}

// TestSampledRunsRepeat: the seed determines a run.
func TestSampledRunsRepeat(t *testing.T) {
	for _, algorithm := range explore.Samplers {
		prints := func(seed uint64) (list []uint64) {
			sample(t, algorithm, 50, atomicity(3), func(o *explore.SampleOptions) {
				o.Seed, o.EveryTrace = seed, func(f uint64) { list = append(list, f) }
			})
			return list
		}
		require.Equal(t, prints(1), prints(1), algorithm)
		require.NotEqual(t, prints(1), prints(2), algorithm)
	}
}

// TestSampledTraces: the number of different traces is exact as long as they can
// be remembered, and about right from then on.
func TestSampledTraces(t *testing.T) {
	body := func() {
		var x, y atomic.Int32
		for range 3 {
			loom.Go(func() { x.Add(1); y.Add(1) })
		}
	}
	r := sample(t, "random", 5000, body)
	require.Equal(t, 36, r.Traces, "(3!)^2")
	require.Zero(t, r.New, "of the last 500 runs")
	early := sample(t, "random", 20, body)
	require.Less(t, early.Traces, 36)
	require.Positive(t, early.New)

	long := func() {
		var x [3]atomic.Int32
		for range 3 {
			loom.Go(func() {
				for i := range x {
					x[i].Add(1)
				}
			})
		}
	}
	exact := sample(t, "urw", 20_000, long)
	few := sample(t, "urw", 20_000, long, func(o *explore.SampleOptions) { o.Seen = 60 })
	require.Equal(t, 216, exact.Traces, "(3!)^3")
	require.InEpsilon(t, exact.Traces, few.Traces, 0.3)
}

// TestSampledKinds: every kind of violation is seen, and chosen values are drawn.
func TestSampledKinds(t *testing.T) {
	for _, algorithm := range explore.Samplers {
		r := sample(t, algorithm, 300, func() {
			var a, b sync.Mutex
			both := func(m, n *sync.Mutex) func() {
				return func() { m.Lock(); n.Lock(); n.Unlock(); m.Unlock() }
			}
			loom.Go(both(&a, &b))
			loom.Go(both(&b, &a))
			if loom.Choose(7) == 6 {
				panic("chosen")
			}
		})
		require.Positive(t, r.Deadlocks, algorithm)
		require.Positive(t, r.Failures, algorithm)
		require.Equal(t, r.Executions, 300)
	}
	require.ErrorContains(t, explore.Sample(func() {}, explore.SampleOptions{Algorithm: "luck"}).Err, `"luck" is not a sampler`)
}
