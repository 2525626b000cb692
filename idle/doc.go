// Package idle decides who searches, who sleeps and whom to wake, among a fixed
// number of workers that share work. It does not know what the work is or
// where it is kept.
//
// # The law
//
// Whoever publishes a task where others can take it, by a push, a refill, an
// overflow, a steal or by moving it out of a private place, afterwards calls
// [Tracker.Wake], unless it is itself counted as searching. A worker that
// searched and found work calls [Tracker.StopSearch] before it runs it; one
// that found nothing calls [Tracker.Park] and then sleeps until it is woken;
// woken, it calls [Tracker.Resume]. Every wake goes through this package: a
// worker woken behind its back makes the counts wrong for ever.
//
// If all keep the law, then no task waits while a worker sleeps and nobody
// looks for work (NoLostWakeup), and none waits behind a busy worker while
// another sleeps (WorkConserving).
//
// # The word
//
// One word holds two counts: searching (low 16 bits) and unparked (high 16
// bits). Sleepers are listed under a lock. Whenever the lock is free, unparked
// is the number of workers less the number of sleepers (CountsMatchSleepers).
//
// # The order of steps
//
//	Wake        W1 load word            someone searches or nobody sleeps: done
//	            W2 lock
//	            W4 load word, CAS +1 searching +1 unparked; re-checks W1 each time
//	            W5 take the newest sleeper, W6 unlock, W7 unpark it
//	Park        T2 lock
//	            T3 add -1 unparked, and -1 searching if counted
//	            T4 list the worker, T5 unlock
//	            T6 if searching is 0 now: look at every source of work; any: Wake
//	TrySearch   E1 load word            at the bound: refused
//	            E2 CAS +1 searching, else E1
//	StopSearch  X1 add -1 searching     X2 was the last: Wake
//	Resume      F1 lock, F2 listed?, F3 counted as searching?, F4 unlock
//	WakeWorker  V1 lock, listed? no: V3   V2 add +1 unparked, V3 unlock
//	            A6 unpark it
//	WakeAll     A1 lock, take the list, A2 add +1 unparked for each, A5 unlock
//	            A6 unpark each
//
// The waker counts the chosen worker as unparked and searching before it wakes
// it: until that worker runs, every other waker sees a searcher and leaves it
// at that (OneWakeInFlight). Woken, and successful, it wakes the next: the
// number of workers awake grows as fast as there is work for them.
//
// # Why nothing is missed
//
// A publisher stores the task and then loads the word; a worker going to sleep
// changes the word and then looks for tasks. Atomics being sequentially
// consistent, one of the two sees the other. Both orders matter:
//
//	Publisher              Worker
//	store the task         add -1 to the word
//	load the word          look at every source
//
// Tokio's rule is that only a worker that was itself the last searcher looks
// again (idle.rs, worker.rs, 1.53). Then a worker that was refused to search
// can fall asleep next to queued work, while the only searcher takes one task
// and wakes nobody, since nobody sleeps yet. Here the look is due whenever a
// park leaves searching at 0.
//
// # Edges
//
//	edge sleep   T3 add word        ->  W1, W4 load word: the worker will see what was published before
//	edge count   W4 CAS, E2 CAS, X1 add, T3 add of word, one order for all
//
// # Claims
//
//	CountsMatchSleepers SearchersBounded OneWakeInFlight NoLostWakeup
//	WorkConserving NoIdleSpin
//
// # Sources
//
// The word, the order and the chained wake are those of Tokio (idle.rs); the
// argument in two columns is the Go runtime's (proc.go, "Worker thread
// parking/unparking"). The exact bound on searchers, the wider final look and
// the reason on every wake are filch's own.
package idle
