package court_test

import (
	"bytes"
	"math"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/linearizability/court"
)

// A capacity means what it says, whatever its size: one that is never reached is as
// good as none, and full is a lie then.
func TestCapacitiesOfAnySize(t *testing.T) {
	for _, capacity := range []int{1, math.MaxInt32 - 1, math.MaxInt32, math.MaxInt - 1, math.MaxInt, math.MaxInt/2 + 1} {
		for name, s := range map[string]court.Subject{"queue": lockedQueue(capacity), "deque": boundedDeque(capacity, capacity)} {
			r := court.Audit(s, court.Options{Duration: 200 * time.Millisecond, Dir: t.TempDir()})
			require.NotEqual(t, court.Violation, r.Verdict, "%s of %d: %s", name, capacity, r)
			require.Zero(t, r.Unjudged, "%s of %d: %s", name, capacity, r)
		}
	}
	for name, s := range map[string]court.Subject{
		"queue": court.Queue(func() court.QueueOps {
			q := &locked{capacity: 3}
			return court.QueueOps{Put: q.put, Take: q.take, Capacity: math.MaxInt}
		}),
		"deque": boundedDeque(3, math.MaxInt),
	} {
		r := court.Audit(s, court.Options{Duration: 10 * time.Second, Dir: t.TempDir()})
		require.Equal(t, "BusyIsHonest", r.Claim, "%s: %s", name, r)
		requireJudgedAgain(t, r)
	}
}

// boundedDeque has room for so many values and says that it has for others.
func boundedDeque(capacity, says int) court.Subject {
	return court.Deque(func() court.DequeOps {
		q := &locked{capacity: capacity}
		return court.DequeOps{Push: q.put, Pop: q.pop, Steal: q.take, Capacity: says}
	})
}

// What has no capacity is never full: that it says so is a violation, in words.
func TestFullWithoutACapacityIsAViolation(t *testing.T) {
	for says, s := range map[string]court.Subject{
		"Put reports false, and the adapter says that the queue has no capacity": court.Queue(func() court.QueueOps {
			q := &locked{capacity: 2}
			return court.QueueOps{Put: q.put, Take: q.take}
		}),
		"Push reports false, and the adapter says that the deque has no capacity": boundedDeque(2, 0),
	} {
		r := court.Audit(s, court.Options{Duration: 10 * time.Second, Dir: t.TempDir()})
		require.Equal(t, "BusyIsHonest", r.Claim, "%s", r)
		require.Contains(t, r.String(), says)
	}
}

func TestMisuseIsRefusedByName(t *testing.T) {
	q := new(locked)
	audit := func(s court.Subject) func() { return func() { court.Audit(s, court.Options{Duration: time.Second}) } }
	good := func() court.QueueOps { return court.QueueOps{Put: q.put, Take: q.take} }
	second := func() court.Subject { // is right once
		made := 0
		return court.Queue(func() court.QueueOps {
			if made++; made == 1 {
				return good()
			}
			return court.QueueOps{Put: q.put}
		})
	}
	for want, f := range map[string]func(){
		"court: Queue(nil): want a function that makes a queue":           func() { court.Queue(nil) },
		"court: Deque(nil): want a function that makes a deque":           func() { court.Deque(nil) },
		"court: Pool(nil): want a function that makes a pool":             func() { court.Pool(nil) },
		"court: Parker(nil): want a function that makes a parker":         func() { court.Parker(nil) },
		"court: no subject: want a Queue, Deque, Pool or Parker, not nil": audit(nil),
		"court: Test without a test: t is nil":                            func() { court.Test(nil, court.Queue(good), court.Options{}) },
		"court: no queue: Put or Take is nil":                             audit(second()),
		"court: no queue: capacity -1, 0 putters, 0 takers":               audit(court.Queue(func() court.QueueOps { return court.QueueOps{Put: q.put, Take: q.take, Capacity: -1} })),
		"court: no deque: capacity -1":                                    audit(boundedDeque(0, -1)),
		"court: -1ns with 0 threads, want a time and 0 to 28":             func() { court.Audit(court.Queue(good), court.Options{Duration: -1}) },
		"court: 0s with 29 threads, want a time and 0 to 28":              func() { court.Audit(court.Queue(good), court.Options{Threads: 29}) },
	} {
		require.PanicsWithValue(t, want, f)
	}
	require.PanicsWithValue(t, "court: no subject: want a Queue, Deque, Pool or Parker, not nil", func() { court.Test(t, nil, court.Options{}) })
}

// Any number of putters and takers is one, also if their sum is none.
func TestManyPuttersAndTakers(t *testing.T) {
	r := court.Audit(court.Queue(func() court.QueueOps {
		q := new(locked)
		return court.QueueOps{Put: q.put, Take: q.take, Putters: math.MaxInt, Takers: math.MaxInt}
	}), court.Options{Duration: 100 * time.Millisecond, Threads: 3, Dir: t.TempDir()})
	require.NotEqual(t, court.Violation, r.Verdict, "%s", r)
	require.Equal(t, 3, r.Threads)
}

