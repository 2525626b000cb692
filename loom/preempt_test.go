//go:build loom

package loom_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/internal/explore"
	"github.com/filch-sched/filch/loom/internal/machine"
	"github.com/filch-sched/filch/loom/sync"
	looptime "github.com/filch-sched/filch/loom/time"
)

// missed fails the execution: the test wants to know how many preemptions that
// takes.
func missed() { loom.Failf("Planted", "here") }

// preempted has bodies that fail, with the fewest preemptions that this takes.
var preempted = []struct {
	name string
	n    int
	body func()
}{
	{"the first step", 0, func() {
		var x atomic.Int32
		loom.Go(func() { x.Store(1) })
		if x.Load() == 1 {
			missed()
		}
	}},
	{"the second step", 1, func() {
		var x atomic.Int32
		loom.Go(func() { x.Store(1) })
		if x.Load() == 0 && x.Load() == 1 {
			missed()
		}
	}},
	{"a thread that ends", 0, func() {
		var x atomic.Int32
		all(func() { x.Store(1) }, func() {
			if x.Load() == 1 {
				missed()
			}
		})
	}},
	{"a thread that waits for another's end", 0, func() {
		var x atomic.Int32
		x.Load()
		loom.Go(func() { x.Store(1) }).Join()
		if x.Load() == 1 {
			missed()
		}
	}},
	{"a thread that waits for a lock", 2, func() {
		var mu sync.Mutex
		var x atomic.Int32
		all(func() {
			mu.Lock()
			x.Store(1) // one: here the other comes, and waits
			x.Store(2)
			mu.Unlock() // two: here it goes on
			x.Store(3)
		}, func() {
			if x.Load() == 1 {
				mu.Lock()
				if x.Load() == 2 {
					missed()
				}
			}
		})
	}},
	{"a thread that waits for a signal", 0, func() {
		var mu sync.Mutex
		c := sync.NewCond(&mu)
		all(func() {
			mu.Lock()
			c.Wait()
			missed()
		}, func() { c.Signal() })
	}},
	{"a thread that waits in Yield", 0, func() {
		var x atomic.Int32
		all(func() {
			for x.Load() == 0 {
				loom.Yield()
			}
			missed()
		}, func() { x.Store(1) })
	}},
	{"a thread whose Yield does not wait", 1, func() {
		var x, y atomic.Int32
		all(func() {
			x.Store(1)
			loom.Yield()
			if y.Load() == 1 {
				missed()
			}
		}, func() {
			if x.Load() == 1 {
				y.Store(1)
			}
		})
	}},
	{"a choice", 0, func() {
		if loom.Choose(3) == 2 {
			missed()
		}
	}},
	{"another's step right after a choice", 1, func() {
		var x, y atomic.Int32
		all(func() {
			x.Store(1)
			if loom.Choose(2) == 1 && y.Load() == 1 {
				missed()
			}
		}, func() {
			if x.Load() == 1 {
				y.Store(1)
			}
		})
	}},
	{"a timer", 1, func() {
		var x atomic.Int32
		looptime.AfterFunc(1, func() { x.Store(1) })
		if x.Load() == 0 && x.Load() == 1 {
			missed()
		}
	}},
	{"two", 2, func() {
		var x atomic.Int32
		all(func() {
			if x.Load() == 0 && x.Load() == 1 {
				missed()
			}
		}, func() { x.Store(1); x.Store(2) })
	}},
	{"three", 3, func() {
		var x atomic.Int32
		all(func() {
			if x.Load() == 0 && x.Load() == 1 && x.Load() == 2 {
				missed()
			}
		}, func() { x.Store(1); x.Store(2) })
	}},
}

// TestFirstViolationHasTheFewestPreemptions: it is found with as many, not with
// one less, and with more it is still the first.
func TestFirstViolationHasTheFewestPreemptions(t *testing.T) {
	for _, c := range preempted {
		t.Run(c.name, func(t *testing.T) {
			for _, bound := range []int{c.n, c.n + 1, 9} {
				r, err := loom.Explore(c.body, loom.Preemptions(bound))
				require.ErrorContains(t, err, "Planted", "with %d", bound)
				require.Equal(t, c.n, r.Preemptions)
				require.Contains(t, r.String(), fmt.Sprintf("stopped by the first violation, with %s (none with fewer)", explore.Count(c.n, "preemption")))
			}
			if c.n > 0 {
				r, err := loom.Explore(c.body, loom.Preemptions(c.n-1))
				require.NoError(t, err)
				require.False(t, r.Exhausted)
				require.Positive(t, r.Cut)
			}
		})
	}
}

