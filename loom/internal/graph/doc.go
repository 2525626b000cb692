// Package graph searches all states of a program that package machine runs,
// instead of its executions: an execution may have no end, and there are more of
// them with every operation, while the states may be few.
//
// # States
//
// The state of a program is what its memory holds and where its threads are.
// Memory is written down by package memory, from the roots that the driver names.
// Where a thread is cannot be seen, but it is a function of what the operations of
// the thread have returned; and between two operations of a driver, at a boundary,
// of what the driver says its local state is. So a thread is written down as the
// key of its last boundary and what it has observed since. Two executions that
// come to equal writings can be continued in the same ways. The search needs one
// of them.
//
// # Search
//
// The search is breadth first, by running the program again: from the first state
// along the shortest path to a state, and then one more step. A step is one
// operation on shared memory, cells included, with all that its thread does until
// its next. A boundary is no step of its own: leaving it is one with the operation
// that follows, if that is enabled. An edge is a step with the outcomes of the
// choices that its thread makes in it.
//
// Memory that threads share and no root leads to would be missing in the keys.
// An object of the shim that no root leads to belongs to the operation that uses
// it, and is written with its thread; if a later operation, or another thread,
// comes across it, the search ends with an error.
//
// # Smaller graphs
//
// Every reduction is an argument of the driver's, and can be left out to compare:
//
//   - Rewrite: the code under check uses a word only in a way in which two values
//     cannot be told apart, for instance as a difference to another word.
//   - RetryAt: a failed round of a loop around a compare-and-swap leaves nothing
//     behind, so what its thread has observed in the round is forgotten.
//   - Symmetric: threads with the same code are interchangeable, so the state does
//     not say which of them is where.
package graph
