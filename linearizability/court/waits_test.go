package court_test

import (
	"runtime"
	"strings"
	"sync/atomic"
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

// An operation that waits has lost nothing: the claim is that it returns, and the hint
// says what an operation is.
func TestWhatWaitsBreaksProgress(t *testing.T) {
	for name, s := range map[string]court.Subject{
		"put": court.Queue(func() court.QueueOps {
			c := make(chan int, 4)
			return court.QueueOps{Put: waiting(c), Take: polling(c), Capacity: 4}
		}),
		"take": court.Queue(func() court.QueueOps {
			q := &locked{}
			return court.QueueOps{Put: q.put, Take: func() (int, bool) {
				for {
					if v, found := q.take(); found {
						return v, true
					}
					time.Sleep(time.Millisecond)
				}
			}}
		}),
		"steal": court.Deque(func() court.DequeOps {
			q := &locked{}
			return court.DequeOps{Push: q.put, Pop: q.pop, Steal: func() (int, bool) { select {} }}
		}),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := court.Audit(s, court.Options{Duration: 10 * time.Second, Threads: 3, Dir: t.TempDir()})
			require.Equal(t, "Progress", r.Claim, "%s", r)
			require.Regexp(t, `never\] t\d: `+name+`.* does not return, and nothing moved for 5s: the \w+ `, r.Message)
			require.Contains(t, r.String(), "hint: an operation that waits, for room or for a value, is none of")
			require.Contains(t, r.String(), "(which calls an operation that does not return NoLostTask)")
		})
	}
}

// polling takes from a channel and does not wait.
func polling(c chan int) func() (int, bool) {
	return func() (int, bool) {
		select {
		case v := <-c:
			return v, true
		default:
			return 0, false
		}
	}
}

// What an adapter may have said wrongly is named with what is violated.
func TestASettingThatMayBeWrongIsNamed(t *testing.T) {
	for hint, s := range map[string]court.Subject{
		"QueueOps.MayRefuse": court.Queue(func() court.QueueOps {
			q := &locked{capacity: 2}
			return court.QueueOps{Put: q.put, Take: q.take, Capacity: 3}
		}),
		"how many values there is room for is what QueueOps.Capacity says": court.Queue(func() court.QueueOps {
			q := &locked{capacity: 3}
			return court.QueueOps{Put: q.put, Take: q.take, Capacity: 2}
		}),
		"QueueOps.Capacity is 0, which is no bound": court.Queue(func() court.QueueOps {
			q := &locked{capacity: 3}
			return court.QueueOps{Put: q.put, Take: q.take}
		}),
		"QueueOps.MayMiss": court.Queue(func() court.QueueOps {
			q, n := &locked{}, new(atomic.Int64)
			return court.QueueOps{Put: q.put, Take: func() (int, bool) {
				if n.Add(1)%3 == 0 {
					return 0, false
				}
				return q.take()
			}}
		}),
		"DequeOps.MayMiss": court.Deque(func() court.DequeOps {
			q, n := &locked{}, new(atomic.Int64)
			return court.DequeOps{Push: q.put, Pop: q.pop, Steal: func() (int, bool) {
				if n.Add(1)%3 == 0 {
					return 0, false
				}
				return q.take()
			}}
		}),
	} {
		r := court.Audit(s, court.Options{Duration: 10 * time.Second, Dir: t.TempDir()})
		require.Equal(t, court.Violation, r.Verdict, "%s", r)
		require.Contains(t, r.Hint, hint, "%s", r)
		require.Contains(t, r.String(), "\nhint: "+r.Hint+"\n")
	}
}

// Answers that are allowed for any reason are counted, as not judged; and where there
// is no other answer, that is why nothing is known.
func TestAnswersThatAreNotJudgedAreCounted(t *testing.T) {
	full := func(int) bool { return false }
	nothing := func() (int, bool) { return 0, false }
	q := &locked{capacity: 4}
	for name, c := range map[string]struct {
		ops     court.QueueOps
		message string
		counted []string
	}{
		"keeps nothing": {court.QueueOps{Put: full, Take: nothing, Capacity: 4, MayRefuse: true, MayMiss: true},
			"no value was ever kept: each Put has reported false", []string{"inject.push = no room, not judged", "inject.pop = empty, not judged"}},
		"gives nothing": {court.QueueOps{Put: q.put, Take: nothing, Capacity: 4, MayRefuse: true, MayMiss: true},
			"no value was ever given: each Take has found nothing", []string{"inject.push = no room, not judged", "inject.pop = empty, not judged"}},
	} {
		r := court.Audit(court.Queue(func() court.QueueOps { return c.ops }), court.Options{Duration: 200 * time.Millisecond, Dir: t.TempDir()})
		require.Equal(t, court.Inconclusive, r.Verdict, "%s: %s", name, r)
		if runtime.GOMAXPROCS(0) > 1 {
			require.Contains(t, r.Message, c.message, name)
		}
		for _, answer := range c.counted {
			require.Positive(t, r.Outcomes[answer], "%s: %s", name, r)
		}
		require.Contains(t, r.String(), " take = empty, not judged\n")
	}
	r := court.Audit(court.Queue(func() court.QueueOps {
		c := make(chan int, 1)
		return court.QueueOps{Put: waiting(c), Take: polling(c), Capacity: 1}
	}), court.Options{Duration: 10 * time.Second, Dir: t.TempDir()})
	require.Positive(t, r.Outcomes["inject.push, which did not return"], "%s", r)
	require.NotContains(t, r.String(), "unset")
}
