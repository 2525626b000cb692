//go:build loom

package loom_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/cell"
	"github.com/filch-sched/filch/loom/internal/explore"
	"github.com/filch-sched/filch/loom/sync"
)

// parse reads a program from one line for each thread, operations with a
// semicolon between them.
func parse(touch bool, lines ...string) program {
	p := program{touch: touch}
	for _, line := range lines {
		var ops []operation
		for _, s := range strings.FieldsFunc(line, func(c rune) bool { return c == ';' }) {
			name, args, _ := strings.Cut(strings.TrimSpace(s), "(")
			ops = append(ops, operation{name, int(args[0] - '0'), int(args[2] - '0')})
		}
		p.threads = append(p.threads, ops)
	}
	return p
}

// trap checks that p has so many traces, and that the optimal search runs each
// of them once and nothing else. Programs were found at random: with the mistake
// that a test is about, the search loses traces of them, or repeats some.
func trap(t *testing.T, traces int, p program) {
	t.Helper()
	best, one := search(p, explore.Options{Most: 2000}), search(p, explore.Options{Algorithm: "sleep"})
	require.NoError(t, best.Err, "%v", p)
	require.Empty(t, differ("the optimal search", best, "sleep sets", one), "%v", p)
	require.Equal(t, traces, best.Traces, "%v", p)
	require.Equal(t, traces, best.Executions, "%v", p)
}

// TestTrapOrderOfTheWholeExecution: what is put before the first step of a race
// is all that does not depend on it, also what came after the second step.
func TestTrapOrderOfTheWholeExecution(t *testing.T) {
	trap(t, 12, parse(true, "store(1,1)", "load(1,1)", "wait(1,2)", "signal(1,2); broadcast(1,1)"))
	trap(t, 16, parse(true, "store(1,2)", "trylock(0,1)", "locked add(1,1)", "trylock(0,1); locked add(1,2)"))
}

// TestTrapLockRacesWithTheAcquire: a Lock is moved before the Lock that kept it
// waiting, not before the Unlock that let it in; also if it still waits when the
// execution ends.
func TestTrapLockRacesWithTheAcquire(t *testing.T) {
	trap(t, 2, parse(true, "locked add(0,0)", "locked add(0,0)"))
	trap(t, 2, parse(false, "lock and keep(1,1)", "lock and keep(1,2)"))
	trap(t, 3, parse(false, "nested locks(0,1)", "nested locks(1,1)"))
}

// TestTrapEffectBeforeTheRace: a step that is moved does what it would do there.
// What failed after the other step may succeed before it, and the other way round.
func TestTrapEffectBeforeTheRace(t *testing.T) {
	trap(t, 125, parse(false, "trywlock(0,1)", "tryrlock(1,1)", "tryrlock(1,2)", "trywlock(1,2)"))
	trap(t, 13, parse(true, "store(0,1)", "cas(0,2)", "load(0,1)", "load(0,1)"))
	trap(t, 13, parse(true, "store(0,1)", "cas back(0,1)", "load(0,1)", "load(0,1)"))
}

// TestTrapFailedAttempt: before an attempt to lock that failed, a Lock that has
// to wait would have had to wait as well.
func TestTrapFailedAttempt(t *testing.T) {
	trap(t, 3, parse(true, "nested locks(1,2)", "nested locks(0,1)"))
	trap(t, 4, parse(true, "lock and keep(0,1)", "trylock(0,1)", "lock and keep(0,2)"))
}

// TestTrapEveryWaiter: all the waiters that a Signal could wake are tried where a
// race has put it, too, and its wake does not come before it.
func TestTrapEveryWaiter(t *testing.T) {
	trap(t, 10, parse(false, "wait(1,1)", "wait(1,1)", "signal(0,1)"))
	trap(t, 6, parse(false, "choose(0,1)", "choose of 3(1,2)"))
	trap(t, 9, parse(false, "choose(0,1)", "choose of 3(0,2)"))
	trap(t, 18, parse(false, "choose(1,2); choose(0,1)", "choose of 3(0,2)"))
}

// TestTrapBoundedReduction: with a bound on preemptions a trace counts if any of
// its executions keeps to it, not only the one that a search without bound runs.
func TestTrapBoundedReduction(t *testing.T) {
	for bound, traces := range []int{6, 42, 120, 192, 216} {
		r, err := loom.Explore(func() { adds(3, 3) }, loom.Preemptions(bound))
		require.NoError(t, err)
		require.Equal(t, traces, r.Traces)
	}
}

