// Package queue holds the two queues of a work-stealing scheduler: [Ring], one
// worker's bounded local queue that others steal from by halves, and [Inject],
// the unbounded global queue. Each works alone, for any element type, and
// needs nothing of the other filch packages.
//
// A Ring has one owner, the only goroutine that may call its methods. Everyone
// else holds a [Stealer]. Ownership may pass from goroutine to goroutine, over
// a synchronizes-before edge.
//
// # The words of a ring
//
// Indices are free-running uint32 that wrap; index i lives in slot i mod
// capacity. head packs two of them into one word, steal (high half) and real
// (low half); tail is a word of its own.
//
//	   steal        real              tail
//	     |  claimed   |    visible      |      free
//	-----+------------+-----------------+----------------> index
//	     | one thief  | owner pops here | owner pushes here
//
// steal == real when no thief is active. A thief claims [steal, real) by moving
// real, copies without hurry, and releases by moving steal up to real. Length
// counts from real, capacity from steal: a slot that is still being copied is
// not free (CapacityFromSteal). While steal != real a second thief is told
// [Busy], so one thief at a time is active on a ring (SingleThief).
//
// # The order of steps
//
// Every proof, graph and specification of filch is about exactly these steps.
// A step is one atomic operation or one access to a slot; what is in
// parentheses is local to the owner.
//
//	Push     P1 load head         room: P4 write slot, P5 store tail
//	                              full, thief active: one task to the overflow
//	                              full, no thief: O1
//	         O1 CAS head (h,h)->(t,t), else back to P1
//	         O2 store tail t+cap/2   the oldest half is visible again
//	         O3 read and clear the newest half, hand it and the task over
//	Pop      L1 load head         (real == tail: empty)
//	         L4 CAS head          real+1, and steal too if no thief; else back to L1
//	         L5 read slot, clear slot
//	Batch    P1 load head, P4 write slots, P5 store tail once
//	Steal    S0 load dst.head     (over half taken: no room)
//	         S1 load head         (steal != real: busy)
//	         S2 load tail         (n = 0: empty; n over cap/2: the pair is stale, back to S1)
//	         S5 CAS head          (s,s)->(s,s+n); else back to S1
//	         S6 n times           read slot, clear slot, write dst slot (not the last)
//	         S7 CAS head          (s,r)->(r,r); else load head and again
//	         S9 store dst.tail    if n > 1
//	Inject   I1 lock, I2 closed?, I3 link, I4 store length, I5 unlock
//	         N1 load length       (0: none)
//	         N2 lock, N5 unlink, N4 store length, N6 unlock
//	         C1 lock, set closed, C5 unlock
//
// The loops are the CAS loops of Push, Pop, StealInto and Stealer.Len. A failed
// round leaves nothing behind: all that it read is read again.
//
// # Edges
//
// Go's atomics are sequentially consistent; these are the pairs that the code
// relies on, by the label that both ends carry.
//
//	edge publish   P5, S9, O2 store tail  ->  S2 load tail: the slots below it are written
//	edge release   S7 CAS head            ->  P1, S0 load head: the claimed slots are cleared
//	edge claim     S5, L4, O1 CAS head    ->  the next CAS of head: who took which slots
//	edge length    I4, N4 store length    ->  N1 load length
//
// # Claims
//
//	NoLostTask NoDuplicateTask FIFO StealHalf OverflowKeepsOldest
//	CapacityFromSteal SingleThief BusyIsHonest NoSlotRace NoRetention
//	WrapSafe InjectFIFO ClosedReturnsTasks LenHint LockFree
//
// What each says is in package model; where each is checked, and how far, is in
// the README.
//
// # Sources
//
// The ring is the one of Tokio's multi-thread scheduler (queue.rs, 1.53), which
// took it from the Go runtime (runq in proc.go) and added the second index.
// That an overflow keeps the oldest half is Tokio's rule since 1.52: sending
// the oldest half away can bounce one task for ever. That a thief drops a pair
// of head and tail that cannot be consistent is the Go runtime's rule.
package queue
