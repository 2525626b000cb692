package fuzz_test

import (
	stdsync "sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/filch-sched/filch/fuzz"
	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/sync"
	"github.com/stretchr/testify/require"
)

// counted is a parker that keeps every token.
type counted struct {
	mu     sync.Mutex
	cond   *sync.Cond
	tokens int
	most   int // that it keeps; 0 is any number
}

func newCounted(most int) *counted {
	p := &counted{most: most}
	p.cond = sync.NewCond(&p.mu)
	return p
}

func (p *counted) park() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.tokens == 0 {
		p.cond.Wait()
	}
	p.tokens--
}

func (p *counted) unpark() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.most == 0 || p.tokens < p.most {
		p.tokens++
	}
	p.cond.Signal()
}

// parkerBug is a right parker of which change makes something else.
func parkerBug(change func(o *fuzz.ParkerOps)) func(*testing.F) {
	return func(f *testing.F) {
		fuzz.Parker(f, func() fuzz.ParkerOps {
			p := newCounted(1)
			o := fuzz.ParkerOps{Park: p.park, Unpark: p.unpark}
			change(&o)
			return o
		})
	}
}

var parkerBugs = map[string]bug{
	"lost": {parkerBug(func(o *fuzz.ParkerOps) {
		unpark, second := o.Unpark, every(2)
		o.Unpark = func() {
			if !second() {
				unpark()
			}
		}
	}), "TokenKept", `park by \w+ does not return`},
	"invented": {parkerBug(func(o *fuzz.ParkerOps) { o.Park = func() {} }), "TokenSingle", "a Park ends by an Unpark"},
	"keeps every token": {parkerBug(func(o *fuzz.ParkerOps) {
		p := newCounted(0)
		o.Park, o.Unpark = p.park, p.unpark
	}), "TokenSingle", "a Park ends by an Unpark"},
	"panics": {parkerBug(func(o *fuzz.ParkerOps) { o.Unpark = func() { brokenInvariant(0) } }), "NoPanic", `unpark \w+ by \w+ panics: queue: broken(.|\n)*brokenInvariant\(`},
	"blocks": {parkerBug(func(o *fuzz.ParkerOps) { o.Unpark = func() { select {} } }), "Progress", `unpark \w+ by \w+ does not return`},
	"spins":  {parkerBug(func(o *fuzz.ParkerOps) { o.Unpark = func() { spins() } }), "Progress", `unpark \w+ by \w+ does not return(.|\n)*spins\(`},
}

// poolBug is a pool of which change makes something else.
func poolBug(change func(o *fuzz.PoolOps, p *smallPool)) func(*testing.F) {
	return func(f *testing.F) {
		fuzz.Pool(f, func() fuzz.PoolOps {
			p := newSmallPool(false)
			o := fuzz.PoolOps{Submit: p.submit, Close: p.close, Nested: true}
			change(&o, p)
			return o
		})
	}
}

var poolBugs = map[string]bug{
	"lost": {poolBug(func(o *fuzz.PoolOps, p *smallPool) {
		second := every(2)
		o.Submit = func(task func()) bool { return second() || p.submit(task) }
	}), "EveryTaskRuns", "a task that was accepted runs once"},
	"duplicated": {poolBug(func(o *fuzz.PoolOps, p *smallPool) {
		o.Submit = func(task func()) bool { return p.submit(func() { task(); task() }) }
	}), "NoDuplicateTask", "twice"},
	"refuses": {poolBug(func(o *fuzz.PoolOps, p *smallPool) {
		third := every(3)
		o.Submit = func(task func()) bool { return !third() && p.submit(task) }
	}), "ClosedReturnsTasks", "hint: .*PoolOps.Late"},
	"refused and run": {poolBug(func(o *fuzz.PoolOps, p *smallPool) {
		third := every(3)
		o.Submit = func(task func()) bool { return p.submit(task) && !third() }
	}), "ClosedReturnsTasks", "was refused and"},
	"accepts when closed": {poolBug(func(o *fuzz.PoolOps, p *smallPool) {
		o.Nested, o.Late = false, true
		o.Submit = func(task func()) bool { p.submit(task); return true }
	}), "EveryTaskRuns ClosedReturnsTasks", "refused if and only if the pool is closed"},
	"panics": {poolBug(func(o *fuzz.PoolOps, p *smallPool) {
		o.Nested, o.Submit = false, func(func()) bool { return brokenInvariantOf("pool") }
	}), "NoPanic", `submit \d+ by \w+ panics: (pool: broken(.|\n)*brokenInvariantOf\(|thread \d+ panicked at bugs_other_test.go:\d+: pool: broken)`},
	"blocks": {poolBug(func(o *fuzz.PoolOps, p *smallPool) {
		o.Nested, o.Submit = false, func(func()) bool { select {} }
	}), "Progress", `submit \d+ by \w+ does not return`},
	"never closes": {poolBug(func(o *fuzz.PoolOps, p *smallPool) {
		o.Close = func() {
			p.close()
			if calls.Add(1) > 1 { // the first is of the pool that the target is made with
				select {}
			}
		}
	}), "ShutdownWakes", `close by \w+ does not return`},
	"never closes without a task": {poolBug(func(o *fuzz.PoolOps, p *smallPool) {
		o.Close = func() { p.close(); select {} }
	}), "ShutdownWakes", `close of a pool that has no task does not return(.|\n)*bugs_other_test.go`},
	"panics without a task": {poolBug(func(o *fuzz.PoolOps, p *smallPool) {
		o.Close = func() { brokenInvariant(0) }
	}), "NoPanic", `close of a pool that has no task panics: queue: broken(.|\n)*brokenInvariant\(`},
	"closes before it is empty": {poolBug(func(o *fuzz.PoolOps, p *smallPool) {
		third := every(3)
		o.Submit = func(task func()) bool {
			if third() {
				return p.submit(func() { p.live.Add(1); p.live.Wait() })
			}
			return p.submit(task)
		}
	}), "EveryTaskRuns", `close by \w+ does not return`},
}

// calls counts those of one bug's functions, of all that are made.
var calls atomic.Int64

func brokenInvariantOf(what string) bool { panic(what + ": broken invariant") }

// native is a right pool of goroutines that package loom knows nothing of.
func native(f *testing.F) {
	fuzz.Pool(f, func() fuzz.PoolOps {
		var live stdsync.WaitGroup
		return fuzz.PoolOps{Submit: func(task func()) bool { live.Go(task); return true }, Close: live.Wait}
	})
}

// TestAPoolOfGoroutinesIsNotAccused: under the tag loom it cannot be judged, which is said.
func TestAPoolOfGoroutinesIsNotAccused(t *testing.T) {
	out, err := test(t, t.TempDir(), "native", "-test.run=^FuzzTheirs$")
	if !loom.Enabled {
		require.NoError(t, err, "%s", out)
		return
	}
	require.Error(t, err, "%s", out)
	require.Contains(t, out, "CanBeJudged violated: loom: ")
	require.Contains(t, out, "threads are started by loom.Go or WaitGroup.Go of loom/sync")
	require.NotContains(t, out, "EveryTaskRuns")
}

// slow is a right queue whose operations take long.
func slow(f *testing.F) {
	queueBug(func(o *fuzz.QueueOps, q *locked) {
		o.Take = func() (int, bool) { time.Sleep(300 * time.Millisecond); return q.oldest() }
	})(f)
}
