//go:build loom

package loom_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/cell"
	"github.com/filch-sched/filch/loom/sync"
	"github.com/filch-sched/filch/loom/time"
)

func TestOnceRunsOnceBeforeAllReturn(t *testing.T) {
	holdsBoth(t, func() {
		var once sync.Once
		var runs cell.Cell[int]
		f := func() {
			once.Do(func() { runs.Store(runs.Load() + 1) })
			if runs.Load() != 1 {
				loom.Failf("Once", "ran %d times", runs.Load())
			}
		}
		all(f, f, f)
	})
}

func TestWaitGroupWaitsForAll(t *testing.T) {
	r := holds(t, func() {
		var group sync.WaitGroup
		var ended [3]cell.Cell[bool]
		for i := range ended {
			group.Go(func() { ended[i].Store(true) })
		}
		group.Wait()
		for i := range ended {
			if !ended[i].Load() {
				loom.Failf("Wait", "thread %d has not ended", i)
			}
		}
	})
	require.Equal(t, 1, r.Traces, "Done commutes with Done")
}

func TestWaitGroupNegative(t *testing.T) {
	v := violation(t, func() {
		var group sync.WaitGroup
		all(func() { group.Add(1) }, func() { group.Done() })
	})
	require.Equal(t, loom.ClaimPanic, v.Claim)
	require.Contains(t, v.Message, "negative WaitGroup counter")
}

func TestChooseTriesAll(t *testing.T) {
	saw := outcomes(t, func(saw func(string)) {
		a := loom.Choose(2)
		b := loom.Choose(a + 1)
		saw(fmt.Sprint(a, b))
	})
	require.Equal(t, []string{"0 0", "1 0", "1 1"}, saw)
}

func TestTimerMayFireAtAnyStep(t *testing.T) {
	saw := outcomes(t, func(saw func(string)) {
		var fired atomic.Bool
		timer := time.AfterFunc(time.Duration(1e18), func() { fired.Store(true) })
		a := fired.Load()
		b := fired.Load()
		saw(fmt.Sprint(a, b, timer.Stop()))
	})
	require.Equal(t, []string{"false false false", "false false true", "false true false", "true true false"}, saw)
}

func TestStoppedTimerDoesNotFire(t *testing.T) {
	holds(t, func() {
		var stopped atomic.Bool
		timer := time.AfterFunc(1, func() {
			if stopped.Load() {
				loom.Failf("Stop", "fired after Stop returned true")
			}
		})
		if timer.Stop() {
			stopped.Store(true)
		}
	})
}

func TestResetTimerFiresAgain(t *testing.T) {
	saw := outcomes(t, func(saw func(string)) {
		var fired atomic.Int32
		timer := time.AfterFunc(1, func() { fired.Add(1) })
		armed := timer.Reset(1)
		loom.Go(func() { saw(fmt.Sprint(armed, fired.Load())) })
	})
	require.Equal(t, []string{"false 0", "false 1", "false 2", "true 0", "true 1"}, saw)
}

func TestTimeStandsStill(t *testing.T) {
	holds(t, func() {
		begin := time.Now()
		if d := time.Since(begin); d != 0 {
			loom.Failf("Time", "%v have passed", d)
		}
	})
}

func TestPoolReusesPerThread(t *testing.T) {
	made := 0
	holds(t, func() {
		made = 0
		pool := sync.Pool{New: func() any { made++; return new(int) }}
		p := pool.Get()
		pool.Put(p)
		if pool.Get() != p {
			loom.Failf("Pool", "the item just put was not reused")
		}
		pool.Put(p)
		loom.Go(func() {
			if pool.Get() == p {
				loom.Failf("Pool", "an item moved between threads")
			}
		})
	})
	require.Equal(t, 2, made)
}

// TestStampsOrderOperations: an operation is seen to end before another begins
// in some executions and not in others, and of every order there is one trace.
func TestStampsOrderOperations(t *testing.T) {
	saw := map[string]bool{}
	r := holds(t, func() {
		var call, ret [2]int64
		a := loom.Go(func() { call[0] = loom.Call(); ret[0] = loom.Return() })
		b := loom.Go(func() { call[1] = loom.Call(); ret[1] = loom.Return() })
		a.Join()
		b.Join()
		saw[fmt.Sprint(ret[0] < call[1], ret[1] < call[0])] = true
	})
	require.Equal(t, map[string]bool{"true false": true, "false true": true, "false false": true}, saw)
	require.Equal(t, 3, r.Traces)
}
