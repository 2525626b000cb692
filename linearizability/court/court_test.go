package court_test

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/linearizability"
	"github.com/filch-sched/filch/linearizability/court"
	"github.com/filch-sched/filch/park"
	"github.com/filch-sched/filch/queue"
	"github.com/filch-sched/filch/sched"
)

// locked is a queue that is right.
type locked struct {
	mu       sync.Mutex
	values   []int
	capacity int
}

func (q *locked) put(v int) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.capacity > 0 && len(q.values) == q.capacity {
		return false
	}
	q.values = append(q.values, v)
	return true
}

func (q *locked) take() (v int, found bool) { return q.remove(true) }
func (q *locked) pop() (v int, found bool)  { return q.remove(false) }

func (q *locked) remove(oldest bool) (v int, found bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := len(q.values)
	switch {
	case n == 0:
		return 0, false
	case oldest:
		v, q.values = q.values[0], q.values[1:]
	default:
		v, q.values = q.values[n-1], q.values[:n-1]
	}
	return v, true
}

func lockedQueue(capacity int) court.Subject {
	return court.Queue(func() court.QueueOps {
		q := &locked{capacity: capacity}
		return court.QueueOps{Put: q.put, Take: q.take, Capacity: capacity}
	})
}

func lockedDeque() court.Subject {
	return court.Deque(func() court.DequeOps {
		q := &locked{}
		return court.DequeOps{Push: q.put, Pop: q.pop, Steal: q.take}
	})
}

func schedPool() court.Subject {
	return court.Pool(func() court.PoolOps {
		s, err := sched.New(sched.Workers(2))
		if err != nil {
			panic(err)
		}
		return court.PoolOps{Late: true, Close: func() { _ = s.Close() },
			Submit: func(task func()) bool { return s.Go(func(sched.Ctx) { task() }) == nil }}
	})
}

func filchParker() court.Subject {
	return court.Parker(func() court.ParkerOps {
		p := park.New()
		return court.ParkerOps{Park: p.Park, Unpark: p.Unpark}
	})
}

func TestWhatIsRightIsClean(t *testing.T) {
	if runtime.NumCPU() == 1 {
		t.Skip("one processor: every audit is inconclusive")
	}
	for name, s := range map[string]court.Subject{
		"queue": lockedQueue(0), "bounded": lockedQueue(4), "deque": lockedDeque(), "pool": schedPool(), "parker": filchParker(),
		"filch's inject queue": court.Queue(func() court.QueueOps {
			var q queue.Inject[int]
			return court.QueueOps{Put: q.Push, Take: q.Pop}
		}),
	} {
		t.Run(name, func(t *testing.T) {
			r := court.Audit(s, court.Options{Duration: time.Second, Dir: t.TempDir()})
			require.NotEqual(t, court.Violation, r.Verdict, "%s", r)
			require.Positive(t, r.Judged)
			require.Positive(t, r.Overlap)
		})
	}
}

// Three queues that are wrong in ways in which queues have been wrong.
func TestKnownBadQueuesAreCaught(t *testing.T) {
	for name, c := range map[string]struct {
		make   func() court.QueueOps
		claims []string
	}{
		"two takers take the same": {func() court.QueueOps {
			q := &twice{}
			return court.QueueOps{Put: q.put, Take: q.take}
		}, []string{"NoDuplicateTask"}},
		"published before it is filled": {func() court.QueueOps {
			q := &early{}
			return court.QueueOps{Put: q.put, Take: q.take, Capacity: len(q.slots), Putters: 1}
		}, []string{"NoDuplicateTask", "NoLostTask"}},
		"shards out of step": {func() court.QueueOps {
			q := &shards{}
			return court.QueueOps{Put: q.put, Take: q.take}
		}, []string{"InjectFIFO", "BusyIsHonest", "NoLostTask"}},
	} {
		t.Run(name, func(t *testing.T) {
			r := court.Audit(court.Queue(c.make), court.Options{Duration: 20 * time.Second, Dir: t.TempDir()})
			require.Equal(t, court.Violation, r.Verdict, "%s", r)
			require.Contains(t, c.claims, r.Claim, "%s", r)
			require.NotEmpty(t, r.Operations)
			t.Logf("found after %v\n%s", r.Took, r)
			requireJudgedAgain(t, r)
		})
	}
}

// requireJudgedAgain requires that the saved history is as wrong as was said.
func requireJudgedAgain(t *testing.T, r *court.Report) {
	text, err := os.ReadFile(r.History)
	require.NoError(t, err)
	h, err := linearizability.Read(bytes.NewReader(text))
	require.NoError(t, err)
	v, err := linearizability.Judge(h)
	require.NoError(t, err)
	require.NotNil(t, v)
	require.Equal(t, r.Claim, string(v.Claim))
	lawful, err := linearizability.Porcupine(h, time.Minute)
	require.NoError(t, err)
	require.False(t, lawful)
}