// TestTrapLastAccess: not only the last access to a word can race with a step. A
// load of the thread itself does not hide a remote one before it.
func TestTrapLastAccess(t *testing.T) {
	trap(t, 2, parse(true, "load(0,1)", "load(0,1); store(0,1)"))
	trap(t, 2, parse(true, "load(0,1)", "load(0,1); cas(0,1)"))
	trap(t, 60, parse(true, "casloop(0,1)", "casloop(0,1)", "casloop(0,1)"))
	trap(t, 9, parse(true, "choose(1,1); read word(1,2); read word(0,2)", "", "read word(1,1)", "choose(0,1)"))
}

// TestTrapNumbers: executions number the threads that others start, and objects
// that they touch late, in different orders.
func TestTrapNumbers(t *testing.T) {
	trap(t, 3, parse(true, "spawn(1,1); spawn(1,2)", "spawn(0,1); spawn(0,1)", "", "load(1,2)"))
	trap(t, 4, parse(false, "", "choose(0,2)", "choose(1,2)"))
	trap(t, 69, parse(false, "timer(0,2); lock and keep(1,2)", "", "store(0,1)", "timer(0,1); locked add(1,2)"))
	trap(t, 15, parse(false, "lock and keep(1,2)", "choose(0,1); locked add(0,1)", "choose(0,2)", "nested locks(1,2)"))
}

// TestTrapReaders: any of several steps that commute may be what keeps another
// from being done.
func TestTrapReaders(t *testing.T) {
	trap(t, 14, parse(true, "", "trywlock(1,1)", "tryrlock(0,1)", "tryrlock(1,1)"))
	trap(t, 1, parse(true, "read word(0,2)", "read word(0,1)"))
	trap(t, 18, parse(true, "", "tryrlock(1,2)", "tryrlock(1,2)", "wlock(1,2)"))
}

// TestTrapTimers: a timer that was stopped could have fired before.
func TestTrapTimers(t *testing.T) {
	trap(t, 3, parse(true, "", "timer(0,2)"))
	trap(t, 33, parse(true, "", "", "timer(1,2); timer(1,1)", "timer(0,1)"))
	trap(t, 24, parse(false, "timer(1,2)", "", "reset timer(0,1)", ""))
	trap(t, 38, parse(true, "", "reset timer(1,2); reset timer(1,1)"))
}

// TestTrapWaitGroup: the Wait of a WaitGroup comes before an Add also if others,
// which else commute with that one, have to come after it; and Done before an Add
// if it then fails.
func TestTrapWaitGroup(t *testing.T) {
	trap(t, 4, parse(false, "group add(1,2)", "group wait(0,1)", "", "group add(1,1)"))
	for _, body := range []func(){
		func() { var g sync.WaitGroup; all(func() { g.Add(1) }, g.Done) },
		func() { var m sync.RWMutex; all(m.RLock, m.RUnlock) },
	} {
		for _, algorithm := range explore.Algorithms {
			_, err := loom.Explore(body, loom.Algorithm(algorithm))
			require.Error(t, err, algorithm)
		}
	}
}

// TestTrapFailure: with KeepGoing an execution that fails goes on without the
// thread that has, or the order of the steps that it cuts off would not be seen.
func TestTrapFailure(t *testing.T) {
	for _, algorithm := range explore.Algorithms {
		states := map[int32]bool{}
		r, err := loom.Explore(func() {
			var x, y, z atomic.Int32
			a := loom.Go(func() { z.Store(1); x.Store(2) })
			loom.Go(func() {
				x.Store(1)
				if y.Load() == 0 {
					loom.Failf("Planted", "always")
				}
			})
			a.Join()
			states[x.Load()] = true
		}, loom.KeepGoing(), loom.Algorithm(algorithm))
		require.ErrorContains(t, err, "Planted")
		require.Equal(t, map[int32]bool{1: true, 2: true}, states, algorithm)
		require.Zero(t, r.Traces)
		if algorithm == "optimal" {
			require.Equal(t, r.Failures, r.Executions)
		}
	}
}

