package time_test

import (
	"testing"
	stdtime "time"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom/time"
)

// TestOutsideAnExploration: time passes and timers fire.
func TestOutsideAnExploration(t *testing.T) {
	begin := time.Now()
	fired := make(chan bool)
	timer := time.AfterFunc(time.Duration(stdtime.Millisecond), func() { fired <- true })
	<-fired
	require.GreaterOrEqual(t, time.Since(begin), time.Duration(stdtime.Millisecond))
	require.False(t, timer.Stop())
	require.False(t, timer.Reset(time.Duration(stdtime.Hour)))
	require.True(t, timer.Stop())
}