// Options at their ends end in a verdict.
func TestTinyAndHugeOptions(t *testing.T) {
	for _, o := range []court.Options{{Duration: 1}, {Duration: 1, Threads: 1}, {Duration: 100 * time.Millisecond, Threads: 28}, {Duration: 100 * time.Millisecond, Threads: 1, Seed: math.MaxUint64}} {
		for name, s := range map[string]court.Subject{"queue": lockedQueue(0), "deque": lockedDeque(), "pool": schedPool(), "parker": filchParker()} {
			o.Dir = t.TempDir()
			r := court.Audit(s, o)
			require.NotEqual(t, court.Violation, r.Verdict, "%s with %v: %s", name, o, r)
			if o.Duration == 1 {
				require.Equal(t, court.Inconclusive, r.Verdict, "%s", r)
			}
		}
	}
	bad := court.Audit(lockedQueueThatIsAStack(), court.Options{Duration: math.MaxInt64, Dir: t.TempDir()})
	require.Equal(t, court.Violation, bad.Verdict, "%s", bad)
}

func lockedQueueThatIsAStack() court.Subject {
	return court.Queue(func() court.QueueOps { q := new(locked); return court.QueueOps{Put: q.put, Take: q.pop} })
}

// A call that ends its goroutine, as FailNow of a test does, is told at once and for
// what it is.
func TestACallThatEndsItsGoroutineIsTold(t *testing.T) {
	begin := time.Now()
	r := court.Audit(court.Queue(func() court.QueueOps {
		q := new(locked)
		return court.QueueOps{Put: func(v int) bool {
			if v > 20 {
				runtime.Goexit()
			}
			return q.put(v)
		}, Take: q.take}
	}), court.Options{Duration: 10 * time.Second, Dir: t.TempDir()})
	require.Equal(t, "NoPanic", r.Claim, "%s", r)
	require.Contains(t, r.Said, "has ended its goroutine, as runtime.Goexit and the FailNow of a test do")
	require.Contains(t, r.Said, "misuse_test.go", "where")
	require.Less(t, time.Since(begin), 5*time.Second)
}

// Audits at the same time, and inside of what is audited, end in verdicts and leave
// the number of processors as it was: also one that begins when another has changed
// it, and ends later.
func TestAuditsAtTheSameTime(t *testing.T) {
	procs := runtime.GOMAXPROCS(0)
	var wg sync.WaitGroup
	var once sync.Once
	begun := make(chan struct{})
	later := court.Queue(func() court.QueueOps {
		once.Do(func() { close(begun) })
		q := new(locked)
		return court.QueueOps{Put: q.put, Take: q.take}
	})
	lives := 0
	r := court.Audit(court.Queue(func() court.QueueOps {
		if lives++; lives == 3 { // of which the second and later ones have more processors
			wg.Go(func() { requireLawful(t, later, court.Options{Duration: time.Second}) })
			<-begun
		}
		q := new(locked)
		return court.QueueOps{Put: q.put, Take: q.take}
	}), court.Options{Duration: 10 * time.Millisecond, Threads: 2 * procs, Dir: t.TempDir()})
	require.NotEqual(t, court.Violation, r.Verdict, "%s", r)
	wg.Wait()
	require.Equal(t, procs, runtime.GOMAXPROCS(0))
	once = sync.Once{}
	inner := func() { requireLawful(t, lockedQueue(0), court.Options{Duration: time.Millisecond, Threads: 2}) }
	r = court.Audit(court.Queue(func() court.QueueOps {
		inner()
		q := new(locked)
		return court.QueueOps{Put: func(v int) bool { once.Do(inner); return q.put(v) }, Take: q.take}
	}), court.Options{Duration: 300 * time.Millisecond, Dir: t.TempDir()})
	require.NotEqual(t, court.Violation, r.Verdict, "%s", r)
	require.Equal(t, procs, runtime.GOMAXPROCS(0))
}

// requireLawful audits on any goroutine.
func requireLawful(t *testing.T, s court.Subject, o court.Options) {
	o.Dir = t.TempDir()
	if r := court.Audit(s, o); r.Verdict == court.Violation {
		t.Errorf("%s", r)
	}
}

// An audit ends the goroutines that it has started, and closes every pool that it
// has made.
func TestNothingIsLeftBehind(t *testing.T) {
	var made, closed atomic.Int64
	pool := court.Pool(func() court.PoolOps {
		made.Add(1)
		return court.PoolOps{Submit: func(task func()) bool { task(); return true }, Close: func() { closed.Add(1) }}
	})
	court.Audit(pool, court.Options{Duration: 100 * time.Millisecond, Dir: t.TempDir()})
	require.Equal(t, made.Load(), closed.Load())
	require.Positive(t, made.Load())
	crews := func() int {
		return strings.Count(stacks(), "created by github.com/filch-sched/filch/linearizability/internal/crew.New")
	}
	before := crews() // of other tests, stuck for ever
	for _, s := range []court.Subject{lockedQueue(0), lockedDeque(), pool, filchParker(), lockedQueueThatIsAStack()} {
		court.Audit(s, court.Options{Duration: 10 * time.Millisecond, Threads: 7, Dir: t.TempDir()})
	}
	require.Eventually(t, func() bool { return crews() <= before }, 5*time.Second, time.Millisecond)
}

func stacks() string {
	buf := make([]byte, 1<<20)
	return string(bytes.TrimSpace(buf[:runtime.Stack(buf, true)]))
}
