// Package loom runs a concurrent Go program in every way that it can run.
//
// Two threads add to a word, and one of the additions can get lost:
//
//	func TestAdd(t *testing.T) {
//		loom.Check(t, func() {
//			var x atomic.Int32 // of loom/atomic
//			add := func() { x.Store(x.Load() + 1) }
//			a, b := loom.Go(add), loom.Go(add)
//			a.Join()
//			b.Join()
//			if n := x.Load(); n != 2 {
//				loom.Failf("NoLostUpdate", "2 threads added 1 and the sum is %d", n)
//			}
//		})
//	}
//
// Under go test -tags loom this fails, always, and shows how:
//
//	loom: NoLostUpdate violated: 2 threads added 1 and the sum is 1
//	  reported by body at add_test.go:10
//
//	   #  at              body            thread 1        thread 2
//	   1  add_test.go:7   go thread 1
//	   2  add_test.go:7   go thread 2
//	   3  add_test.go:6                   int#0 Load = 0
//	   4  add_test.go:6                                   int#0 Load = 0
//	   5  add_test.go:6                                   int#0 Store 1
//	   6  add_test.go:6                   int#0 Store 1
//	   7  add_test.go:8   Join thread 1
//	   8  add_test.go:9   Join thread 2
//	   9  add_test.go:10  int#0 Load = 1
//
//	replay: LOOM_REPLAY=1yqu1xa.bc2ba go test -tags loom -run '^TestAdd$' ./add
//
// # How to use it
//
// Code under check imports loom/atomic and loom/sync for sync/atomic and sync,
// and loom/time for time.AfterFunc and time.Now. Plain memory that threads share
// goes into a [cell.Cell]. In the ordinary build these are aliases of the
// standard types, and a Cell is its value: they cost nothing. With the build tag
// loom every operation is a step that [Check] schedules, if the calling goroutine
// is a thread of an exploration; elsewhere it stays the real operation, so the
// whole test suite passes with the tag, too.
//
// A thread is started by [Go], by sync.WaitGroup.Go or as a timer. The body
// itself is the first; an execution may have 64. An execution ends when all
// threads have; if they cannot, that is a deadlock, also after the body's end.
// Tests say what must hold by [Failf], by a panic, or by failing the test;
// deadlocks and data races are found without being asked for. [Choose] is for
// inputs that are all to be tried, and [Call] and [Return] for histories of
// operations.
//
// The body must behave the same when its threads are scheduled the same. It must
// not use random numbers, the order of maps, the clock, or state that an earlier
// execution has left; if that shows, it is refused. Loops must end for a reason
// other than patience: one that waits for another thread has executions without
// end, and is refused after [MaxSteps].
//
// # What a pass proves
//
// Go's atomic operations are sequentially consistent: all that a program which
// shares memory only through them, and through locks, can do is to interleave
// its steps. [Check] runs one interleaving of every Mazurkiewicz trace, that is,
// of every class of interleavings that differ only in the order of steps that
// commute, until all have been seen (Report.Exhausted). Plain accesses are not
// steps; each execution checks with vector clocks that those to a Cell are
// ordered by the synchronizes-before edges of the Go memory model. If they are
// in all executions, the program has no data race, and the interleavings of its
// steps are all of its behaviours. So for the given body a pass means: no
// schedule of it violates anything. It says nothing about other bodies, with
// more threads or more operations.
//
// Signal wakes any waiter of a Cond, and all of them are tried. No wake-up is
// spurious and no signal is remembered, as in package sync. A compare-and-swap
// or TryLock fails only when it must. A waiting RWMutex.Lock keeps new readers
// out. A timer fires at any step, or is stopped before. A Pool gives a thread
// what the same thread has put. Time stands still.
//
// # What it cannot see
//
// Channels, select, goroutines started by a go statement, context, real time and
// mutexes of package sync: a thread that blocks on one of these blocks the
// exploration. A search that sees no new execution for one minute, which it looks
// for once a minute, ends the program with a panic that says so and shows the
// stacks of all goroutines: a blocked goroutine cannot be ended. Plain memory
// outside of a Cell: it is neither scheduled nor checked for races. Memory orders
// weaker than Go's. Programs that race on purpose. Executions that differ only in
// when the garbage collector runs.
//
// # Ends in the middle
//
// The first violation ends its execution, and a search abandons executions whose
// continuations it knows. Their threads are unwound: from then on each of their
// operations panics, and if that is recovered often enough calls runtime.Goexit.
// Deferred functions run, but what they do to objects of the shim is cut short
// the same way. Nothing that happens there is reported.
//
// # Settings
//
//	LOOM_REPLAY=TOKEN  run only the execution that TOKEN describes and print it
//	LOOM_ALGO=sleep    the search; there is only this one
//
// A TOKEN that is none fails the test. One of another test skips every test whose
// Check it meets, so that what was not explored does not count as passed: if all
// are skipped and none fails, the token is mistyped or its test was not run.
//
// Without the tag, Check and [Explore] run the body as a stress test on real
// goroutines, and say so. The identity of a goroutine is its runtime descriptor
// (package gid); on architectures where that is unknown, every goroutine is taken
// for the running thread while an exploration runs.
//
// [cell.Cell]: https://pkg.go.dev/github.com/filch-sched/filch/loom/cell
package loom
