//go:build !loom

package loom_test

import (
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
)

func TestStressRunsTheBody(t *testing.T) {
	var rounds, threads atomic.Int32
	r := loom.Check(t, func() {
		rounds.Add(1)
		loom.Go(func() { threads.Add(1) }) // not joined: the round waits for it
	}, loom.Stress(50))
	require.EqualValues(t, 50, rounds.Load())
	require.EqualValues(t, 50, threads.Load())
	require.Equal(t, 50, r.Executions)
	require.False(t, r.Exhausted)
	require.Zero(t, r.Traces)
}

// recorder is a test that notes what Check tells it.
type recorder struct {
	testing.TB
	logs, errors []string
}

func (r *recorder) Log(args ...any) { r.logs = append(r.logs, args[0].(string)) }
func (r *recorder) Errorf(_ string, args ...any) {
	r.errors = append(r.errors, args[0].(error).Error())
}

func TestStressSaysSo(t *testing.T) {
	r := &recorder{TB: t}
	loom.Check(r, func() {}, loom.Stress(3))
	require.Equal(t, []string{"loom: built without the tag loom: 3 rounds on real goroutines, nothing explored"}, r.logs)
	require.Empty(t, r.errors)
}

func TestStressFails(t *testing.T) {
	bodies := map[string]func(){
		"in the body": func() { loom.Failf("Planted", "number %d", 7) },
		"in a thread": func() { loom.Go(func() { loom.Failf("Planted", "number %d", 7) }).Join() },
		"not joined":  func() { loom.Go(func() { loom.Failf("Planted", "number %d", 7) }) },
		"in a WaitGroup": func() {
			var group sync.WaitGroup
			group.Go(func() { loom.Failf("Planted", "number %d", 7) })
			group.Wait()
		},
		"with another thread waiting for ever": func() {
			loom.Go(func() { loom.Failf("Planted", "number %d", 7) })
			<-make(chan int)
		},
	}
	for name, body := range bodies {
		t.Run(name, func(t *testing.T) {
			r := &recorder{TB: t}
			loom.Check(r, body)
			require.Len(t, r.errors, 1)
			require.Contains(t, r.errors[0], "loom: Planted violated: number 7")
		})
	}
}

func TestStressPanics(t *testing.T) {
	_, err := loom.Explore(func() { loom.Go(func() { panic("oh") }).Join() })
	var v *loom.Violation
	require.True(t, errors.As(err, &v))
	require.Equal(t, loom.ClaimPanic, v.Claim)
	require.Contains(t, v.Message, "oh")
	require.Contains(t, v.Message, "stress_test.go", "with the stack")
}

func TestStressStopsAtTheDeadline(t *testing.T) {
	r, err := loom.Explore(runtime.Gosched, loom.Stress(1<<30), loom.Deadline(10*time.Millisecond))
	require.NoError(t, err)
	require.Positive(t, r.Executions)
}

func TestStressIsNoReplay(t *testing.T) {
	_, err := loom.Explore(func() {}, loom.Replay("x.a"))
	require.ErrorContains(t, err, "needs the build tag loom")
}
