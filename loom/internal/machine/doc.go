// Package machine runs a program under a scheduler of its own: threads that
// stop before every operation on shared memory, so that a controller decides
// which goes next.
//
// # Threads
//
// A thread is a coroutine (iter.Pull); one runs at a time. Before an operation
// on an object it writes down what it is about to do, its pending [Op], and asks
// the [Controller] who is next. If that is itself it goes on without a switch.
// When the controller is asked, every other thread is stopped before an
// operation too, so that the pending operations say all about what can happen.
//
// Some operations are not scheduled: the start of a thread, a Join whose thread
// has ended, the return of a signalled Cond.Wait or of a Yield (await.go). Each is
// enabled for good once it is enabled and changes nothing that another can see, so doing it
// at once loses no behaviour. Accesses to a cell are not scheduled either: they
// are judged by the clocks below.
//
// # Objects
//
// An object is a word, a mutex, a condition variable and so on. A step touches
// exactly one; its [Effect] is that object and a [Mode] that says with which
// other steps on it it commutes. A compare-and-swap that will fail reads, one
// that will succeed writes: the effect is worked out in the state before the
// step. Threads are numbered as they are spawned, objects as they are first
// touched, so the numbers are the same whenever the schedule is.
//
// # Two orders
//
// The order that the search must keep is that of conflicting steps (package
// explore). The order that decides whether two accesses to a cell race is
// another one, the Go memory model's: a store hands its thread's clock to the
// word, a load takes the clock of the store that it observes, a read-modify-write
// does both; unlock to lock, signal to wake, Done to Wait, spawn and join
// likewise. Two stores to one word conflict, but order nothing.
//
// A WaitGroup is judged likewise: an Add that begins a round and a Wait must be
// ordered.
//
// # Who is a thread
//
// Threads are told from other goroutines by package gid (identity.go). Others do
// the real operations; if they use an object of the running execution, that is
// refused. A thread that waits for what no step brings about would stop everything:
// Guard runs explorations on a goroutine that can be left behind (guard.go).
//
// # Ending in the middle
//
// A controller may abandon an execution, and a violation ends it. Every thread
// that is not done is then unwound, the others first that it has itself let run:
// its pending operation, and every later one, calls runtime.Goexit. So
//
//   - a thread takes no further step, whatever it recovers and however it loops,
//     since Goexit is no panic;
//   - its deferred functions run, to the point of their first operation on an
//     object, a Choose, a Go, a Yield: there each ends. Cells can be loaded and
//     stored; that is not checked any more;
//   - a function that panics while the thread ends, or calls Goexit, ends like
//     any other, and the next deferred function runs;
//   - nothing of that is a step or is reported: a violation, an unlock of a lock
//     that is not held, a panic;
//   - threads that have not begun do not begin;
//   - real operations are done as they are written: a deferred function that waits
//     for a channel is found as a blocked thread is (Guard), and one that loops
//     without end and without an operation, as one that computes;
//   - the words, cells and locks that the execution has left are nobody's: to the
//     next one all locks are free, but words keep their values.
//
// A Goexit of the program's own ends its thread and is no violation, but for the
// body, whose Goexit is that of a failed test.
package machine
