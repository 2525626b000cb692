// Package nested has a test that fails, in a package below another one.
package nested

import (
	"testing"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
)

func TestNested(t *testing.T) {
	t.Run("below", func(t *testing.T) {
		loom.Check(t, func() {
			var x atomic.Int32
			loom.Go(func() { x.Store(1) })
			if x.Load() == 1 {
				panic("on purpose")
			}
		})
	})
}
