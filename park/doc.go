// Package park puts one goroutine to sleep until another wakes it. A [Parker]
// holds at most one token: Unpark leaves it, Park takes it, waiting if it must.
//
// A Parker has one owner at a time, the only goroutine that may call Park and
// ParkTimeout. Anyone may call Unpark and Close.
//
// # The order of steps
//
//	Park     K1 CAS NOTIFIED->EMPTY      taken: return
//	         K0 load closed              closed: return
//	         K2 lock
//	         K3 CAS EMPTY->PARKED        else swap EMPTY, unlock, return
//	         K4 wait, K5 CAS NOTIFIED->EMPTY, else (a spurious wake-up) K4 again
//	         K6 unlock
//	Unpark   U1 swap NOTIFIED            was not PARKED: done
//	         U2 lock, unlock             the owner is past K3 and holds the lock until it waits
//	         U3 signal
//	Close    C1 store closed, then Unpark
//	Timeout  as Park; the timer locks, marks its park expired, signals, unlocks;
//	         the owner then swaps EMPTY and says whether a token was there
//
// Unpark swaps whatever the state is, NOTIFIED too: what its caller wrote
// before is visible to the Park that takes the token, also when an earlier
// Unpark left it (UnparkPublishes).
//
// # Edges
//
//	edge wake    U1 swap, C1 store  ->  K1, K3, K5 and the swaps of the owner
//
// # Claims
//
//	TokenKept TokenSingle UnparkPublishes ShutdownWakes
//
// # Sources
//
// The states and the order are those of Tokio's multi-thread parker (park.rs,
// 1.53), which are those of Rust's std::thread::park.
package park
