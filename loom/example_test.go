package loom_test

import (
	"errors"
	"fmt"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/sync"
)

// A spinning lock that tests and sets in two steps lets two threads in. The
// ordinary build only runs this a few times, and is unlikely to see it.
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
	switch {
	case errors.As(err, &v):
		fmt.Println(v.Claim, "is violated")
	case !loom.Enabled:
		fmt.Println("Exclusion is violated") // but nobody has noticed
	}
	// Output: Exclusion is violated
}

func ExampleChoose() {
	sum := 0
	r, err := loom.Explore(func() {
		sum += 10*loom.Choose(3) + loom.Choose(2)
	})
	if loom.Enabled {
		fmt.Println(r.Executions, sum, err)
	} else {
		fmt.Println(6, 63, err) // drawn at random, not explored
	}
	// Output: 6 63 <nil>
}
