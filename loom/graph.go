package loom

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/filch-sched/filch/loom/internal/graph"
	"github.com/filch-sched/filch/loom/internal/machine"
)

// Graph searches all states that body can reach, instead of its executions: the
// threads may loop for ever, and a graph that closes (Report.Exhausted) says what
// holds in runs of any length. The first violation is the error, with one of the
// shortest schedules that lead to it.
//
// Nothing is assumed of the code under check but this: all that its threads share
// is in memory that body names, by [Driver.Root] and [Driver.Own], and lies in
// types of loom/atomic and loom/cell, or behind a lock of loom/sync; what one
// thread alone uses, as a queue's owner some of its fields, may be plain memory. It
// is known as it is: what a thread has read there it may use after its next operation
// only if it is there still.
//
// # Drivers
//
// body is a driver: the most general client of the code under check. It makes the
// objects, names them, and starts threads that do operations for ever, each chosen
// by [Choose]. Nobody else takes a step before body has ended or joined a thread. Between two
// operations a thread calls [Boundary] with all that it remembers. Two owners of
// a lock-free counter:
//
//	loom.CheckGraph(t, func() {
//		d := loom.Drive()
//		var c Counter
//		d.Root("counter", &c)
//		d.Always("Bounded", func() string { ... })
//		for range 2 {
//			loom.Go(func() {
//				for {
//					loom.Boundary(0)
//					if loom.Choose(2) == 0 {
//						c.Inc()
//					} else {
//						c.Dec()
//					}
//					loom.Completed()
//				}
//			})
//		}
//	}, loom.RetryAt("Counter.Inc", "CompareAndSwap"), loom.RetryAt("Counter.Dec", "CompareAndSwap"))
//
// # What a state is
//
// A state is what the named memory holds, who holds and waits for locks, and for
// each thread where it is: the key of its last Boundary, and what its operations
// have returned since then, and what it may have seen under a lock. What a thread
// does next is a function of that, whatever way it has come. Addresses do not
// matter: memory has numbers in the order in which it is reached from the roots.
//
// An edge is one operation on shared memory, with the choices that its thread then
// makes and its accesses to cells before its next operation. A cell that two
// threads can access, one of them to store, in the same state is a data race.
//
// # Graphs that close
//
// Indices and counters that only grow make every state a new one. The driver says
// in which way the code uses them: see the methods of [Driver], and [RetryAt] for
// loops. Each of these is an argument about the code under check, to be written
// beside it; a wrong one merges states that differ. If that shows, since a step
// leads elsewhere than it did before, it is an error. [Exact] leaves all of them
// out, to compare on a bounded driver.
//
// # Runs without an end
//
// [Driver.Progress] claims that every endless run completes operations for ever,
// whichever threads are stopped: lock-freedom. [Driver.NotForever] claims that a
// condition does not hold for ever in a run that is fair to every thread. Both are
// looked for on the closed graph; the schedule of a violation is a path and, from
// the step that the message names on, a cycle.
//
// # Ways to run
//
// The options of Check that say how long, where and in what words hold for Graph,
// too: [Deadline], [MaxSteps], [Deadlock], [Race], [Page], [Replay]. Those that
// choose executions do not. Graph needs the build tag loom. Graphs of one process
// take turns with its explorations.
func Graph(body func(), opts ...Option) (Report, error) {
	c := newConfig(opts)
	c.from()
	r, err := runGraph(body, c)
	var other *otherReplay
	if errors.As(err, &other) {
		return r, nil
	}
	return r, err
}

// CheckGraph is [Graph] for a test: t fails with the violation and its replay
// command, or if the graph does not close, unless Deadline or [MaxStates] asked
// for that.
func CheckGraph(t testing.TB, body func(), opts ...Option) Report {
	t.Helper()
	c := newConfig(opts)
	c.of(t)
	r, err := runGraph(body, c)
	passed(t, r, err)
	return r
}

// RetryAt says, for [Graph], that function has a loop around a compare-and-swap a
// failed round of which leaves nothing behind: after it, all that the thread
// remembers is what it did before the round began, so what it has observed in the
// round is forgotten. A round begins with the load of the word that the
// compare-and-swap is about, in the same function; a loop that begins with the
// compare-and-swap itself forgets the round from the one that failed before.
//
// function is the end of its name, with or without the package, without type
// arguments and stars: "queue.Ring.Pop", "Ring.Pop". op must be "CompareAndSwap".
// Between two calls of function by one thread there must be a Boundary, or a load or
// compare-and-swap in another function.
func RetryAt(function, op string) Option {
	if op != "CompareAndSwap" {
		panic(fmt.Sprintf("loom: RetryAt(%q, %q): the rounds of a loop end with a CompareAndSwap", function, op))
	}
	return func(c *config) { c.retries = append(c.retries, function) }
}

