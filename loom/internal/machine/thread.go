package machine

import "slices"

// Thread is a thread of the model. Its methods, but for ID and Effect, are
// called by the thread itself, before the operation that they announce is done
// on the real word: they return when it is its turn.
type Thread struct {
	m    *Machine
	id   int
	from int // the thread that started it, -1 for the body
	nth  int // how many threads that one had started before
	born int // how many threads this one has started
	f    func()
	co   *coro // nil until it first runs
	op   Op
	done bool

	failed bool // it violated something, and the execution goes on without it

	clock   Clock
	joiners []*Thread
	joined  uint64 // threads that had ended and were joined by it, or by one that it then joined or comes from

	// A waiter of a condition variable: whether it has been signalled, whether
	// it sleeps already, what the signaller knew and who that was.
	signalled, asleep bool
	wake              Clock
	waker             *Thread
	values            uint64 // see Read
	wokenBy           int    // how many decisions there were when it was signalled
	disturbed         bool   // whether a Wait of it has returned without a signal

	// What it has looked at, as far as the round of a Yield to come may have it
	// (await.go).
	looks    []look
	base     int // how many are forgotten, and traces count for one
	fresh    int // those of looks before its last Yield
	window   int // those of looks before the round of the Yield that it is in
	rounds   []round
	turns    uint32 // how often it has returned from Yield
	traced   bool   // it has left a trace since its last Yield
	tracedTo int    // base after the last trace

	tracedBy Code   // what left the trace, for reports
	hinted   bool   // whether its last Yield did not wait because of one
	circling string // why a loop of it does not wait, see Round

	seeing  *Watch // that of the machine
	witness        // what is kept for it
	kept    pose   // what it is, while it poses as another (local.go)

	on        *object // what it sleeps on, for reports
	lookSites []Site  // of looks, only while tracing
	site      Site    // of the pending operation, only while tracing
	origin    Site    // where it was started, only while tracing
	unwinds   int     // how often it has been told to end
}

// ID returns the number of the thread; the body is 0.
func (t *Thread) ID() int { return t.id }

// Parent returns the number of the thread that started this one, -1 for the body.
func (t *Thread) Parent() int { return t.from }

// Nth returns how many threads Parent had started before this one. Parent and
// Nth name the same thread in all executions, while its number depends on the
// order in which different threads start others.
func (t *Thread) Nth() int { return t.nth }

// before orders threads by the names that Parent and Nth give them.
func (t *Thread) before(u *Thread) bool {
	up := func(t *Thread) int {
		n := 0
		for ; t.from >= 0; t = t.m.threads[t.from] {
			n++
		}
		return n
	}
	m, i, j := t.m, up(t), up(u)
	for t != u {
		if i == j && t.from == u.from {
			return t.nth < u.nth
		}
		// One that is an ancestor of the other comes first.
		switch {
		case i > j:
			t, i = m.threads[t.from], i-1
			if t == u {
				return false
			}
		case j > i:
			u, j = m.threads[u.from], j-1
			if t == u {
				return true
			}
		default:
			t, u, i, j = m.threads[t.from], m.threads[u.from], i-1, j-1
		}
	}
	return false
}

func byName(t, u *Thread) int {
	if t.before(u) {
		return -1
	}
	return 1
}

// over reports whether t is to be unwound: what it does is not part of the
// execution any more.
func (t *Thread) over() bool {
	if t.m.abandoned.Load() {
		stay()
	}
	return t.m.ending || t.failed
}

// Run returns a number that no other execution in this process has.
func (t *Thread) Run() uint64 { return t.m.run }

// Site returns where the thread does what it does next, only while tracing.
func (t *Thread) Site() Site { return t.site }

// Here returns where the thread is, which must be the calling one.
func (t *Thread) Here() Site { return t.here() }

// Pending returns what the thread does next.
func (t *Thread) Pending() *Op { return &t.op }

// Ended reports whether the thread is done.
func (t *Thread) Ended() bool { return t.done }

// CanStep reports whether the thread can take a step now.
func (t *Thread) CanStep() bool { return !t.done && t.op.enabled() }

// Effect returns what the next step of the thread would do now.
func (t *Thread) Effect() Effect {
	if t.op.obj == nil {
		return Effect{-1, Read} // a boundary
	}
	return Effect{t.op.obj.id, t.m.Mode(t.op.Code, t.op.mode())}
}

// spawn makes a thread that runs f. parent is nil for the body.
func (m *Machine) spawn(parent *Thread, f func()) *Thread {
	t := m.thread(parent, f)
	t.op.Code = Start
	m.ready = append(m.ready, t)
	return t
}