// TestViolationUnderABoundIsReplayed: its token needs no bound.
func TestViolationUnderABoundIsReplayed(t *testing.T) {
	body := preempted[len(preempted)-1].body
	v := violation(t, body, loom.Preemptions(3))
	again := violation(t, body, loom.Replay(v.Token))
	require.Equal(t, v.Schedule, again.Schedule)
}

// TestBoundedRunSaysSo: it is exhausted if the bound has cut nothing off, and
// only then.
func TestBoundedRunSaysSo(t *testing.T) {
	body := func() { adds(3, 2) } // 36 traces, the last with 2 preemptions
	r, err := loom.Explore(body, loom.Preemptions(1))
	require.NoError(t, err)
	require.False(t, r.Exhausted)
	require.True(t, r.Bounded)
	require.Positive(t, r.Cut)
	require.Contains(t, r.String(), fmt.Sprintf("not exhausted, stopped by the bound of 1 preemption, which cuts off %d ways to go on: 24 traces", r.Cut))
	for _, bound := range []int{3, 100} {
		r, err = loom.Explore(body, loom.Preemptions(bound))
		require.NoError(t, err)
		require.True(t, r.Exhausted)
		require.Zero(t, r.Cut)
		require.Contains(t, r.String(), fmt.Sprintf("exhausted (a bound of %s cuts nothing off): 36 traces", explore.Count(bound, "preemption")))
	}
	r, err = loom.Explore(func() { adds(5, 5) }, loom.Preemptions(100), loom.Deadline(time.Millisecond))
	require.NoError(t, err)
	require.False(t, r.Exhausted)
	require.Contains(t, r.String(), "not exhausted, stopped by the deadline of 1ms:")
}

// TestBoundedSearchIsNeitherSharedNorSaved: it needs all that it has seen.
func TestBoundedSearchIsNeitherSharedNorSaved(t *testing.T) {
	body := func() { adds(2, 1) }
	file := filepath.Join(t.TempDir(), "saved")
	_, err := loom.Explore(body, loom.Preemptions(1), loom.Shard(1, 2))
	require.ErrorContains(t, err, "cannot be shared")
	_, err = loom.Explore(body, loom.Preemptions(1), loom.Checkpoint(file))
	require.ErrorContains(t, err, "cannot be saved")
	require.NoFileExists(t, file)
	dir := t.TempDir()
	t.Setenv("LOOM_CHECKPOINT", dir)
	r, err := loom.Explore(body, loom.Preemptions(1))
	require.NoError(t, err)
	require.Equal(t, 2, r.Traces)
	saved, err := filepath.Glob(filepath.Join(dir, "*"))
	require.NoError(t, err)
	require.Empty(t, saved)
}

// TestBoundedSearchChecksDeterminism: also where it repeats what an execution
// long before has done.
func TestBoundedSearchChecksDeterminism(t *testing.T) {
	for _, after := range []int{1, 2, 3, 5, 8, 13} {
		runs := 0
		_, err := loom.Explore(func() {
			var x, y atomic.Int32
			runs++
			z := &x
			if runs > after {
				z = &y
			}
			each(3, func(int) { x.Add(1); z.Add(1); x.Add(1) })
		}, loom.Preemptions(2))
		require.ErrorContains(t, err, "not deterministic", "after %d executions", after)
	}
}

// forced has what all schedules of a program come to, each with the fewest
// preemptions.
type forced struct {
	traces, states map[string]int
	violation      int // of any, -1 if there is none
}

// bruteForce runs every schedule of p; false if there are more than most. ordered
// is as for traces.
func bruteForce(p program, most int, ordered bool) (forced, bool) {
	b := forced{map[string]int{}, map[string]int{}, -1}
	e := &every{}
	note := func(m map[string]int, key string) {
		if n, ok := m[key]; !ok || e.spent < n {
			m[key] = e.spent
		}
	}
	m := machine.New(e)
	defer m.Close()
	m.GoOn, m.MaxSteps, m.Ordered = true, 10_000, ordered
	for range most {
		e.depth, e.spent, e.did, e.names = 0, 0, e.did[:0], e.names[:0]
		m.Run(p.body(func(end string) { note(b.states, end) }))
		if m.Err != nil {
			panic(m.Err)
		}
		note(b.traces, e.trace())
		if (m.Failure != nil || m.Raced) && (b.violation < 0 || e.spent < b.violation) {
			b.violation = e.spent
		}
		if !e.back() {
			return b, true
		}
	}
	return b, false
}

