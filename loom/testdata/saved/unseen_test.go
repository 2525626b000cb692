package saved

import (
	"sync"
	"testing"

	"github.com/filch-sched/filch/loom"
)

// TestUnseen shares a word by the Mutex of package sync, which loom does not see.
func TestUnseen(t *testing.T) {
	loom.Check(t, func() {
		var mu sync.Mutex
		n := 0
		for range 2 {
			loom.Go(func() { mu.Lock(); n++; mu.Unlock() })
		}
	})
}

// TestAlone has no second thread, and nothing that it could share.
func TestAlone(t *testing.T) { loom.Check(t, func() {}) }
