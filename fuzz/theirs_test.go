package fuzz_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/filch-sched/filch/fuzz"
	"github.com/filch-sched/filch/linearizability/court"
	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/cell"
	"github.com/filch-sched/filch/loom/sync"
	"github.com/stretchr/testify/require"
)

// An adapter for the one is one for the other.
var (
	_ = fuzz.QueueOps(court.QueueOps{})
	_ = fuzz.DequeOps(court.DequeOps{})
	_ = fuzz.ParkerOps(court.ParkerOps{})
	_ = fuzz.PoolOps(court.PoolOps{})
)

// locked is a list with a lock: a queue, a deque, or something wrong.
type locked struct {
	mu       sync.Mutex
	values   []int
	capacity int
}

func (q *locked) put(v int) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.capacity > 0 && len(q.values) >= q.capacity {
		return false
	}
	q.values = append(q.values, v)
	return true
}

func (q *locked) oldest() (int, bool) { return q.remove(true) }
func (q *locked) newest() (int, bool) { return q.remove(false) }

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

// ringOf is a bounded queue for one putter and one taker, right unless early says
// that it publishes a slot before it has filled it.
type ringOf struct {
	slots      [2]cell.Cell[int]
	head, tail atomic.Int64
	early      bool
}

func (q *ringOf) put(v int) bool {
	tail := q.tail.Load()
	if tail-q.head.Load() == int64(len(q.slots)) {
		return false
	}
	if q.early {
		q.tail.Store(tail + 1)
	}
	q.slots[tail%2].Store(v)
	if !q.early {
		q.tail.Store(tail + 1)
	}
	return true
}

func (q *ringOf) take() (int, bool) {
	head := q.head.Load()
	if head == q.tail.Load() {
		return 0, false
	}
	v := q.slots[head%2].Load()
	q.head.Store(head + 1)
	return v, true
}

// lockedPark is a parker, right unless it forgets an Unpark that comes first.
type lockedPark struct {
	mu      sync.Mutex
	cond    *sync.Cond
	token   bool
	waits   bool
	forgets bool
}

func newLockedPark(forgets bool) *lockedPark {
	p := &lockedPark{forgets: forgets}
	p.cond = sync.NewCond(&p.mu)
	return p
}

func (p *lockedPark) park() {
	p.mu.Lock()
	p.waits = true
	for !p.token {
		p.cond.Wait()
	}
	p.token, p.waits = false, false
	p.mu.Unlock()
}

func (p *lockedPark) unpark() {
	p.mu.Lock()
	p.token = p.waits || !p.forgets
	p.cond.Signal()
	p.mu.Unlock()
}

// smallPool has two workers, and is right unless its Close does not wait.
type smallPool struct {
	mu     sync.Mutex
	cond   *sync.Cond
	tasks  []func()
	closed bool
	hasty  bool
	live   sync.WaitGroup
}

func newSmallPool(hasty bool) *smallPool {
	p := &smallPool{hasty: hasty}
	p.cond = sync.NewCond(&p.mu)
	for range 2 {
		p.live.Go(p.work)
	}
	return p
}

func (p *smallPool) work() {
	for {
		p.mu.Lock()
		for len(p.tasks) == 0 && !p.closed {
			p.cond.Wait()
		}
		if len(p.tasks) == 0 {
			p.mu.Unlock()
			return
		}
		task := p.tasks[0]
		p.tasks = p.tasks[1:]
		p.mu.Unlock()
		task()
	}
}

func (p *smallPool) submit(task func()) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return false
	}
	p.tasks = append(p.tasks, task)
	p.cond.Signal()
	return true
}

func (p *smallPool) close() {
	p.mu.Lock()
	p.closed = true
	p.cond.Broadcast()
	p.mu.Unlock()
	if !p.hasty {
		p.live.Wait()
	}
}

// their is a fuzz target of somebody else's code.
type their struct {
	fuzz func(f *testing.F)
	// claims are what it violates, of which one is named; none if it is right.
	claims string
	// steps says that it takes an order of steps to see it: the tag loom.
	steps bool
}

func queueOf(make func() fuzz.QueueOps) func(*testing.F) {
	return func(f *testing.F) { fuzz.Queue(f, make) }
}

func dequeOf(steal func(*locked) (int, bool)) func(*testing.F) {
	return func(f *testing.F) {
		fuzz.Deque(f, func() fuzz.DequeOps {
			d := new(locked)
			return fuzz.DequeOps{Push: d.put, Pop: d.newest, Steal: func() (int, bool) { return steal(d) }}
		})
	}
}

func ring(early bool, takers int) func(*testing.F) {
	return queueOf(func() fuzz.QueueOps {
		q := &ringOf{early: early}
		return fuzz.QueueOps{Put: q.put, Take: q.take, Capacity: 2, Putters: 1, Takers: takers}
	})
}

func parker(forgets bool) func(*testing.F) {
	return func(f *testing.F) {
		fuzz.Parker(f, func() fuzz.ParkerOps {
			p := newLockedPark(forgets)
			return fuzz.ParkerOps{Park: p.park, Unpark: p.unpark}
		})
	}
}

func pool(hasty bool) func(*testing.F) {
	return func(f *testing.F) {
		fuzz.Pool(f, func() fuzz.PoolOps {
			p := newSmallPool(hasty)
			return fuzz.PoolOps{Submit: p.submit, Close: p.close, Nested: true}
		})
	}
}