// TestX01AccessAdvancesTheClock: an access just after a synchronization is not
// covered by it (tokio-rs/loom#119).
func TestX01AccessAdvancesTheClock(t *testing.T) {
	v := violation(t, func() {
		var c cell.Cell[int]
		var x atomic.Int32
		all(func() { x.Store(1); c.Store(1) }, func() {
			if x.Load() == 1 {
				c.Load()
			}
		})
	})
	require.Equal(t, loom.ClaimRace, v.Claim)
}

// TestX02ParkIsNoCondition: a token for a thread and the signals of a Cond are
// different things: a token that comes first is kept, a signal is not, and a Wait
// takes no token (tokio-rs/loom#250).
func TestX02ParkIsNoCondition(t *testing.T) {
	holds(t, func() { // a parker: one token
		var mu sync.Mutex
		cond, token := sync.NewCond(&mu), false
		loom.Go(func() { mu.Lock(); token = true; mu.Unlock(); cond.Signal() })
		other := sync.NewCond(&mu)
		loom.Go(other.Signal)
		mu.Lock()
		for !token {
			cond.Wait()
		}
		mu.Unlock()
	})
	v := violation(t, func() { // the token is for nobody who waits
		var mu sync.Mutex
		cond := sync.NewCond(&mu)
		var token atomic.Bool
		loom.Go(func() { token.Store(true) })
		mu.Lock()
		cond.Wait()
		mu.Unlock()
	})
	require.Equal(t, loom.ClaimDeadlock, v.Claim)
}

// TestX03ReductionKeepsTheFinalStates: with reduction and without there are the
// same final states (a comparison the wrong way round in dscheck lost some).
func TestX03ReductionKeepsTheFinalStates(t *testing.T) {
	p := parse(true, "store(0,1); load(1,1)", "store(1,1); load(0,1)", "add(0,1); add(1,1)")
	all := search(p, explore.Options{Algorithm: "sleep", NoSleep: true})
	best := search(p, explore.Options{})
	require.Greater(t, all.Traces, len(all.Fingerprints))
	require.Equal(t, keys(all.states), keys(best.states))
	require.Equal(t, keys(all.Fingerprints), keys(best.Fingerprints))
}

// TestX04SignalIsNotRemembered: a Signal without a waiter is nothing
// (mratsim/weave#56).
func TestX04SignalIsNotRemembered(t *testing.T) {
	v := violation(t, func() {
		var mu sync.Mutex
		cond := sync.NewCond(&mu)
		loom.Go(cond.Signal)
		mu.Lock()
		cond.Wait()
		mu.Unlock()
	})
	require.Equal(t, loom.ClaimDeadlock, v.Claim)
}

// TestX05StampsAreALogicalClock: Calls and Returns of one execution are all
// different, and an operation that ends before another begins has the lesser
// stamps; without threads there is a history, the empty one (porcupine's).
func TestX05StampsAreALogicalClock(t *testing.T) {
	holds(t, func() {
		var order [4]int64
		a := loom.Go(func() { order[0] = loom.Call(); order[1] = loom.Return() })
		a.Join()
		order[2] = loom.Call()
		order[3] = loom.Return()
		for i := 1; i < len(order); i++ {
			if order[i] <= order[i-1] {
				loom.Failf("Stamps", "%v", order)
			}
		}
	})
	require.Equal(t, 1, holds(t, func() {}).Traces)
}

// TestX06PrimitivesDoWhatTheyPromise: mutual exclusion, readers that share and a
// writer that does not, in every order (awslabs/shuttle#167, #170, #257).
func TestX06PrimitivesDoWhatTheyPromise(t *testing.T) {
	var together bool
	holds(t, func() {
		var rw sync.RWMutex
		readers, writers := 0, 0
		read := func() {
			rw.RLock()
			readers++
			together = together || readers == 2
			if writers > 0 {
				loom.Failf("Exclusion", "a reader beside a writer")
			}
			rw.RUnlock()
			readers--
		}
		write := func() {
			rw.Lock()
			writers++
			if writers != 1 || readers > 0 {
				loom.Failf("Exclusion", "%d writers and %d readers", writers, readers)
			}
			writers--
			rw.Unlock()
		}
		all(read, write, write)
	})
	holds(t, func() {
		var rw sync.RWMutex
		var inside atomic.Int32
		read := func() {
			rw.RLock()
			together = inside.Add(1) == 2 || together
			inside.Add(-1)
			rw.RUnlock()
		}
		all(read, read)
	})
	require.True(t, together, "readers share")
}
