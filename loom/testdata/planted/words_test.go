package planted

import (
	"testing"

	"github.com/filch-sched/filch/loom"
)

func TestNamedLate(t *testing.T) {
	loom.Check(t, func() {
		q := &queue{}
		q.head.Store(0) // before it has a name
		q.slots[1].Store("first")
		loom.Name(q, "queue")
		if q.head.Load() == 0 && q.slots[1].Load() == "first" {
			loom.Failf("Planted", "on purpose")
		}
	})
}
