package sched_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom/gid"
	"github.com/filch-sched/filch/sched"
)

// ContextBound
func TestContextBoundToItsTaskAndGoroutine(t *testing.T) {
	require.True(t, gid.Known, "this architecture cannot tell goroutines apart")
	s := start(t, sched.Workers(1))
	var kept sched.Ctx
	h, err := sched.Spawn(s, func(c sched.Ctx) (any, error) {
		kept = c
		refusal := make(chan any)
		go func() {
			defer func() { refusal <- recover() }()
			c.Go(func(sched.Ctx) {})
		}()
		return <-refusal, nil
	})
	require.NoError(t, err)
	refusal, err := h.Wait()
	require.NoError(t, err)
	require.Equal(t, "sched: Ctx used by another goroutine than its task's", refusal)

	// The next task runs in the same goroutine: the run is over all the same.
	h, err = sched.Spawn(s, func(sched.Ctx) (any, error) { return nil, kept.Go(func(sched.Ctx) {}) })
	require.NoError(t, err)
	_, err = h.Wait()
	require.ErrorContains(t, err, "sched: Ctx used after its task has ended")

	require.Panics(t, func() { kept.Worker() })
	require.Panics(t, func() { sched.Ctx{}.Go(func(sched.Ctx) {}) })
	require.NoError(t, s.Close())
	require.EqualValues(t, 2, balanced(t, s).Spawned)
}

// VictimsCovered
func TestVictimsCovered(t *testing.T) {
	for _, n := range []int{2, 3, 4, 5, 8, 16, 64, 65} {
		first := make([]int, n)
		const rounds = 4000
		for seed := range uint64(rounds) {
			self := int(seed) % n
			seen := make([]bool, n)
			seen[self] = true
			order := sched.Tour(seed, self, n)
			for _, v := range order {
				require.False(t, seen[v], "n=%d seed=%d: worker %d twice in %v", n, seed, v, order)
				seen[v] = true
			}
			require.NotContains(t, seen, false, "n=%d seed=%d: %v", n, seed, order)
			first[order[0]]++
		}
		// Each is first in a share of 1/n: well within six standard deviations.
		p := 1 / float64(n)
		slack := 6 * math.Sqrt(rounds*p*(1-p))
		for v, k := range first {
			require.InDelta(t, rounds*p, k, slack, "n=%d: worker %d is first too often or too seldom", n, v)
		}
	}
}

func TestIntervalFollowsTheLengthOfTasks(t *testing.T) {
	slow := make([]float64, 40)
	fast := make([]float64, 40)
	for i := range slow {
		slow[i], fast[i] = 100e3, 100
	}
	chosen := sched.Interval(slow)
	require.Equal(t, 2, chosen[len(chosen)-1])
	chosen = sched.Interval(fast)
	require.Equal(t, 127, chosen[len(chosen)-1])
	for _, v := range append(sched.Interval(slow), sched.Interval(fast)...) {
		require.GreaterOrEqual(t, v, 2)
		require.LessOrEqual(t, v, 127)
	}
}

func TestBadOptionsAreErrorsThatNameThem(t *testing.T) {
	for want, opt := range map[string]sched.Option{
		"sched: Workers(0)":         sched.Workers(0),
		"sched: Workers(-1)":        sched.Workers(-1),
		"sched: RingCapacity(0)":    sched.RingCapacity(0),
		"sched: RingCapacity(-1)":   sched.RingCapacity(-1),
		"sched: RingCapacity(1)":    sched.RingCapacity(1),
		"sched: RingCapacity(6)":    sched.RingCapacity(6),
		"sched: GlobalInterval(0)":  sched.GlobalInterval(0),
		"sched: GlobalInterval(-1)": sched.GlobalInterval(-1),
		"sched: OnPanic(nil)":       sched.OnPanic(nil),
		"sched: option 0":           nil,
	} {
		_, err := sched.New(opt)
		require.ErrorContains(t, err, want)
	}
	for _, opt := range []sched.Option{sched.Workers(math.MaxInt), sched.RingCapacity(math.MaxInt), sched.GlobalInterval(math.MaxInt)} {
		_, err := sched.New(opt)
		require.Error(t, err)
	}
	s := start(t, sched.Workers(1), sched.RingCapacity(2), sched.GlobalInterval(1), sched.Seed(0), sched.NoLIFOSlot())
	require.Equal(t, 1, s.Workers())
	require.NoError(t, s.Close())
}

// InjectBounded: a busy worker looks at inject within its interval, whatever it
// has queued.
func TestInjectBounded(t *testing.T) {
	s := start(t, sched.Workers(1), sched.GlobalInterval(127))
	ended := make(chan struct{})
	between, most, left := 0, 0, 50
	var local, outside func(sched.Ctx)
	local = func(c sched.Ctx) { // never lets the worker run dry
		between++
		if left == 0 {
			close(ended)
		} else if err := c.Go(local); err != nil {
			t.Error(err)
		}
	}
	outside = func(c sched.Ctx) {
		most = max(most, between)
		between = 0
		if left--; left > 0 {
			if err := s.Go(outside); err != nil {
				t.Error(err)
			}
		}
	}
	require.NoError(t, s.Go(func(c sched.Ctx) {
		local(c)
		if err := s.Go(outside); err != nil {
			t.Error(err)
		}
		between = 0
	}))
	<-ended
	require.NoError(t, s.Close())
	require.LessOrEqual(t, most, 127, "InjectBounded")
	require.Greater(t, most, 1, "nothing competed with inject")
}

// LIFOBounded: a chain that keeps filling the LIFO slot cannot starve the ring.
func TestLIFOBounded(t *testing.T) {
	s := start(t, sched.Workers(1), sched.RingCapacity(64)) // all of them fit
	ended := make(chan struct{})
	run, most, others := 0, 0, 0
	left := 100
	var chain func(sched.Ctx)
	chain = func(c sched.Ctx) {
		run++
		if left--; left == 0 {
			close(ended)
		} else if err := c.Go(chain); err != nil {
			t.Error(err)
		}
	}
	require.NoError(t, s.Go(func(c sched.Ctx) {
		for range 20 {
			if err := c.Go(func(sched.Ctx) { others++; most = max(most, run) }); err != nil {
				t.Error(err)
			}
		}
		if err := c.Go(chain); err != nil { // displaces the last of the twenty
			t.Error(err)
		}
	}))
	<-ended
	require.NoError(t, s.Close())
	require.Equal(t, 20, others)
	require.Equal(t, 3, most, "LIFOBounded: chain tasks run before the ring was looked at")
}