// What the answers of a thing say is held against it in full.
func TestLiesAreCaught(t *testing.T) {
	lie := func() (int, bool) { return 0, false }
	for name, c := range map[string]struct {
		s     court.Subject
		claim string
	}{
		"always empty": {court.Queue(func() court.QueueOps { q := &locked{}; return court.QueueOps{Put: q.put, Take: lie} }), "NoLostTask"},
		"always full": {court.Queue(func() court.QueueOps {
			q := &locked{}
			return court.QueueOps{Put: func(int) bool { return false }, Take: q.take, Capacity: 2}
		}), "BusyIsHonest"},
		"never full":    {court.Queue(func() court.QueueOps { q := &locked{}; return court.QueueOps{Put: q.put, Take: q.take, Capacity: 2} }), "CapacityFromSteal"},
		"last in first": {court.Queue(func() court.QueueOps { q := &locked{}; return court.QueueOps{Put: q.put, Take: q.pop} }), "InjectFIFO"},
		"steals newest": {court.Deque(func() court.DequeOps { q := &locked{}; return court.DequeOps{Push: q.put, Pop: q.pop, Steal: q.pop} }), "DequeOrder"},
		"pops oldest":   {court.Deque(func() court.DequeOps { q := &locked{}; return court.DequeOps{Push: q.put, Pop: q.take, Steal: q.take} }), "DequeOrder"},
		"never runs": {court.Pool(func() court.PoolOps {
			return court.PoolOps{Submit: func(func()) bool { return true }, Close: func() {}}
		}), "EveryTaskRuns"},
		"runs twice": {court.Pool(func() court.PoolOps {
			return court.PoolOps{Submit: func(task func()) bool { task(); task(); return true }, Close: func() {}}
		}), "NoDuplicateTask"},
		"parks on nothing": {court.Parker(func() court.ParkerOps {
			return court.ParkerOps{Park: func() { runtime.Gosched() }, Unpark: func() {}}
		}), "TokenSingle"},
		"panics": {court.Queue(func() court.QueueOps {
			return court.QueueOps{Put: func(int) bool { panic("out of cheese") }, Take: lie}
		}), "NoPanic"},
	} {
		t.Run(name, func(t *testing.T) {
			r := court.Audit(c.s, court.Options{Duration: 10 * time.Second, Dir: t.TempDir()})
			require.Equal(t, court.Violation, r.Verdict, "%s", r)
			require.Equal(t, c.claim, r.Claim, "%s", r)
			require.NotRegexp(t, `(inject|deque)\.|no room`, r.String(), "words that are not theirs")
			if r.History != "" {
				requireJudgedAgain(t, r)
			}
		})
	}
}

// A token that is lost leaves its parker asleep for ever, which is noticed.
func TestALostTokenIsNoticed(t *testing.T) {
	c := make(chan struct{})
	r := court.Audit(court.Parker(func() court.ParkerOps {
		return court.ParkerOps{Park: func() { <-c }, Unpark: func() {
			select {
			case c <- struct{}{}:
			default: // nobody waits just now
			}
		}}
	}), court.Options{Duration: 20 * time.Second, Dir: t.TempDir()})
	require.Equal(t, court.Violation, r.Verdict, "%s", r)
	require.Contains(t, []string{"TokenKept"}, r.Claim, "%s", r)
}

func TestOneProcessorIsInconclusive(t *testing.T) {
	procs := runtime.GOMAXPROCS(1)
	defer runtime.GOMAXPROCS(procs)
	r := court.Audit(lockedQueue(0), court.Options{Duration: 100 * time.Millisecond, Dir: t.TempDir()})
	require.Equal(t, court.Inconclusive, r.Verdict, "%s", r)
	require.Equal(t, 1, runtime.GOMAXPROCS(0))
}

func TestADirectoryThatIsNotThereIsMade(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "not", "there")
	r := court.Audit(court.Queue(func() court.QueueOps {
		return court.QueueOps{Put: func(int) bool { return true }, Take: func() (int, bool) { return 0, false }}
	}), court.Options{Duration: 10 * time.Second, Dir: dir})
	require.Equal(t, court.Violation, r.Verdict, "%s", r)
	require.FileExists(t, r.History)
	require.Equal(t, dir, filepath.Dir(r.History))
}

func TestWhatLacksAFunctionIsRefused(t *testing.T) {
	for want, s := range map[string]court.Subject{
		"court: no queue: Put or Take is nil":        court.Queue(func() court.QueueOps { return court.QueueOps{} }),
		"court: no deque: Push, Pop or Steal is nil": court.Deque(func() court.DequeOps { return court.DequeOps{} }),
		"court: no parker: Park or Unpark is nil":    court.Parker(func() court.ParkerOps { return court.ParkerOps{} }),
		"court: no pool: Submit or Close is nil":     court.Pool(func() court.PoolOps { return court.PoolOps{} }),
	} {
		require.PanicsWithValue(t, want, func() { court.Audit(s, court.Options{Duration: time.Second}) })
	}
}
