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
//	  reported by body at add_test.go:18
//
//	   #  at              body            thread 1        thread 2
//	   1  add_test.go:14  go thread 1
//	   2  add_test.go:14  go thread 2
//	   3  add_test.go:13                  int#0 Load = 0
//	   4  add_test.go:13                                  int#0 Load = 0
//	   5  add_test.go:13                                  int#0 Store 1
//	   6  add_test.go:13                  int#0 Store 1
//	   7  add_test.go:15  Join thread 1
//	   8  add_test.go:16  Join thread 2
//	   9  add_test.go:17  int#0 Load = 1
//
//	each step in the column of its thread, with what it wrote, and after = what it got; #0 is the first object used
//
//	replay: LOOM_REPLAY=jii9gs.bc2ba go test -tags loom -run '^TestAdd$' ./add
//
// # What a pass proves, and what not
//
// Go's atomic operations are sequentially consistent: all that a program which
// shares memory only through them, and through locks, can do is to interleave
// its steps. [Check] runs one interleaving of every Mazurkiewicz trace, that is,
// of every class of interleavings that differ only in the order of steps that
// commute, until all have been seen (Report.Exhausted). Plain accesses are not
// steps; each execution checks with vector clocks that those to a [cell.Cell] are
// ordered by the synchronizes-before edges of the Go memory model. If they are
// in all executions, the program has no data race, and the interleavings of its
// steps are all of its behaviours. So for the given body a pass means: no
// schedule of it violates anything. It says nothing about other bodies, with
// more threads or more operations.
//
// Check does not see: channels, select, goroutines started by a go statement,
// context, real time, mutexes of package sync, and calls of C. A thread that blocks
// on one of these blocks the exploration, which is noticed after a second or two,
// and an error. It does not see plain memory outside of a Cell: such memory is
// neither scheduled nor checked for races. Programs that race on purpose are out
// of scope, and so are executions that differ only in when the garbage collector
// runs.
//
// # Setting up
//
// In a module of your own:
//
//	go get github.com/filch-sched/filch@latest
//
// Code under check imports loom/atomic and loom/sync for sync/atomic and sync,
// and loom/time for time.AfterFunc and time.Now; nothing else in it changes. Plain
// memory that threads share goes into a Cell of loom/cell. In the ordinary build
// these are aliases of the standard types, and a Cell is its value: they cost
// nothing, and need no second file for that build. With the build tag loom every
// operation is a step that Check schedules, if the calling goroutine is a thread of
// an exploration; elsewhere it stays the real operation, so the whole test suite
// passes with the tag, too. A test goes into an ordinary file:
//
//	go test ./...               200 rounds on real goroutines, see Stress
//	go test -tags loom ./...    every interleaving
//
// One that is too large for 200 rounds, or means nothing there, can begin its file
// with //go:build loom, or ask for [Enabled].
//
// Code that you cannot or do not want to change can be checked as it is, with tests
// of plain Go, by the command [go tool loom], which swaps the imports and the go
// statements while it builds.
//
// # How to write a test
//
// The body is the first thread of an execution. Others are started by [Go], by
// sync.WaitGroup.Go or as a timer, up to 64 in all. An execution ends when all
// threads have; if they cannot, that is a deadlock, also after the body's end.
// Say what must hold by [Failf], by a panic, or by failing the test; deadlocks,
// data races and livelocks are found without being asked for. [Choose] is for
// inputs that are all to be tried, and [Call] and [Return] for histories of
// operations.
//
// Make everything that the threads share in the body: it runs once for every
// execution, and must behave the same when its threads are scheduled the same. It
// must not use random numbers, the order of maps, the clock, or state that an
// earlier execution has left; if that shows, it is refused. A loop that waits for
// another thread calls [Yield] every time round; one that does not has executions
// without end, and is refused after [MaxSteps].
//
// Begin small: two threads with two operations each. The number of executions
// grows exponentially with both, and most bugs need no more. A program that is too
// large for that is run with [Deadline], which makes a rough guess at how much it has
// not seen, or with a sampler ([Algorithm]).
//
// # Semantics
//
// Signal wakes any waiter of a Cond, and all of them are tried. No wake-up is
// spurious, unless asked for, and no signal is remembered, as in package sync. A
// compare-and-swap or TryLock fails only when it must. A waiting RWMutex.Lock keeps
// new readers out. A timer fires at any step, or is stopped before. A Pool gives a
// thread what the same thread has put. An operation of a Map is one step. Time
// stands still. Where package sync promises less, one thing is tried: Range of a Map
// meets keys in the order in which they came, one step for each, and none that
// comes meanwhile. Words used by the functions of sync/atomic are known by their
// addresses, and must not share memory with a word of a type.
//
// The order of Adds of a WaitGroup makes no trace of its own, and that of read locks
// neither. Where it can matter, because some order takes the counter below zero or
// begins a round that a Wait does not know of, it does make one; and then there are
// no shares.
//
// # What is refused
//
// These are errors that say what is wrong and where, not violations: a body that
// is not deterministic (with both of the steps); a thread that waits for what loom
// does not see, or computes for half a minute (with its stack; the goroutines of
// that execution are left behind, and later explorations are not affected); an
// execution of more than MaxSteps steps (with where it loops); a goroutine of a go
// statement, or of iter.Pull, that uses an object of the execution while that runs; an object that
// somebody outside holds or waits for; a copy of an object; the Join of a thread of
// another execution; an exploration inside another. Goroutines that leave the
// objects of an execution alone are not affected by it, and objects outside of one
// are what they are in package sync. To each execution all locks are free and all
// WaitGroups are 0, while words and cells have the values that they were left with:
// a body that does not set them anew is refused as soon as it reads other values
// after the same steps, or its violation does not come again. Numbers that may be
// addresses are not compared.
//
// # Ends in the middle
//
// The first violation ends its execution, and a search abandons executions whose
// continuations it knows. Their threads are unwound by runtime.Goexit, which no
// recover stops: deferred functions run, each to its first operation on an object
// of the shim, and nothing that happens there is a step or is reported.
//
// # Settings
//
// An option of Check or [Explore] holds for that exploration; a variable of the
// environment holds for all that do not have the option. File names in variables
// are relative to the root of the module, those in options to the directory in
// which the test runs, that of its package. Without either:
//
//	option             variable          default
//	Replay(token)      LOOM_REPLAY       explore
//	Algorithm(name)    LOOM_ALGO         optimal
//	Preemptions(n)     LOOM_PREEMPTIONS  no bound
//	Shard(i, n)        LOOM_SHARD=i/n    everything; all: a process for each processor
//	Checkpoint(file)   LOOM_CHECKPOINT   nothing is saved; a directory
//	-                  LOOM_CHECKPOINT_EVERY  2s, between two times that a search is saved
//	-                  LOOM_REPORT       no report; a file to which each exploration appends a line of JSON
//	Runs(n)            LOOM_RUNS         10,000, samplers only
//	Seed(n)            LOOM_SEED         drawn, samplers only
//	Depth(d)           LOOM_DEPTH        3, sampler pct only
//	Record(w)          -                 nowhere, samplers only
//	Bytes(data)        -                 a search, for fuzz targets
//	Page(file)         LOOM_PAGE         no page
//	-                  LOOM_PROGRESS     a line on a terminal; 0: none, 1: always, else a file
//	-                  LOOM_MODE         operations outside of explorations are the real ones
//	-                  GOGC              400: what an exploration keeps is little, its garbage much
//	Deadline(d)        LOOM_DEADLINE     until the test's own deadline, and then a failure
//	MaxSteps(n)        -                 100,000 steps in an execution
//	KeepGoing()        -                 stop at the first violation
//	AsFound()          -                 look for a shorter schedule of what is violated
//	SpuriousWakeups()  -                 none
//	Deadlock(claim)    -                 the claim Deadlock
//	Livelock(claim)    -                 the claim Livelock
//	Race(claim)        -                 the claim DataRace
//	Stress(rounds)     -                 200 rounds, ordinary build only
//	RetryAt(f, op)     -                 Graph only, as those below: no loop forgets
//	HeadAt(f, op)      -                 all that was observed since the last Boundary counts
//	Exact()            -                 what the driver says makes no difference is made none
//	CellSteps()        -                 accesses to cells are part of the step before them
//	WholeKeys()        -                 hashes of 128 bits
//	MaxStates(n)       -                 all
//	Workers(n)         -                 1
//	Export(w)          -                 nowhere
//
// `go test` shows how exhaustive a pass was only with -v. A pass that saw less than
// all, because of a bound, a deadline or a sampler, or no step of several threads,
// says so without it, in a line on standard error; but of a test whose package is in a
// list (go test ./...), go test shows that only if something fails, too.
// LOOM_PROGRESS=FILE, which may be /dev/tty, gets the line in any case, and LOOM_REPORT
// has all reports.
//
// A TOKEN in LOOM_REPLAY that is none fails the test. One of another test skips
// every test whose Check it meets, so that what was not explored does not count as
// passed: if all are skipped and none fails, the token is mistyped or its test was
// not run.
//
// With LOOM_MODE=perturb, operations on goroutines that are no threads of an
// exploration are delayed now and then, so that tests on real goroutines meet
// orders that they seldom meet; LOOM_SEED repeats the delays of another run, by
// and large. With LOOM_MODE=record they are appended to the file that LOOM_RECORD
// names, in the order in which they are done, each as a line of JSON:
//
//	{"pid":7,"seq":3,"goroutine":21,"kind":"int","object":2,"op":"Add","in":"+1","out":"4","place":"x.go:12"}
//
// with the process; a count of its events; the goroutine as in stack traces; the
// kind and number of the object; the method; what it was given and what it
// returned; and the place of the call. Threads (kind "thread") go, start and end,
// a Cond has "woken", a Timer "fires", a Once "Do", "Do ends" and "Do returns".
// While operations are recorded they are done one at a time.
//
// Without the tag, Check and Explore run the body as a stress test on real
// goroutines, and say so.
//
// [cell.Cell]: https://pkg.go.dev/github.com/filch-sched/filch/loom/cell
// [go tool loom]: https://pkg.go.dev/github.com/filch-sched/filch/loom/cmd/loom
package loom
