//go:build loom

package loom_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/cell"
	"github.com/filch-sched/filch/loom/internal/explore"
	"github.com/filch-sched/filch/loom/internal/machine"
	"github.com/filch-sched/filch/loom/sync"
)

// byHand are planted bugs with the shortest schedules that a person found for
// them.
var byHand = []struct {
	name, schedule string
	body           func()
}{
	{"lost update", "bc2ba", func() { // one reads, the other adds, the first writes what it read plus one
		var x atomic.Int32
		add := func() { x.Store(x.Load() + 1) }
		a, b := loom.Go(add), loom.Go(add)
		a.Join()
		b.Join()
		if x.Load() != 2 {
			loom.Failf("NoLostUpdate", "lost")
		}
	}},
	{"abba", "bc", func() { // each has its first lock
		var a, b sync.Mutex
		both := func(m, n *sync.Mutex) func() {
			return func() { m.Lock(); n.Lock(); n.Unlock(); m.Unlock() }
		}
		all(both(&a, &b), both(&b, &a))
	}},
	{"ABA", "a2b2c10bd5", func() { // b reads top and next; c takes both and puts the first back; b swaps; d takes what c has
		var top atomic.Int32 // 1 is on 2
		top.Store(1)
		next := [3]atomic.Int32{}
		next[1].Store(2)
		pop := func() int32 {
			for {
				n := top.Load()
				if n == 0 {
					return 0
				}
				if top.CompareAndSwap(n, next[n].Load()) {
					return n
				}
			}
		}
		var taken [3]atomic.Int32
		thief := func() {
			n := pop()
			taken[n].Add(1)
			if n != 0 && taken[n].Load() > 1 {
				loom.Failf("NoDuplicateTask", "%d", n)
			}
		}
		all(thief, func() {
			n := pop()
			taken[pop()].Add(1)
			for n != 0 {
				t := top.Load()
				next[n].Store(t)
				if top.CompareAndSwap(t, n) {
					break
				}
			}
		}, thief)
	}},
	{"race behind a flag", "ba", func() { // the flag is up before the data is there
		var ready atomic.Bool
		var data cell.Cell[int]
		loom.Go(func() { ready.Store(true); data.Store(1) })
		if ready.Load() {
			data.Load()
		}
	}},
	{"peterson without turn", "bc3b2", func() { // both look before either raises its flag
		var flag [2]atomic.Bool
		var inside atomic.Int32
		enter := func(i int) func() {
			return func() {
				if flag[1-i].Load() {
					return
				}
				flag[i].Store(true)
				if inside.Add(1) == 2 {
					loom.Failf("MutualExclusion", "both are inside")
				}
			}
		}
		all(enter(0), enter(1))
	}},
	{"signal before wait", "ab3", func() { // the flag is not looked at under the lock
		var mu sync.Mutex
		c := sync.NewCond(&mu)
		loom.Go(func() { mu.Lock(); c.Wait(); mu.Unlock() })
		c.Signal()
	}},
	{"double-checked pop", "abc2b", func() { // both see one item
		var n atomic.Int32
		n.Store(1)
		pop := func() {
			if n.Load() > 0 && n.Add(-1) < 0 {
				panic("index out of range")
			}
		}
		all(pop, pop)
	}},
	{"a choice", "a.a1", func() {
		var x atomic.Int32
		if loom.Choose(2) == 1 || loom.Go(func() { x.Store(1) }) != nil && x.Load() == 1 {
			loom.Failf("Planted", "on purpose")
		}
	}},
	{"a step that may come before or after", "cb2", func() { // with one switch it comes after
		var x, y atomic.Int32
		all(func() {
			y.Add(1)
			if x.Load() == 1 {
				loom.Failf("Planted", "on purpose")
			}
		}, func() { x.Store(1) })
	}},
	{"two ways that take as many switches", "c", func() { // the second thread is done sooner
		var x [9]atomic.Int32
		fail := func(steps int) func() {
			return func() {
				for i := range steps {
					x[i].Add(1)
				}
				loom.Failf("Planted", "on purpose")
			}
		}
		all(fail(9), fail(1), fail(5))
	}},
	// Both consumers wait, a producer wakes one, the other producer waits, and the
	// woken consumer wakes the consumer that sleeps.
	{"bounded buffer, one condition", "d3e3b3c3d3e3.b0.d1", oneCondition},
}

// oneCondition: producers and consumers of a buffer of one wait on one condition
// variable, and a signal meant for one kind reaches the other.
func oneCondition() {
	var mu sync.Mutex
	c := sync.NewCond(&mu)
	full := false
	put := func() {
		mu.Lock()
		for full {
			c.Wait()
		}
		full = true
		c.Signal()
		mu.Unlock()
	}
	get := func() {
		mu.Lock()
		for !full {
			c.Wait()
		}
		full = false
		c.Signal()
		mu.Unlock()
	}
	all(put, put, get, get)
}

// steps takes a token apart: how often threads change, and steps in all.
func steps(t *testing.T, token string) (switches, n int) {
	t.Helper()
	s, err := explore.ParseToken(token)
	require.NoError(t, err)
	return s.Switches(), len(s.Order)
}

