package machine

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestClock(t *testing.T) {
	var a, b Clock
	a.tick(2)
	a.tick(2)
	b.tick(0)
	b.set(3, 7)
	require.Equal(t, Clock{0, 0, 2}, a)
	require.Zero(t, a.at(9), "missing elements are 0")
	a.join(b)
	require.Equal(t, Clock{1, 0, 2, 7}, a)
	b.join(a[:1])
	require.Equal(t, Clock{1, 0, 0, 7}, b, "join with a shorter one keeps the rest")
	c := Clock{9, 9, 9, 9, 9}
	c.copyFrom(b)
	require.Equal(t, b, c)
	c.tick(0)
	require.NotEqual(t, b, c, "a copy is no alias")
}

// TestConflictsAreSymmetric: whether steps commute does not depend on which is
// asked.
func TestConflictsAreSymmetric(t *testing.T) {
	for a := range Mode(len(conflicts)) {
		for b := range Mode(len(conflicts)) {
			e, f := Effect{3, a}, Effect{3, b}
			require.Equal(t, e.Independent(f), f.Independent(e), "%d %d", a, b)
			require.True(t, e.Independent(Effect{4, b}), "another object")
		}
		require.Equal(t, a != Write, Effect{3, a}.Independent(Effect{3, a}), "%d", a)
		if a != Entering && a != Leaving {
			require.False(t, Effect{3, a}.Independent(Effect{3, Write}), "%d", a)
		}
	}
}

func TestNames(t *testing.T) {
	require.Len(t, codeNames, int(Boundary)+1)
	require.Len(t, kindNames, int(Threads)+1)
	require.Equal(t, "CompareAndSwap", CompareAndSwap.String())
	require.Equal(t, "Return", Return.String())
	require.Equal(t, "stamps", Stamps.String())
	require.Equal(t, "machine.Code(200)", Code(200).String())
	require.Equal(t, "-", Site{}.String())
}