// HeadAt says, for [Graph], that what a thread remembers when it is about to do op in
// function is where it is, by the calls that have led there, and on what it is about
// to do it. So a loop of the code under check that has no [Boundary] in it, as
// that of a thread that this code has started, is one all the same. Whatever else
// the thread goes by must be in memory that roots lead to, or be the same whenever
// this thread is there.
//
// function is called as for [RetryAt]. op is "Load", "CompareAndSwap", "Swap", "Add"
// or "Lock".
func HeadAt(function, op string) Option {
	code, ok := map[string]machine.Code{
		"Load": machine.Load, "CompareAndSwap": machine.CompareAndSwap, "Swap": machine.Swap, "Add": machine.Add, "Lock": machine.Lock,
	}[op]
	if !ok {
		panic(fmt.Sprintf("loom: HeadAt(%q, %q): want Load, CompareAndSwap, Swap, Add or Lock", function, op))
	}
	return func(c *config) { c.heads = append(c.heads, graph.Head{Function: function, Code: code}) }
}

// Exact has [Graph] tell states apart by all that is in them and make accesses to
// cells steps of their own, whatever the driver says makes no difference, and HeadAt;
// RetryAt alone still holds, and what is ignored is. Such a graph closes only if the
// driver bounds its operations.
func Exact() Option { return func(c *config) { c.exact, c.cells = true, true } }

// CellSteps has [Graph] make accesses to cells steps of their own. The verdicts
// are the same.
func CellSteps() Option { return func(c *config) { c.cells = true } }

// WholeKeys has [Graph] keep what states are told apart by, and not only 128-bit
// hashes of it: so that no collision can hide a state. It takes more memory.
func WholeKeys() Option { return func(c *config) { c.whole = true } }

// MaxStates asks for a bounded run of [Graph]: it ends with about n states, and
// what it then has not seen is unknown.
func MaxStates(n int) Option {
	if n <= 0 {
		panic(fmt.Sprintf("loom: MaxStates(%d) is not positive", n))
	}
	return func(c *config) { c.states = n }
}

// Workers has [Graph] run body n times at the same time, on as many processors. Each
// run makes its own objects: what they share with one another, such as variables
// outside of body, is used by all at once. Types of the shim among them are noticed,
// and refused. The graph is the same, and so are verdicts and counts, Executions and
// Steps apart; of several shortest schedules another one may be reported. Where
// goroutines cannot be told apart cheaply, n is taken for 1.
func Workers(n int) Option {
	if n <= 0 {
		panic(fmt.Sprintf("loom: Workers(%d) is not positive", n))
	}
	return func(c *config) { c.workers = n }
}

// Export has [Graph] write the graph to w, once it is closed, as text that is the same
// for all searches of one program. The lines are
//
//	graph S E        how many states and edges there are
//	state N T...     a state, the threads that can take a step there, and, after
//	                 " : ", what [Driver.Show] shows of it
//	N L M            an edge from state N to state M with label L
//
// States have numbers in the order in which a breadth-first search meets them that
// follows edges in the order of their labels; the first is 0. The lines of a state
// are together. A label is the number of a thread, then for each choice of the step
// a dot and its outcome, and then an exclamation mark if the step completes an
// operation. Of symmetric threads the number is a rank, which says what each does
// and not who it is. That w fails is an error of Graph.
func Export(w io.Writer) Option { return func(c *config) { c.export = w } }

// Boundary says, to [Graph], that all that the calling thread remembers is key and
// where in the body it is, of which key must be a function, too: two calls with
// equal keys in the same function of a thread, given to Go, go on alike.
// Elsewhere it does nothing.
func Boundary(key uint64) {
	if t := current(); t != nil {
		t.Bound(key)
	}
}

// BoundaryWithin is Boundary in a function that the code under check calls back: the
// thread remembers where in that code it is, of which the key of its last Boundary
// must tell, and key, which is less than 256.
func BoundaryWithin(key uint8) {
	if t := current(); t != nil {
		t.Bound(t.BoundaryKey()<<8 | uint64(key) | 1<<63)
	}
}
