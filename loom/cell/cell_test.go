package cell_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom/cell"
)

func TestCell(t *testing.T) {
	var c cell.Cell[[2]string]
	require.Zero(t, c.Load())
	c.Store([2]string{"a", "b"})
	require.Equal(t, [2]string{"a", "b"}, c.Load())
}
