//go:build !loom

package fuzz_test

import (
	"testing"
	"time"

	"github.com/filch-sched/filch/fuzz"
)

// TestWidely runs programs that are too large to be explored.
func TestWidely(t *testing.T) {
	stressed(t, fuzz.Wide, 400, 50, 5*time.Second)
}
