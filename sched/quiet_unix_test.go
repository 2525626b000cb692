//go:build unix

package sched_test

import (
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/sched"
)

// cpu is the processor time that this process has used.
func cpu(t testing.TB) time.Duration {
	var u syscall.Rusage
	require.NoError(t, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// QuietWhenIdle, and NoIdleSpin: with nothing to do every worker parks and stays so.
func TestQuietWhenIdle(t *testing.T) {
	s := start(t, sched.Workers(4))
	for range 1000 {
		require.NoError(t, s.Go(func(sched.Ctx) {}))
	}
	require.Eventually(t, func() bool { return s.Stats().Sleeping == 4 }, 5*time.Second, time.Millisecond)
	require.EqualValues(t, 1000, balanced(t, s).Ran)
	before, parks := cpu(t), s.Stats().Parks
	time.Sleep(2 * time.Second) // the measurement itself
	used := cpu(t) - before
	require.Less(t, used, 20*time.Millisecond, "QuietWhenIdle: %v of processor time in 2 s", used)
	require.Equal(t, parks, s.Stats().Parks, "a worker woke without cause")
	t.Logf("%v of processor time in 2 s", used)
	require.NoError(t, s.Close())
}