var theirs = map[string]their{
	"queue": {fuzz: queueOf(func() fuzz.QueueOps {
		q := &locked{capacity: 2}
		return fuzz.QueueOps{Put: q.put, Take: q.oldest, Capacity: 2}
	})},
	"unbounded": {fuzz: queueOf(func() fuzz.QueueOps {
		q := new(locked)
		return fuzz.QueueOps{Put: q.put, Take: q.oldest}
	})},
	"ring":   {fuzz: ring(false, 1)},
	"deque":  {fuzz: dequeOf((*locked).oldest)},
	"parker": {fuzz: parker(false)},
	"pool":   {fuzz: pool(false)},
	"queue that is a stack": {fuzz: queueOf(func() fuzz.QueueOps {
		q := new(locked)
		return fuzz.QueueOps{Put: q.put, Take: q.newest}
	}), claims: "InjectFIFO"},
	"queue with room for one more": {fuzz: queueOf(func() fuzz.QueueOps {
		q := &locked{capacity: 3}
		return fuzz.QueueOps{Put: q.put, Take: q.oldest, Capacity: 2}
	}), claims: "CapacityFromSteal"},
	"ring that publishes first":     {fuzz: ring(true, 1), claims: "DataRace", steps: true},
	"ring whose takers do not race": {fuzz: ring(false, 2), claims: "NoDuplicateTask DataRace", steps: true},
	"deque that steals the newest":  {fuzz: dequeOf((*locked).newest), claims: "DequeOrder"},
	"parker that forgets":           {fuzz: parker(true), claims: "TokenKept"},
	"pool that is hasty":            {fuzz: pool(true), claims: "EveryTaskRuns NoLostTask", steps: true},
}

// FuzzTheirs fuzzes what FUZZ_THEIRS names, else a queue that is right.
func FuzzTheirs(f *testing.F) {
	name := os.Getenv("FUZZ_THEIRS")
	if name == "" {
		name = "queue"
	}
	if c, ok := theirs[name]; ok {
		c.fuzz(f)
		return
	}
	if c, ok := bugs[name]; ok {
		c.fuzz(f)
		return
	}
	require.Contains(f, unseen, name, "FUZZ_THEIRS")
	unseen[name](f)
}

// TestTheirCodeIsJudged fuzzes other people's code, right and wrong. Of what is
// wrong it wants the claim, and a scenario that go test runs again by itself.
func TestTheirCodeIsJudged(t *testing.T) {
	for name, c := range theirs {
		if c.steps && !loom.Enabled {
			continue // there it is a matter of luck
		}
		t.Run(name, func(t *testing.T) {
			dir, time := t.TempDir(), "1s"
			if c.claims != "" {
				time = "30s"
			}
			args := []string{"-test.run=^$", "-test.fuzz=^FuzzTheirs$", "-test.fuzztime=" + time,
				"-test.fuzzcachedir=" + filepath.Join(dir, "cache")}
			out, err := test(t, dir, name, args...)
			if err != nil && strings.Contains(out, "    context deadline exceeded\n") { // golang/go#75804
				out, err = test(t, dir, name, args...)
			}
			require.NotContains(t, out, "minimizing", "go test spends the time of the fuzzer on its minimizer")
			if c.claims == "" {
				require.NoError(t, err, "%s", out)
				return
			}
			require.Error(t, err, "%s", out)
			requireNames(t, strings.Fields(c.claims), out)
			require.NotRegexp(t, `(inject|deque)\.|no room`, out, "words that are not theirs")
			files, err := filepath.Glob(filepath.Join(dir, fuzz.FoundDir, "FuzzTheirs-*.txt"))
			require.NoError(t, err)
			require.NotEmpty(t, files, "%s", out)
			text, err := os.ReadFile(files[0])
			require.NoError(t, err)
			t.Logf("%s", text)
			require.NoError(t, os.RemoveAll(filepath.Join(dir, "testdata", "fuzz")))
			out, err = test(t, dir, name, "-test.run=^FuzzTheirs$")
			require.Error(t, err, "the scenario does not fail again:\n%s", out)
			requireNames(t, strings.Fields(c.claims), out)
		})
	}
}

// TestTheirInputIsReplayedByItsName: an input that go test runs without -fuzz is not
// saved, and has a name.
func TestTheirInputIsReplayedByItsName(t *testing.T) {
	const wrong = "queue that is a stack"
	out, err := test(t, t.TempDir(), wrong, "-test.run=^FuzzTheirs$")
	require.Error(t, err, "%s", out)
	again := regexp.MustCompile(`replay: go test( -tags loom)? -count=1 -run '(\^FuzzTheirs\$/\^seed#\d+\$)' github\.com/filch-sched/filch/fuzz\n`).FindAllStringSubmatch(out, -1)
	require.NotEmpty(t, again, "%s", out)
	last := again[len(again)-1][2]
	out, err = test(t, t.TempDir(), wrong, "-test.v", "-test.run="+last)
	require.Error(t, err, "%s", out)
	requireNames(t, []string{"InjectFIFO"}, out)
	require.Equal(t, 1, strings.Count(out, "=== RUN   FuzzTheirs/"), "%s", out)
}

// test runs this test binary in dir.
func test(t *testing.T, dir, theirs string, args ...string) (string, error) {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(self, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "FUZZ_THEIRS="+theirs)
	out, err := cmd.CombinedOutput()
	return string(out), err
}
