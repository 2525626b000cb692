// Package saved has a test that passes, of a program that the tests of package
// loom change while a search of it is saved.
package saved

import (
	"testing"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
)

func add(i int, x *atomic.Int32) { x.Add(1) }

func TestSum(t *testing.T) {
	loom.Check(t, func() {
		var x atomic.Int32
		var threads []*loom.Thread
		for i := range 4 {
			threads = append(threads, loom.Go(func() { add(i, &x); x.Load() }))
		}
		for _, t := range threads {
			t.Join()
		}
		if n := x.Load(); n != 4 {
			loom.Failf("NoLostUpdate", "4 threads added 1 and the sum is %d", n)
		}
	})
}
