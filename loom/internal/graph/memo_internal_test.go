package graph

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestStepIsCountedOnce: that two workers have taken a step does not make the memo look
// less useful.
func TestStepIsCountedOnce(t *testing.T) {
	m := &memo{}
	step, other := link{image: 1, local: 2}, link{image: 2, local: 1}
	m.learned(step, make([]move, 3))
	m.learned(step, make([]move, 3))
	require.EqualValues(t, 3, m.taken.Load())
	m.learned(other, make([]move, 1))
	require.EqualValues(t, 4, m.taken.Load())
	moves, known := m.moves.get(1, 2)
	require.True(t, known)
	require.Len(t, moves, 3)
}
