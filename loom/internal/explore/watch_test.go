package explore

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestBlockedThreadIsNoticed: a thread that waits on a channel stops the whole
// exploration; the stacks say where.
func TestBlockedThreadIsNoticed(t *testing.T) {
	var stacks string
	channel := make(chan int)
	res := Search(func() { <-channel }, Options{
		Patience: 20 * time.Millisecond,
		Stuck: func(s string) {
			stacks = s
			close(channel)
		},
	})
	require.NoError(t, res.Err)
	require.True(t, res.Exhausted)
	require.Contains(t, stacks, "TestBlockedThreadIsNoticed.func1")
	require.Contains(t, stacks, "chan receive")
}
