package saved

import (
	"testing"
	"time"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
)

// four threads have 576 traces.
func four() {
	var x atomic.Int32
	for range 4 {
		loom.Go(func() { x.Add(1); x.Add(1) })
	}
}

func TestAll(t *testing.T) { loom.Check(t, four) }

func TestBound(t *testing.T) { loom.Check(t, four, loom.Preemptions(1)) }

func TestSampler(t *testing.T) {
	loom.Check(t, four, loom.Algorithm("urw"), loom.Runs(10))
	loom.Check(t, four, loom.Algorithm("urw"), loom.Runs(10)) // is not told again
}

func TestDeadline(t *testing.T) { loom.Check(t, four, loom.Deadline(time.Nanosecond)) }
