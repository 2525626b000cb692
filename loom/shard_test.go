//go:build loom

package loom_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom/internal/explore"
)

// shares searches body in n shares and returns the sums and the traces of all. No
// trace may be in two.
func shares(t *testing.T, body func(), n int, opts explore.Options) (sum explore.Result) {
	t.Helper()
	sum.Fingerprints = map[uint64]int{}
	for i := range n {
		opts.Shard = explore.Shard{I: i + 1, N: n}
		r := explore.Search(body, opts)
		require.NoError(t, r.Err)
		require.True(t, r.Exhausted)
		sum.Traces += r.Traces
		sum.Executions += r.Executions
		sum.Elsewhere += r.Elsewhere
		sum.Deadlocks += r.Deadlocks
		sum.Races += r.Races
		sum.Failures += r.Failures
		for f, k := range r.Fingerprints {
			sum.Fingerprints[f] += k
		}
	}
	return sum
}

// TestSharesAreTheWhole: the naive split has 131 of the 256 traces of readers(8).
func TestSharesAreTheWhole(t *testing.T) {
	opts := explore.Options{KeepGoing: true, Fingerprints: true, MaxSteps: 10_000}
	for name, body := range map[string]func(){
		"readers(8)":  func() { readers(8) },
		"lastzero(7)": func() { lastzero(7) },
		"adds(3,3)":   func() { adds(3, 3) },
		"lockinc(4)":  func() { lockinc(4, 2) },
		"abba":        abba,
		"distinct(4)": func() { distinct(4) },
	} {
		whole := explore.Search(body, opts)
		require.NoError(t, whole.Err)
		for _, n := range []int{1, 2, 3, 8} {
			sum := shares(t, body, n, opts)
			require.Equal(t, whole.Traces, sum.Traces, "%s in %d", name, n)
			require.Equal(t, whole.Deadlocks, sum.Deadlocks, "%s in %d", name, n)
			require.Equal(t, whole.Fingerprints, sum.Fingerprints, "%s in %d", name, n)
			t.Logf("%s in %d: %d traces, %d executions, %d elsewhere", name, n, sum.Traces, sum.Executions, sum.Elsewhere)
		}
	}
}

// TestSharesOfRandomProgramsAreTheWhole does the same with programs at random.
func TestSharesOfRandomProgramsAreTheWhole(t *testing.T) {
	seed := number(t, "LOOM_TEST_SEED", uint64(time.Now().UnixNano()))
	programs := number(t, "LOOM_TEST_PROGRAMS", 60)
	t.Logf("replay: LOOM_TEST_SEED=%d LOOM_TEST_PROGRAMS=%d go test -tags loom -run '^%s$' ./loom", seed, programs, t.Name())
	r := rand.New(rand.NewPCG(seed, 0))
	for range programs {
		p := randomProgram(r, 10)
		opts := explore.Options{KeepGoing: true, Fingerprints: true, MaxSteps: 10_000}
		whole := map[string]bool{}
		one := explore.Search(p.body(func(s string) { whole[s] = true }), opts)
		require.NoError(t, one.Err)
		parts := map[string]bool{}
		n := 1 + r.IntN(4)
		if one.Ordered { // found out too late for shares, and one of them has to say so
			require.True(t, refused(p.body(func(string) {}), n, opts), "in %d shares of\n%v", n, p)
			continue
		}
		sum := shares(t, p.body(func(s string) { parts[s] = true }), n, opts)
		require.Equal(t, one.Traces, sum.Traces, "traces, in %d, of\n%v", n, p)
		require.Equal(t, one.Deadlocks, sum.Deadlocks, "deadlocks, in %d, of\n%v", n, p)
		require.Equal(t, slices.Sorted(maps.Keys(whole)), slices.Sorted(maps.Keys(parts)), "final states, in %d, of\n%v", n, p)
		require.Equal(t, one.Fingerprints, sum.Fingerprints, "traces, in %d, of\n%v", n, p)
	}
}

// TestAStepBehindAGateIsNotItsOwnReason: a read unlock that had to wait for an
// attempt to lock commutes with the read lock after that. As if it were done twice
// it would not.
func TestAStepBehindAGateIsNotItsOwnReason(t *testing.T) {
	op := func(name string) operation { return operation{name, 0, 1} }
	p := program{threads: [][]operation{{op("rlock")}, {op("reset timer")}, {op("rlock")}, {op("trywlock"), op("rlock")}}}
	opts := explore.Options{KeepGoing: true, Fingerprints: true, MaxSteps: 10_000}
	one := explore.Search(p.body(func(string) {}), opts)
	require.NoError(t, one.Err)
	require.Equal(t, one.Fingerprints, shares(t, p.body(func(string) {}), 4, opts).Fingerprints)
}

// refused reports whether one of n shares of body is refused.
func refused(body func(), n int, opts explore.Options) bool {
	for i := range n {
		opts.Shard = explore.Shard{I: i + 1, N: n}
		if r := explore.Search(body, opts); r.Err != nil {
			return true
		}
	}
	return false
}
