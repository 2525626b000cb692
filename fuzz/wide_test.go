//go:build !loom

package fuzz_test

import (
	"testing"
	"time"

	"github.com/filch-sched/filch/fuzz"
)

// TestWidely runs programs that are too large to be explored.
func TestWidely(t *testing.T) {
	concurrently(t, fuzz.Wide, 400, 50, 50*time.Millisecond, 5*time.Second)
}