// within returns the keys of what takes at most so many preemptions.
func within(fewest map[string]int, bound int) map[string]bool {
	set := map[string]bool{}
	for key, n := range fewest {
		if n <= bound {
			set[key] = true
		}
	}
	return set
}

// check compares the search of p with a bound to all its schedules.
func (b *forced) check(t *testing.T, p program, bound int) {
	s := search(p, explore.Options{Bounded: true, Bound: bound})
	require.NoError(t, s.Err)
	if s.Ordered {
		of, _ := bruteForce(p, 1<<30, true)
		b = &of
	}
	require.Equal(t, len(within(b.traces, bound)), s.Traces+s.Failures, "traces")
	require.Equal(t, len(s.Fingerprints), s.Traces, "each trace counts once")
	require.Equal(t, keys(within(b.states, bound)), keys(s.states), "final states")
	require.Equal(t, s.Cut == 0, s.Exhausted)
	if s.Exhausted {
		require.Len(t, b.traces, s.Traces+s.Failures, "nothing is cut off, and not all is seen")
	}
	if b.violation < 0 || b.violation > bound {
		require.Nil(t, s.First, "a violation")
		return
	}
	require.Equal(t, b.violation, s.Preemptions, "preemptions of the first violation")
	first := explore.Search(p.body(func(string) {}), explore.Options{Bounded: true, Bound: bound, MaxSteps: 10_000})
	require.NotNil(t, first.First)
	require.Equal(t, b.violation, first.Preemptions, "preemptions of the only violation")
}

// TestBoundIsExact compares bounded searches of random programs to all of their
// schedules: the traces and final states that have an execution within the bound
// are met, no others, and the first violation has the fewest preemptions.
func TestBoundIsExact(t *testing.T) {
	seed := number(t, "LOOM_TEST_SEED", uint64(time.Now().UnixNano()))
	programs := number(t, "LOOM_TEST_PROGRAMS", 300)
	var done, large, traces, cut int
	for n := uint64(0); done < int(programs); n++ {
		r := rand.New(rand.NewPCG(seed+n, 0))
		p := randomProgram(r, 3+r.IntN(9))
		b, ok := bruteForce(p, 3_000, false)
		if !ok {
			large++
			require.Less(t, large, 1000+done, "most programs should be compared")
			continue
		}
		done++
		traces += len(b.traces)
		ok = t.Run(fmt.Sprint(seed+n), func(t *testing.T) {
			for _, bound := range []int{0, 1, 2, 3, 1000} {
				cut += len(b.traces) - len(within(b.traces, bound))
				b.check(t, p, bound)
			}
		})
		require.Truef(t, ok, "with one of the bounds, of\n%vreplay: LOOM_TEST_SEED=%d LOOM_TEST_PROGRAMS=1 go test -tags loom -run '^%s$' ./loom", p, seed+n, t.Name())
	}
	t.Logf("replay: LOOM_TEST_SEED=%d LOOM_TEST_PROGRAMS=%d go test -tags loom -run '^%s$' ./loom", seed, programs, t.Name())
	t.Logf("%d programs, %d more too large: %d traces", done, large, traces)
	require.True(t, cut > 0 || programs < 100, "the bound never mattered")
}

// TestBoundOfThreadsStartedInAnyOrder: threads that are started by different ones
// have other numbers in equivalent executions.
func TestBoundOfThreadsStartedInAnyOrder(t *testing.T) {
	body := func() {
		var x, y, z atomic.Int32
		each(3, func(i int) {
			x.Load()
			loom.Go(func() { y.Add(1); z.Add(1) })
			if i == 0 {
				x.Store(1)
			}
		})
	}
	all := holds(t, body)
	last := 0
	for bound := 0; ; bound++ {
		r, err := loom.Explore(body, loom.Preemptions(bound))
		require.NoError(t, err)
		require.GreaterOrEqual(t, r.Traces, last)
		if last = r.Traces; r.Exhausted {
			require.Equal(t, all.Traces, r.Traces)
			break
		}
		require.Less(t, bound, 30)
	}
}