// TestMinimisedIsNoLongerThanByHand compares what the report shows with what a
// person would.
func TestMinimisedIsNoLongerThanByHand(t *testing.T) {
	for _, c := range byHand {
		t.Run(c.name, func(t *testing.T) {
			v := violation(t, c.body)
			tag, got, _ := strings.Cut(v.Token, ".")
			t.Log(got)
			_, err := loom.Explore(c.body, loom.Replay(tag+"."+c.schedule))
			require.ErrorContains(t, err, v.Claim+" violated", "the schedule by hand")
			switches, n := steps(t, got)
			handSwitches, handN := steps(t, c.schedule)
			require.LessOrEqual(t, switches, handSwitches)
			require.LessOrEqual(t, n, handN)
		})
	}
}

// brute runs every interleaving of a body, up to a number of them, and reports
// whether that was enough.
type brute struct {
	path  []fork
	depth int
	did   explore.Schedule
}

type fork struct {
	n, value int
}

func (b *brute) decide(n int) int {
	if b.depth == len(b.path) {
		b.path = append(b.path, fork{n: n})
	}
	b.depth++
	return b.path[b.depth-1].value
}

func (b *brute) Next(m *machine.Machine) *machine.Thread {
	set, _ := m.Enabled(nil)
	var enabled []int
	for id := range m.Threads() {
		if set&(1<<id) != 0 {
			enabled = append(enabled, id)
		}
	}
	if len(enabled) == 0 {
		m.Deadlock()
		return nil
	}
	id := enabled[b.decide(len(enabled))]
	b.did.Order = append(b.did.Order, id)
	return m.Thread(id)
}

func (b *brute) Choose(t *machine.Thread, n int) int {
	v := b.decide(n)
	b.did.Choices[t.ID()] = append(b.did.Choices[t.ID()], v)
	return v
}

func (b *brute) all(body func(), most int, end func(explore.Schedule, *machine.Failure)) bool {
	m := machine.New(b)
	defer m.Close()
	for range most {
		b.depth, b.did = 0, explore.Schedule{}
		m.Run(body)
		if m.Err != nil {
			panic(m.Err)
		}
		end(b.did, m.Failure)
		for len(b.path) > 0 && b.path[len(b.path)-1].value+1 == b.path[len(b.path)-1].n {
			b.path = b.path[:len(b.path)-1]
		}
		if len(b.path) == 0 {
			return true
		}
		b.path[len(b.path)-1].value++
	}
	return false
}

// TestMinimisedIsShortest: of all interleavings of random programs that
// deadlock, none has fewer switches than the one that is reported, and none with
// as many has fewer steps, whatever was found first.
func TestMinimisedIsShortest(t *testing.T) {
	seed := number(t, "LOOM_TEST_SEED", uint64(time.Now().UnixNano()))
	programs := number(t, "LOOM_TEST_PROGRAMS", 200)
	t.Logf("replay: LOOM_TEST_SEED=%d LOOM_TEST_PROGRAMS=%d go test -tags loom -run '^TestMinimisedIsShortest$' ./loom", seed, programs)
	r := rand.New(rand.NewPCG(seed, 0))
	compared := 0
	for range programs {
		if requireShortest(t, randomProgram(r, 8)) {
			compared++
		}
	}
	t.Logf("%d schedules compared", compared)
	require.Greater(t, compared, int(programs)/10)
}

// TestMinimisedComesBack: it can be shorter to leave a thread that could go on.
func TestMinimisedComesBack(t *testing.T) {
	require.True(t, requireShortest(t, parse(true, "", "", "await(1,1)", "reset timer(1,1); await(0,2)")))
}

// requireShortest compares what is reported of p with all of its interleavings; it
// reports false if they are too many or none deadlocks.
func requireShortest(t *testing.T, p program) bool {
	t.Helper()
	body := p.body(func(string) {})
	var worst, best explore.Schedule
	var failure *machine.Failure
	shorter := func(a, b explore.Schedule) bool {
		if a.Switches() != b.Switches() {
			return a.Switches() < b.Switches()
		}
		return len(a.Order) < len(b.Order)
	}
	done := new(brute).all(body, 30_000, func(s explore.Schedule, f *machine.Failure) {
		if f == nil || f.Kind != machine.DeadlockFailure || failure != nil && f.Livelock != failure.Livelock {
			return // or another way to end
		}
		if failure == nil || shorter(s, best) {
			best = s
		}
		if failure == nil || shorter(worst, s) {
			worst = s
		}
		failure = f
	})
	if !done || failure == nil {
		return false
	}
	e, err := explore.Explain(body, *failure, worst, explore.Options{MaxSteps: 1000})
	require.NoError(t, err)
	require.Equal(t, best.Switches(), e.Schedule.Switches(), "%v%s instead of %s", p, e.Schedule.Token(), best.Token())
	require.Len(t, e.Schedule.Order, len(best.Order), "%v%s instead of %s", p, e.Schedule.Token(), best.Token())
	return true
}
