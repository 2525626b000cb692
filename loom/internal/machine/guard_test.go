package machine

import (
	"math/bits"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// first is the controller that always takes the first thread that can go on.
type first struct{}

func (first) Next(m *Machine) *Thread {
	set, _ := m.Enabled(nil)
	if set == 0 {
		m.Deadlock()
		return nil
	}
	return m.Thread(bits.TrailingZeros64(set))
}

func (first) Choose(*Thread, int) int { return 0 }

// quick is impatient, for tests.
var quick = patience{look: 5 * time.Millisecond, looks: 3, computes: 50 * time.Millisecond}

// run runs body once, guarded, and returns what the guard says and the machine.
func run(body func(t *Thread)) (*Machine, error) { return runWith(quick, body) }

func runWith(p patience, body func(t *Thread)) (*Machine, error) {
	m := New(first{})
	return m, guard(func() {
		m.Run(func() { body(Current()) })
		m.Close()
	}, p)
}

// blocks are threads that wait for what is no step. release ends that.
var blocks = map[string]func(release chan bool){
	"a receive from a channel":          func(release chan bool) { <-release },
	"a send to a channel":               func(release chan bool) { send(release) },
	"a receive from a nil channel":      func(chan bool) { <-(chan bool)(nil) },
	"a select":                          func(release chan bool) { wait(release) },
	"a select without cases":            func(chan bool) { select {} },
	"the time to pass, in time.Sleep":   func(chan bool) { time.Sleep(time.Hour) },
	"a sync.Mutex of package sync":      func(chan bool) { var mu sync.Mutex; mu.Lock(); mu.Lock() },
	"a sync.RWMutex of package sync":    func(chan bool) { var mu sync.RWMutex; mu.Lock(); mu.RLock() },
	"a sync.WaitGroup of package sync":  func(chan bool) { var g sync.WaitGroup; g.Add(1); g.Wait() },
	"a sync.Cond of package sync":       func(chan bool) { var mu sync.Mutex; mu.Lock(); sync.NewCond(&mu).Wait() },
	"a file or the network":             func(release chan bool) { read() },
	"a receive from a channel, unwound": func(release chan bool) { defer func() { <-release }(); Current().Fail("Planted", "") },
}

// read reads what nobody writes.
func read() {
	r, w, err := os.Pipe()
	if err != nil {
		panic(err)
	}
	defer w.Close()
	_, _ = r.Read(make([]byte, 1))
}

func send(release chan bool) {
	c := make(chan bool)
	go func() { <-release; <-c }()
	c <- true
}

func wait(release chan bool) {
	select {
	case <-release:
	case <-make(chan bool):
	}
}

// TestBlockedThreadIsFound: whatever it waits for, the guard says what that is
// and where, and later executions are none the worse.
func TestBlockedThreadIsFound(t *testing.T) {
	for what, f := range blocks {
		t.Run(what, func(t *testing.T) {
			release := make(chan bool)
			_, err := run(func(me *Thread) { me.Go(func() { f(release) }) })
			require.Error(t, err)
			require.Regexp(t, `^loom: thread 1 waits for [^,]+(, in time.Sleep)? at guard_test.go:\d+\. No step of another thread can end that`, err.Error())
			require.Contains(t, err.Error(), "thread 1 waits for "+strings.TrimSuffix(what, ", unwound")+" at guard_test.go:")
			require.Contains(t, err.Error(), "loom/internal/machine.", "with the stack")

			close(release) // it may run, but not as a thread
			m, err := run(func(me *Thread) { me.Join(me.Go(func() {})) })
			require.NoError(t, err)
			require.True(t, m.Done)
		})
	}
}

// TestComputingThreadIsFound: one that takes no step for long.
func TestComputingThreadIsFound(t *testing.T) {
	var stop atomic.Bool
	_, err := run(func(*Thread) {
		for !stop.Load() {
		}
	})
	require.ErrorContains(t, err, "loom: body has taken no step for 50ms, at guard_test.go:")
	require.ErrorContains(t, err, "It goes on, left behind")
	stop.Store(true)
}

// TestSlowThreadsAreNoStuckOnes: an execution may take its time if it takes steps.
func TestSlowThreadsAreNoStuckOnes(t *testing.T) {
	var r Ref
	p := quick
	p.computes = time.Second // without a step even on a busy machine
	m, err := runWith(p, func(me *Thread) {
		for begin := time.Now(); time.Since(begin) < 2*p.computes; {
			for range beats {
				me.LoadWord(&r, Int)
				me.Wrote(false)
			}
		}
	})
	require.NoError(t, err)
	require.True(t, m.Done)
}

// TestReleasedThreadDoesNothing: a thread that was blocked in the middle of an
// operation of the shim, here a Once, and goes on after the guard has given it up.
func TestReleasedThreadDoesNothing(t *testing.T) {
	release, after, reached := make(chan bool), make(chan bool), make(chan bool)
	var once Ref
	_, err := run(func(me *Thread) {
		me.OnceEnter(&once)
		<-release
		close(after)
		me.OnceDone(&once)
		close(reached)
	})
	require.ErrorContains(t, err, "a receive from a channel")
	close(release)
	<-after
	for range 100 {
		_, err := run(func(me *Thread) { me.Join(me.Go(func() {})) })
		require.NoError(t, err)
	}
	require.Nil(t, Current())
	select {
	case <-reached:
		t.Error("the operation has been done")
	default:
	}
}

// TestGuardHandsOnPanics, with the stack.
func TestGuardHandsOnPanics(t *testing.T) {
	defer func() {
		p := recover()
		require.Contains(t, p, "oh")
		require.Contains(t, p, "TestGuardHandsOnPanics.func")
	}()
	_ = Guard(func() { panic("oh") })
	t.Error("no panic")
}
