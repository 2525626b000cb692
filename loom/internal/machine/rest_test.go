package machine

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestToBeginAnewIsProgress: an execution whose steps are counted anew before they are
// as many as count as progress is not one that stands still.
func TestToBeginAnewIsProgress(t *testing.T) {
	m := New(nil)
	defer m.Close()
	m.Steps = beats - 1
	before := running.beat.Load()
	require.Equal(t, beats-1, m.Anew())
	require.NotEqual(t, before, running.beat.Load())
	require.Zero(t, m.Steps)
}
