//go:build loom

package loom_test

import (
	"errors"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
)

// TestTooManyThreadsSaysWhere: the last one is started there.
func TestTooManyThreadsSaysWhere(t *testing.T) {
	_, err := loom.Explore(func() {
		for range 64 {
			loom.Go(func() {})
		}
	})
	require.ErrorContains(t, err, "more than 64 threads")
	require.Regexp(t, `at refused_test\.go:21$`, err.Error())
}

// TestSharesAreWrittenInOneWay: what a batch system makes of a number may be
// another share than was meant.
func TestSharesAreWrittenInOneWay(t *testing.T) {
	for _, s := range []string{"+1/2", "01/02", "1/2/", "1/2x", " 1/2", "1", "0/2", "3/2", "-1/2", "1/+2", ""} {
		t.Setenv("LOOM_SHARD", s)
		r, err := loom.Explore(func() { adds(2, 1) })
		if s == "" {
			require.NoError(t, err)
			continue
		}
		require.ErrorContains(t, err, "is neither I/N", "%q", s)
		require.Zero(t, r.Executions)
	}
}

// TestTokensAreWrittenInOneWay: a token with anything behind it is not the token.
func TestTokensAreWrittenInOneWay(t *testing.T) {
	body := func() {
		var x atomic.Int32
		n := int32(loom.Choose(2))
		loom.Go(func() { x.Store(n) })
		if x.Load() == 1 {
			loom.Failf("Zero", "1")
		}
	}
	var v *loom.Violation
	_, err := loom.Explore(body)
	require.ErrorAs(t, err, &v)
	_, err = loom.Explore(body, loom.Replay(v.Token))
	require.ErrorAs(t, err, new(*loom.Violation))
	for _, more := range []string{"a", "b", "9", ".", ".0", ".a0", ".b1", "x", " ", "0", "_"} {
		_, err = loom.Explore(body, loom.Replay(v.Token+more))
		require.Error(t, err, more)
		require.False(t, errors.As(err, new(*loom.Violation)), "%s%s", v.Token, more)
	}
}

// TestSavedSearchOfAnotherTestIsRefusedByName: through the variable, too.
func TestSavedSearchOfAnotherTestIsRefusedByName(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("LOOM_CHECKPOINT", dir)
	explore := func() error { _, err := loom.Explore(func() { adds(2, 1) }); return err }
	require.NoError(t, explore())
	list, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, list, 1)
	text, err := os.ReadFile(dir + "/" + list[0].Name())
	require.NoError(t, err)
	file := t.TempDir() + "/saved"
	t.Setenv("LOOM_CHECKPOINT", "")
	require.NoError(t, os.WriteFile(file, text, 0o600))
	t.Run("other", func(t *testing.T) {
		_, err := loom.Explore(func() { adds(2, 1) }, loom.Checkpoint(file))
		require.ErrorContains(t, err, "is a saved search of")
	})
	require.NoError(t, os.WriteFile(file, []byte(`{"Form":0}`), 0o600))
	_, err = loom.Explore(func() { adds(2, 1) }, loom.Checkpoint(file))
	require.ErrorContains(t, err, "is a saved search of form 0")
}

// TestGivenUpReportsWhatWasSeen: the executions before the one that is stuck.
func TestGivenUpReportsWhatWasSeen(t *testing.T) {
	r, err := loom.Explore(func() {
		var x atomic.Int32
		loom.Go(func() { x.Store(1) })
		if x.Load() == 1 {
			<-make(chan int)
		}
	}, loom.KeepGoing())
	require.ErrorContains(t, err, "a receive from a channel")
	require.Equal(t, 1, r.Traces)
	require.False(t, r.Exhausted)
	require.Contains(t, r.String(), "stopped by a thread that is stuck")
}

// subject is a test that notes what becomes of it.
type subject struct {
	*testing.T
	log     string
	skipped bool
	failed  bool
}

func (s *subject) Skip(...any)               { s.skipped = true }
func (s *subject) Skipped() bool             { return s.skipped }
func (s *subject) Failed() bool              { return s.failed }
func (s *subject) Log(a ...any)              { s.log += fmt.Sprintln(a...) }
func (s *subject) Errorf(f string, a ...any) { s.failed = true; s.Log(fmt.Sprintf(f, a...)) }

// TestBodyMustNotSkip: one execution of many would make the test a skipped one.
func TestBodyMustNotSkip(t *testing.T) {
	s := &subject{T: t}
	loom.Check(s, func() {
		var x atomic.Int32
		loom.Go(func() { x.Store(1) })
		if x.Load() == 1 {
			s.Skip("not now")
		}
	})
	require.True(t, s.failed)
	require.Contains(t, s.log, "a body must not skip")
}

// TestFailedBeforeIsSaid: then the failures of the executions cannot be told.
func TestFailedBeforeIsSaid(t *testing.T) {
	s := &subject{T: t, failed: true}
	loom.Check(s, func() { s.Errorf("no") })
	require.Contains(t, s.log, "the test had failed before")
}
