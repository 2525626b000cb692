package court_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/linearizability/court"
)

// waiting puts into a channel and waits for room.
func waiting(c chan int) func(int) bool { return func(v int) bool { c <- v; return true } }

// What does not return is told first, and where it stands, without the audit's own
// goroutines and calls.
func TestWhereItStandsIsToldFirst(t *testing.T) {
	r := court.Audit(court.Queue(func() court.QueueOps {
		c := make(chan int, 4)
		return court.QueueOps{Put: waiting(c), Take: func() (int, bool) { return 0, false }, Capacity: 4}
	}), court.Options{Duration: 10 * time.Second, Threads: 2, Dir: t.TempDir()})
	_, said, has := strings.Cut(r.String(), "the goroutines stood here:\n")
	require.True(t, has, "%s", r)
	lines := strings.Split(said, "\n")
	require.Regexp(t, `^goroutine \d+ \[chan send`, lines[0], "%s", r)
	require.Contains(t, lines[1], ".waiting.", "%s", r)
	require.NotContains(t, said, "internal/crew.", "%s", r)
	require.NotContains(t, said, "testing.tRunner", "%s", r)
	require.NotContains(t, said, "linearizability/court.", "%s", r)
}
