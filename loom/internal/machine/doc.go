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
// has ended, the return of a signalled Cond.Wait, a Choose. Each is enabled for
// good once it is enabled and changes nothing that another can see, so doing it
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
// # Ending in the middle
//
// A controller may abandon an execution, and a violation ends it. Every thread
// that is not done is then unwound: its pending operation, and every later one,
// panics with a private value, and from the ninth on calls runtime.Goexit, which
// no recover stops. Deferred functions run; they cannot wait for other threads,
// since none of their operations returns. A thread that never again touches an
// object while it loops is beyond this.
package machine
