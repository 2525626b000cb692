// Loom runs the tests of a module whose source it does not touch, and explores
// those that start goroutines: runs them in every way in which their goroutines
// can interleave.
//
// In a module of your own:
//
//	go get -tool github.com/filch-sched/filch/loom/cmd/loom
//	go tool loom go test ./...
//
// The tests need no other dependency, and nothing of package loom.
//
// A test of plain Go, which passes practically always,
//
//	func TestAdd(t *testing.T) {
//		var n atomic.Int32
//		var wg sync.WaitGroup
//		for range 2 {
//			wg.Go(func() { n.Store(n.Load() + 1) })
//		}
//		wg.Wait()
//		if n.Load() != 2 {
//			t.Errorf("added 1 twice, and the sum is %d", n.Load())
//		}
//	}
//
// then fails always, and shows the steps that lead there, with the files and lines
// as they are, and a command that runs those steps again:
//
//	replay: LOOM_REPLAY=jii9gs.a2bc3b2a3 go tool loom go test -run '^TestAdd$' .
//
// What is not checked, or not as you may expect, is listed before the run, with
// file and line. What became of each exploration is said after it. The exit
// status is that of go test, and 1 if nothing was explored.
//
// # What is explored
//
// A test is explored if it, or a function of your module that it may call, has a
// go statement or a call of WaitGroup.Go. Who may call whom is found out from the
// source: who mentions a function is taken to call it, and a method of an interface
// stands for all methods of that name in your module. The other tests, and those
// that call package loom themselves, run once as usual, and are listed.
//
// An exploration is refused where it comes to what it would wait for in vain, or
// to a goroutine that it could not follow, with file and line: an operation on a
// channel, select, a timer of package time, context.AfterFunc, io.Pipe,
// testing/synctest, a Group of golang.org/x/sync/errgroup. If it never comes there,
// as a cache does not come to its janitor, nothing is lost. A test that has one of
// these in its own body is not begun. Refused, too, is one that turns out to have
// more than 64 threads, more than 100,000 steps, a goroutine that another package
// has started, or to depend on more than the order of its steps. A refused test
// runs once as usual, after it has been begun; that is said loudly and does not
// fail. One that passes without a second thread, or whose threads call a package
// that is not rewritten in an order that no step decides, is NOT CHECKED, and runs
// once as usual as well.
//
// With -explore REGEXP the tests whose names match are explored, and no others,
// whatever is in them. One that is refused or not checked then fails, with the
// place that it has come to. With LOOM_ALGO=random or urw, which draw executions, tests can be
// run that have executions without end, such as with loops that do not wait (see
// below); what they do not see is not known.
//
// If the goroutines of a test start in the functions that it gives to t.Run, the
// test itself runs as usual and each of these is explored by itself. Elsewhere a
// subtest is a part of the execution that it is in. The body of an explored test
// runs once for every execution: keep what it changes in the body, not in variables
// of the package or of the test around it. For a thread of an exploration Error,
// Fatal and their like end the execution as a violation; Cleanup, TempDir, Setenv,
// Chdir and Context hold for one execution; Log is quiet but in a replay; Parallel
// does nothing; an execution that skips counts as skipped.
//
// An exploration is over when all traces have been seen, see package loom for what
// that proves, or after the time of -for, 10 seconds if it is not given. Then the
// test passes and "NOT EXHAUSTED" says what was seen. With -for 0 there is no bound
// but that of go test -timeout, and one that does not come to its end fails. The
// variables in the table of package loom, such as LOOM_ALGO and LOOM_PAGE, hold for
// these explorations, too.
//
// # What is rewritten
//
// In every package of your own module, or of all modules of a workspace, and in no
// other:
//
//   - The imports of sync and sync/atomic, whatever name they have, become those of
//     packages with the same names, types and functions, whose operations are
//     steps. The types have the size and layout of the real ones. A dot import of
//     them is refused.
//   - A go statement starts a thread if it is executed by one, and a goroutine if
//     not. The function and its arguments are evaluated where the statement is. Two
//     rare forms are refused, with what to write instead.
//   - Loads and stores of plain memory are checked for data races: struct fields,
//     elements of slices, arrays and maps, what pointers point at, variables of
//     packages, and local ones that function literals share; also against atomic
//     operations on the same variable. They are no steps:
//     see package loom for why that is enough. -track=false leaves them alone, and
//     lists instead what threads may share. What append, copy and other packages
//     do is not watched.
//   - time.Now, time.Since and time.Until stand still, time.Sleep returns at once.
//   - runtime.Gosched and time.Sleep in a loop are waits, see loom.Yield, if going
//     round again can only repeat what has been: until something has changed that
//     the thread has looked at. An empty loop body waits, too. See below.
//   - Operations on channels and what else cannot be followed: they refuse.
//   - Calls of packages outside of your module that import sync: of each it is
//     known which thread makes it.
//   - Tests that are explored, and uses of *testing.T.
//
// The rewritten source is handed to go test with -overlay; a -overlay of your own
// is taken into account. With -backend=copy go test runs in a copy of the module
// instead, which is slower, for what an overlay does not do: tests that read the
// source, tools in -toolexec, and -cover, which chooses it by itself. The tag loom is added to your -tags. All other
// flags and the arguments are those of go test.
//
// # Loops that wait
//
// These wait:
//
//	for !ready.Load() {
//		runtime.Gosched()
//	}
//	for {
//		slot = &slots[pos&mask]
//		if slot.turn.Load() == pos && head.CompareAndSwap(pos, pos+1) {
//			break
//		}
//		pos = head.Load()
//		runtime.Gosched()
//	}
//
// The first carries nothing from one round to the next: it has no init and post
// statement, and gives no variable from outside of it a value that depends on one
// which it assigns. The second carries pos and slot. With -track the exploration
// compares what such a loop carries, in the variables of its function that the
// loops around the call may change: it waits when the thread has been there with
// the same values, and has changed nothing since that others could see. These do
// not wait:
//
//	for i := 0; i < 3 && !ready.Load(); i++ { // gives up by itself, and must
//		runtime.Gosched()
//	}
//	for spins := 0; !ready.Load(); spins++ { // in each round spins is another
//		runtime.Gosched()
//	}
//
// Nobody can tell the second from one that gives up. Its executions have no end,
// which is refused after 100,000 steps, with the loop and the variable. Nor do
// loops that call Gosched in a function of its own, have a defer statement, range
// without a key, or stand in a function with goto.
//
// # What it cannot do
//
// Source that hands a type of sync or sync/atomic to a package outside of your
// module, or takes one from it, does not build when it is rewritten: the message
// is about your files. Packages outside of your module stay as they are: what they
// do with sync are no steps, and what they do to memory is not watched; those that
// import sync and that your tests call are listed. A test that calls one is then
// explored only in what your own module does. If two of its threads call one, on
// the same object or by functions of the package, and no step of your module puts
// the calls in an order, the test is NOT CHECKED. Calls through interfaces of your
// own are not noticed, nor are those of the standard library, such as cancelling a
// context. Variables of packages keep their values from one execution to the next,
// and are listed. Calls of C are no steps.
package main
