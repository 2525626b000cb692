//go:build loom

package loom_test

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
)

// TestOverlappingWordsAreRefused: whichever of the two is used first.
func TestOverlappingWordsAreRefused(t *testing.T) {
	for name, body := range map[string]func(x *uint64, half *uint32){
		"the half first":  func(x *uint64, half *uint32) { atomic.LoadUint32(half); atomic.StoreUint64(x, 1<<32|1) },
		"the whole first": func(x *uint64, half *uint32) { atomic.AddUint64(x, 1); atomic.CompareAndSwapUint32(half, 0, 1) },
	} {
		t.Run(name, func(t *testing.T) {
			_, err := loom.Explore(func() {
				x := new([2]uint64)
				loom.Go(func() { body(&x[0], (*uint32)(unsafe.Add(unsafe.Pointer(x), 4))) })
				atomic.AddUint64(&x[1], 1)
			})
			require.ErrorContains(t, err, "words that overlap")
			require.Regexp(t, `at overlap_test\.go:\d+, and \d bytes .* at overlap_test\.go:\d+;`, err.Error())
		})
	}
}

// TestWordsSideBySideDoNotOverlap: nor do two sizes at one address, which are one
// word.
func TestWordsSideBySideDoNotOverlap(t *testing.T) {
	holds(t, func() {
		var x struct {
			a, b uint32
			c    uint64
			d    [2]uint32
		}
		loom.Go(func() { atomic.AddUint32(&x.b, 1); atomic.AddUint32(&x.d[0], 1) })
		atomic.AddUint32(&x.a, 1)
		atomic.AddUint64(&x.c, 1)
		atomic.AddUint32(&x.d[1], 1)
	})
	r := holds(t, func() {
		x := new(uint64)
		loom.Go(func() { atomic.StoreUint64(x, 1) })
		atomic.LoadUint32((*uint32)(unsafe.Pointer(x)))
	})
	require.Equal(t, 2, r.Traces)
}
