package machine

import (
	"fmt"
	"iter"
	"runtime"
	"sync/atomic"
)

// coro is a coroutine that runs one thread after the other.
type coro struct {
	m     *Machine
	t     *Thread      // whose turn it is here, for its own goroutine to look at
	id    atomic.Int32 // of t, for others
	gid   uintptr      // constant from before anyone else knows of the coroutine
	calls bool         // waits in handOver for a coroutine that it has resumed
	next  func() (struct{}, bool)
	stop  func()
	yield func(struct{}) bool
	dead  bool // its goroutine is inside Goexit and good for nothing but its end
}

// unwind ends the calling thread. Code under check recovers panics, in loops even,
// and so that it cannot go on it gets none: Goexit is what no recover stops.
func (t *Thread) unwind() {
	t.unwinds++
	runtime.Goexit()
}

// coroutine returns a coroutine whose next resumption runs t.
func (m *Machine) coroutine(t *Thread) *coro {
	if n := len(m.idle); n > 0 {
		co := m.idle[n-1]
		m.idle = m.idle[:n-1]
		co.t = t
		co.id.Store(int32(t.id))
		return co
	}
	co := &coro{m: m, t: t}
	co.id.Store(int32(t.id))
	co.next, co.stop = iter.Pull(func(yield func(struct{}) bool) {
		co.yield, co.gid = yield, identity()
		enlist()
		room(0)
		if yield(struct{}{}) {
			co.serve()
		}
	})
	co.next() // learn its identity
	if m.seat != nil {
		enroll(co)
	}
	return co
}

// room makes sure that the calling goroutine has some thousand bytes of stack left,
// which threads and searches need, most often not more. A stack grows by moving,
// twofold each time, and what that takes is proportional to how many calls are on
// it: so the time for it is before there are any.
//
//go:noinline
func room(i int) byte {
	var bytes [6000]byte
	bytes[i] = 1
	return bytes[len(bytes)-1-i]
}

// handOver lets the target run and returns when it is the turn of t, or when t
// is to be unwound.
//
// To go back to Run and have it resume the target would be two switches. So t
// resumes the target itself, and waits for it as Run waits for t: in a chain,
// of which only the last coroutine runs. A target in the chain is reached by
// yielding down to it.
func (m *Machine) handOver(t *Thread) {
	co := t.co
	for m.target != t && !m.ending {
		if to := m.target.co; to != nil && to.calls {
			co.yield(struct{}{})
			return // and resume has said who runs
		}
		co.calls = true
		m.resume(m.target)
		co.calls = false
	}
	m.hand(co)
}

// serve runs threads until it is stopped. If a thread calls Goexit, the
// deferred function is all that still runs here: it keeps iter.Pull from
// passing the Goexit on to the controller's goroutine, by not returning before
// reap has another goroutine that can take it.
func (co *coro) serve() {
	stopped := false
	defer func() {
		if stopped {
			return
		}
		co.dead = true
		if co.t.id == 0 && co.t.unwinds == 0 {
			co.m.fail(Failure{Kind: ExitFailure, Thread: 0, Message: "the body called runtime.Goexit"})
		}
		co.m.end(co.t)
		co.yield(struct{}{})
	}()
	for !stopped {
		co.run()
		co.m.end(co.t)
		stopped = !co.yield(struct{}{})
	}
}

// run runs the thread of co. It returns unless the thread called Goexit.
func (co *coro) run() {
	t := co.t
	defer func() {
		// A thread that is being unwound may well panic with something else.
		if p := recover(); p != nil && t.unwinds == 0 {
			f := Failure{Kind: PanicFailure, Thread: t.id, Message: fmt.Sprint(p)}
			if t.m.Tracing {
				f.Site = t.here()
			}
			t.m.fail(f)
		}
	}()
	if t.op.Code == Fire {
		t.fire()
	}
	t.f()
	t.settle()
}

// unwindAll ends every thread that is not done and takes the coroutines back.
func (m *Machine) unwindAll() {
	m.ending = true
	for _, t := range m.threads[:m.n] {
		if t.co == nil {
			t.done = true
		} else if !t.done {
			m.resume(t)
		}
	}
	for _, t := range m.threads[:m.n] {
		if t.co == nil {
			continue
		}
		if t.co.dead {
			m.doomed = append(m.doomed, t.co)
		} else {
			m.idle = append(m.idle, t.co)
		}
		t.co, t.f = nil, nil
	}
	// Before any goroutine ends: another may get its identity.
	m.hand(nil)
	if len(m.doomed) >= enough {
		m.reap()
	}
}

// enough is how many coroutines inside Goexit wait for their end: to end one costs
// as much as to end many.
const enough = 64

// reap ends the coroutines that are inside Goexit. Their Goexit comes out of
// stop, so a goroutine made for that takes it; every deferred stop still runs.
func (m *Machine) reap() {
	if len(m.doomed) == 0 {
		return
	}
	for _, co := range m.doomed {
		m.dismiss(co)
	}
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		for _, co := range m.doomed {
			defer co.stop()
		}
	}()
	<-gone
	m.doomed = m.doomed[:0]
}
