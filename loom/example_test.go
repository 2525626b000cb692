package loom_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/cell"
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
		fmt.Println(v.Claim, "is violated") // always, with the tag loom
	}
}

// What one thread writes before it says so another may read after it has heard.
// The other way round is a data race, which is found without being asked for.
func ExampleCheck() {
	TestPublish := func(t *testing.T) {
		loom.Check(t, func() {
			var data cell.Cell[string]
			var ready atomic.Bool
			loom.Go(func() {
				data.Store("written")
				ready.Store(true)
			})
			if ready.Load() && data.Load() != "written" {
				loom.Failf("Published", "ready, and not written")
			}
		})
	}
	_ = TestPublish // in a file whose name ends in _test.go
}

// All inputs are tried, too.
func ExampleChoose() {
	sum := 0
	r, err := loom.Explore(func() {
		sum += 10*loom.Choose(3) + loom.Choose(2)
	})
	if loom.Enabled {
		fmt.Println(r.Executions, sum, err) // 6 63 <nil>
	}
}

// A loop that waits says so.
func ExampleYield() {
	r, err := loom.Explore(func() {
		var ready atomic.Bool
		loom.Go(func() { ready.Store(true) })
		for !ready.Load() {
			loom.Yield()
		}
	})
	if loom.Enabled {
		fmt.Println(r.Exhausted, err) // true <nil>
	}
}

// A search that would take too long is bounded, and the report says that it was.
func ExampleDeadline() {
	r, err := loom.Explore(func() {
		var n atomic.Int32
		for range 5 {
			loom.Go(func() {
				for range 5 {
					n.Add(1)
				}
			})
		}
	}, loom.Deadline(50*time.Millisecond))
	fmt.Println(r.Exhausted, err)
	// Output: false <nil>
}
