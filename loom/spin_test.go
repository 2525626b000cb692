//go:build loom

package loom_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/cell"
	"github.com/filch-sched/filch/loom/sync"
)

// spinLocks make locks that wait in Yield, for two threads that know who they are.
var spinLocks = map[string]func() (lock, unlock func(me int)){
	"test and set": func() (lock, unlock func(me int)) {
		var taken atomic.Bool
		return func(int) {
			for taken.Swap(true) {
				loom.Yield()
			}
		}, func(int) { taken.Store(false) }
	},
	"test, test and set": func() (lock, unlock func(me int)) {
		var taken atomic.Int32
		return func(int) {
			for taken.Load() != 0 || !taken.CompareAndSwap(0, 1) {
				loom.Yield()
			}
		}, func(int) { taken.Store(0) }
	},
	"tickets": func() (lock, unlock func(me int)) {
		var next, serving atomic.Int32
		return func(int) {
			for mine := next.Add(1) - 1; serving.Load() != mine; {
				loom.Yield()
			}
		}, func(int) { serving.Add(1) }
	},
	"Peterson": peterson(false),
	// Craig's, Landin's and Hagersten's queue lock: each waits on the word of the
	// one before.
	"CLH": func() (lock, unlock func(me int)) {
		var tail atomic.Pointer[atomic.Bool]
		tail.Store(&atomic.Bool{})
		var own [2]*atomic.Bool
		return func(me int) {
			own[me] = &atomic.Bool{}
			own[me].Store(true)
			for before := tail.Swap(own[me]); before.Load(); {
				loom.Yield()
			}
		}, func(me int) { own[me].Store(false) }
	},
}

func peterson(wrong bool) func() (lock, unlock func(me int)) {
	return func() (lock, unlock func(me int)) {
		var wants [2]atomic.Bool
		var turn atomic.Int32
		return func(me int) {
			other := 1 - me
			if wrong {
				turn.Store(int32(other)) // before the wish is known
				wants[me].Store(true)
			} else {
				wants[me].Store(true)
				turn.Store(int32(other))
			}
			for wants[other].Load() && turn.Load() == int32(other) {
				loom.Yield()
			}
		}, func(me int) { wants[me].Store(false) }
	}
}

// contend has two threads take a lock n times each.
func contend(make func() (lock, unlock func(me int)), n int) func() {
	return func() {
		lock, unlock := make()
		var c cell.Cell[int]
		var group sync.WaitGroup
		for me := range 2 {
			group.Go(func() {
				for range n {
					lock(me)
					c.Store(c.Load() + 1)
					unlock(me)
				}
			})
		}
		group.Wait()
		if c.Load() != 2*n {
			loom.Failf("Exclusion", "counted %d", c.Load())
		}
	}
}

// TestSpinLocks: locks that spin are explored to the end, and keep others out.
func TestSpinLocks(t *testing.T) {
	for name, lock := range spinLocks {
		t.Run(name, func(t *testing.T) { holds(t, contend(lock, 2)) })
	}
}

// TestWrongSpinLock: with two stores in the wrong order, Peterson's lock lets two
// in.
func TestWrongSpinLock(t *testing.T) {
	v := violation(t, contend(peterson(true), 1))
	require.Equal(t, loom.ClaimRace, v.Claim)
}

// TestSpinLockThatIsKept is a livelock.
func TestSpinLockThatIsKept(t *testing.T) {
	for name, lock := range spinLocks {
		t.Run(name, func(t *testing.T) {
			v := violation(t, func() {
				lock, _ := lock()
				for me := range 2 {
					loom.Go(func() { lock(me) })
				}
			})
			require.Equal(t, loom.ClaimLivelock, v.Claim)
		})
	}
}