// thread makes a thread that knows what parent knows.
func (m *Machine) thread(parent *Thread, f func()) *Thread {
	if m.n == MaxThreads {
		m.misuse("loom: more than %d threads in one execution, timers included; the last is started at %v", MaxThreads, parent.here())
		parent.unwind()
	}
	if m.n == len(m.threads) {
		m.threads = append(m.threads, &Thread{})
	}
	t := m.threads[m.n]
	witness := t.witness.again()
	clock, joiners, wake, looks, sites, rounds := t.clock[:0], t.joiners[:0], t.wake[:0], t.looks[:0], t.lookSites[:0], t.rounds[:0]
	*t = Thread{} // in place, which a literal that uses what was there is not
	t.m, t.id, t.from, t.f = m, m.n, -1, f
	t.seeing, t.witness, t.traced = m.Watch, witness, m.NoYield // with a trace, it remembers nothing
	t.clock, t.joiners, t.wake, t.looks, t.lookSites, t.rounds = clock, joiners, wake, looks, sites, rounds
	m.n++
	m.live++
	if parent != nil {
		t.from, t.nth = parent.id, parent.born
		parent.born++
		t.joined = parent.joined
		m.link(parent, t, -1)
		t.clock.copyFrom(parent.clock)
		parent.clock.tick(parent.id)
		if m.Tracing {
			e := m.event(parent, Start, nil, Read)
			t.origin = parent.here()
			e.Other, e.Site = t.id, t.origin
		}
	}
	t.clock.tick(t.id)
	return t
}

// Go starts f on a new thread.
func (t *Thread) Go(f func()) *Thread {
	if t.over() {
		t.unwind()
	}
	t.settle()
	t.trace(Start)
	return t.m.spawn(t, f)
}

// Join waits until other, of the same execution, is done.
func (t *Thread) Join(other *Thread) {
	if t.over() {
		t.unwind()
	}
	if t.m.Tracing {
		t.site = t.here()
	}
	if !other.done || other.failed { // nobody learns of the end of one that has failed
		other.joiners = append(other.joiners, t)
		t.sleep(Join)
	}
	t.clock.join(other.clock)
	t.joined |= other.joined | 1<<other.id
	t.m.link(other, t, -1)
	t.observed(Join, nil)
	if t.m.Tracing {
		e := t.m.event(t, Join, nil, Read)
		e.Other, e.Site = other.id, t.site
	}
}

// Choose returns a number in [0, n) and has the controller try all of them.
func (t *Thread) Choose(n int) int { return t.decide(Choose, n) }

// decide is a step that makes a choice and nothing else. It commutes with all
// steps of other threads. It is a step so that a controller can put the choice
// at any place in an order of steps that it wants to see.
func (t *Thread) decide(code Code, n int) int {
	t.step(code, t.m.object(&t.m.choices, Choices))
	t.move()
	t.trace(code)
	return t.choose(n)
}

// choose has the controller choose how the step that t has just taken goes on.
func (t *Thread) choose(n int) int {
	m := t.m
	v := m.ctl.Choose(t, n)
	if m.ending {
		t.unwind()
	}
	m.decisions++
	t.Observe(uint64(v))
	if m.Tracing {
		m.Trace[len(m.Trace)-1].Choice = v
	}
	return v
}

// step waits for the turn of t to do code on o.
func (t *Thread) step(code Code, o *object) {
	m := t.m
	if t.over() {
		t.unwind()
	}
	t.op.Code, t.op.obj = code, o
	if m.Tracing {
		t.site = t.here()
	}
	if m.live > 1 || !m.Solo || !t.alone() {
		if next := m.next(); next != t {
			t.giveWay(next)
		}
	}
	t.taken()
}

// taken accounts for the step that t takes now.
func (t *Thread) taken() {
	m := t.m
	m.Steps++
	m.decisions++
	m.last = t
	if t.seeing != nil {
		t.observed(t.op.Code, t.op.obj)
	}
	if m.Steps&(beats-1) == 0 {
		running.beat.Add(1)
	}
	if m.MaxSteps > 0 && m.Steps > m.MaxSteps-lastSteps {
		t.long()
	}
	if m.Tracing {
		m.event(t, t.op.Code, t.op.obj, t.op.mode()).Site = t.site
		if !t.op.Code.says() {
			m.tell()
		}
	}
}

// sleep waits for an event that puts t among the ready threads.
func (t *Thread) sleep(code Code) {
	t.op.Code, t.op.obj = code, nil
	if t.m.Tracing {
		t.site = t.here()
	}
	t.turn()
}

// turn returns when it is the turn of t.
func (t *Thread) turn() {
	if next := t.m.next(); next != t {
		t.giveWay(next)
	}
}

// giveWay lets next run and returns when it is the turn of t.
func (t *Thread) giveWay(next *Thread) {
	m := t.m
	m.target = next
	if next == nil {
		t.unwind()
	}
	m.handOver(t)
	if m.ending {
		t.unwind()
	}
}

// end marks t done and chooses who runs next. It is the last thing that happens
// on the goroutine of t in this execution.
func (m *Machine) end(t *Thread) {
	if m.abandoned.Load() {
		stay()
	}
	t.done = true
	m.live--
	m.target = nil
	if m.ending {
		return
	}
	if !t.failed { // see Join
		// By name, since the order in which they have come to their Joins is
		// nobody's business: executions that differ in that are equivalent.
		slices.SortFunc(t.joiners, byName)
		m.ready = append(m.ready, t.joiners...)
	}
	m.target = m.next()
}
