//go:build loom

package loom_test

import (
	"errors"
	"fmt"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/sync"
)

// A lock that tests and sets in two steps lets two threads in.
func ExampleExplore() {
	_, err := loom.Explore(func() {
		var locked atomic.Bool
		var inside atomic.Int32
		enter := func() {
			if locked.Load() {
				return
			}
			locked.Store(true) // too late
			if inside.Add(1) == 2 {
				loom.Failf("Exclusion", "two threads hold the lock")
			}
			inside.Add(-1)
			locked.Store(false)
		}
		var group sync.WaitGroup
		group.Go(enter)
		group.Go(enter)
		group.Wait()
	})
	var v *loom.Violation
	if errors.As(err, &v) {
		fmt.Println(v.Claim, "is violated")
	}
	// Output: Exclusion is violated
}

func ExampleChoose() {
	sum := 0
	r, err := loom.Explore(func() {
		sum += 10*loom.Choose(3) + loom.Choose(2)
	})
	fmt.Println(r.Executions, sum, err)
	// Output: 6 63 <nil>
}
