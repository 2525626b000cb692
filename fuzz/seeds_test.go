package fuzz_test

import (
	"testing"

	"github.com/filch-sched/filch/fuzz"
	"github.com/stretchr/testify/require"
)

// closedOnce is a right pool that may be closed once, and refuses tasks from then on.
func closedOnce(f *testing.F) {
	fuzz.Pool(f, func() fuzz.PoolOps {
		p, again := newSmallPool(false), every(2)
		return fuzz.PoolOps{Submit: p.submit, Late: true, Close: func() {
			if again() {
				panic("close of closed pool")
			}
			p.close()
		}}
	})
}

func TestAPoolIsClosedOnce(t *testing.T) {
	out, err := test(t, t.TempDir(), "closed once", "-test.v", "-test.run=^FuzzTheirs$")
	require.NoError(t, err, "%s", out)
	require.Contains(t, out, "--- PASS: FuzzTheirs/seed#63")
}
