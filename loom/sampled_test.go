//go:build loom

package loom_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
)

// rare has a bug in one of its many traces.
func rare() {
	var x atomic.Int32
	add := func() {
		for range 6 {
			x.Add(1)
		}
	}
	a, b := loom.Go(add), loom.Go(add)
	if x.Load() == 9 {
		loom.Failf("Rare", "nine")
	}
	a.Join()
	b.Join()
}

// TestSampledFailureIsReportedAlike: what a sampler finds is minimised and
// replayed like what a search finds.
func TestSampledFailureIsReportedAlike(t *testing.T) {
	for _, algorithm := range []string{"random", "pct", "urw"} {
		r, err := loom.Explore(rare, loom.Algorithm(algorithm), loom.Seed(1), loom.Runs(5000))
		var v *loom.Violation
		require.True(t, errors.As(err, &v), "%s: %v", algorithm, r)
		require.Equal(t, "Rare", v.Claim)
		require.Equal(t, "b3c6a", v.Token[strings.Index(v.Token, ".")+1:])
		require.Equal(t, "the first violation", r.Stopped)
		_, err = loom.Explore(rare, loom.Replay(v.Token))
		var again *loom.Violation
		require.True(t, errors.As(err, &again))
		require.Equal(t, v.Schedule, again.Schedule)
	}
}

// TestSampledReport: a sampled run says what it has drawn, and is never
// exhaustive.
func TestSampledReport(t *testing.T) {
	body := func() { adds(3, 2) }
	r, err := loom.Explore(body, loom.Algorithm("urw"), loom.Seed(7), loom.Runs(2000))
	require.NoError(t, err)
	require.False(t, r.Exhausted)
	require.Equal(t, 36, r.Traces, "all there are, of 2000 runs")
	require.Zero(t, r.New)
	require.Equal(t, 2000, r.Executions)
	require.Contains(t, r.String(), "sampled by urw: 2000 runs, seed 7: 36 different traces, 0 of them new in the last tenth")
	again, err := loom.Explore(body, loom.Algorithm("urw"), loom.Seed(7), loom.Runs(2000))
	require.NoError(t, err)
	again.Elapsed = r.Elapsed
	require.Equal(t, r, again)

	r, err = loom.Explore(body, loom.Algorithm("random"))
	require.NoError(t, err)
	require.Equal(t, loom.DefaultRuns, r.Executions)
	other, err := loom.Explore(body, loom.Algorithm("random"), loom.Runs(1))
	require.NoError(t, err)
	require.NotEqual(t, r.Seed, other.Seed, "a seed is drawn")

	r, err = loom.Explore(body, loom.Algorithm("random"), loom.Deadline(20*time.Millisecond))
	require.NoError(t, err)
	require.Greater(t, r.Executions, 1)
	require.Empty(t, r.Stopped, "the deadline is all that was asked for")
}

// TestSampledFromOutside: the environment sets what the options do not.
func TestSampledFromOutside(t *testing.T) {
	t.Setenv("LOOM_ALGO", "pct")
	t.Setenv("LOOM_SEED", "11")
	t.Setenv("LOOM_RUNS", "123")
	t.Setenv("LOOM_DEPTH", "2")
	body := func() { adds(3, 2) }
	r, err := loom.Explore(body)
	require.NoError(t, err)
	require.Contains(t, r.String(), "sampled by pct: 123 runs, seed 11: ")
	r, err = loom.Explore(body, loom.Seed(12), loom.Runs(45), loom.Depth(1))
	require.NoError(t, err)
	require.Contains(t, r.String(), "sampled by pct: 45 runs, seed 12: ")
	for _, bad := range []string{"LOOM_RUNS=0", "LOOM_SEED=-1", "LOOM_DEPTH=deep"} {
		name, value, _ := strings.Cut(bad, "=")
		t.Run(bad, func(t *testing.T) {
			t.Setenv(name, value)
			_, err := loom.Explore(body)
			require.ErrorContains(t, err, "loom: "+name+"=")
		})
	}
	t.Setenv("LOOM_ALGO", "luck")
	_, err = loom.Explore(body)
	require.ErrorContains(t, err, `"luck" is not an algorithm: there are ["optimal" "sleep" "random" "pct" "urw"]`)
}

func TestSamplerOptionsRefuseNonsense(t *testing.T) {
	require.PanicsWithValue(t, "loom: Runs(0) is not positive", func() { loom.Runs(0) })
	require.PanicsWithValue(t, "loom: Depth(-1) is not positive", func() { loom.Depth(-1) })
}

// TestBoundedRunSaysWhatItHasNotSeen: a run that its deadline ends has an
// estimate of the whole.
func TestBoundedRunSaysWhatItHasNotSeen(t *testing.T) {
	r, err := loom.Explore(func() { adds(5, 3) }, loom.Deadline(300*time.Millisecond)) // 1,728,000 traces
	require.NoError(t, err)
	require.False(t, r.Exhausted)
	require.Equal(t, "the deadline of 300ms", r.Stopped)
	require.InEpsilon(t, 1_728_000, r.Estimate.Traces, 0.5)
	require.LessOrEqual(t, r.Estimate.Low, r.Estimate.Traces)
	require.GreaterOrEqual(t, r.Estimate.High, r.Estimate.Traces)
	require.Regexp(t, `^not exhausted, stopped by the deadline of 300ms: .*; a rough guess: about 1\.\d million traces \(.* to .*\) in all, .* % seen$`, r.String())

	done, err := loom.Explore(func() { adds(3, 3) })
	require.NoError(t, err)
	require.Zero(t, done.Estimate, "nothing to estimate")
}

// TestProgressIsQuietUnlessAsked: and then it says how far it is.
func TestProgressIsQuietUnlessAsked(t *testing.T) {
	file := filepath.Join(t.TempDir(), "progress")
	t.Setenv("LOOM_PROGRESS", file)
	_, err := loom.Explore(func() { adds(3, 3) })
	require.NoError(t, err)
	require.NoFileExists(t, file, "a search that takes no time")
	_, err = loom.Explore(func() { adds(5, 3) }, loom.Deadline(1500*time.Millisecond))
	require.NoError(t, err)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Regexp(t, `^loom: loom_test\.TestProgressIsQuietUnlessAsked: \d+s, .* executions, .* traces, .*/s; about \S+ \w+ traces \(.*\), .* % seen, .* to go\n`, string(text))
}
