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
// If a state is no more than words, with no lock held and nobody waiting for anything,
// a step is taken once for each memory and thread that it is taken with, and known in
// all other states (memo.go). States then come in the order of their distance, and the
// program runs only where a step is missing.
//
// Else it is run again and again: from the first state along a path to a state
// with an edge that is not known, and from there on along edges that are not, for
// as long as there are some close by (walk.go, onward.go). Then the execution goes
// home along known edges, to where every thread is between two operations like in
// the first state: there nothing but memory differs from other such states, so one of
// these is put in its place, from which a path leads to the next state with edges to
// be followed (hub.go). So a run of the program pays for hundreds of edges. Paths are
// made the shortest that the known edges give now and then, and at the end; once a
// failure is found, only what could lead to one sooner is looked at, so the failure
// that is reported is one of the nearest.
//
// A step is one operation on shared memory with all that its thread does until its
// next, accesses to cells and choices included. Leaving a boundary is one with the
// operation that follows, if that is enabled. An edge is a step with the outcomes of
// its choices.
//
// Known edges are gone along, too, on the way to others and, in the end, at random.
// If one leads elsewhere than before, keys have merged states that differ, or the
// body is not deterministic: that ends the search with an error. So does an object
// of the shim that several operations use and no root leads to: its value would be
// missing in the keys. What plain memory holds that a lock guards is an observation
// of whoever takes the lock.
//
// # Smaller graphs
//
// Every reduction is an argument of the driver's, and can be left out to compare:
//
//   - Rewrite, Rotate: the code under check uses a word only in a way in which two
//     values cannot be told apart, for instance as a difference to another word.
//   - RetryAt: a failed round of a loop around a compare-and-swap leaves nothing
//     behind, so what its thread has observed in the round is forgotten (retry.go).
//   - HeadAt: when it is about to do an operation in some function a thread remembers
//     nothing but the calls that have led there and the object (retry.go).
//   - Fresh: a compare-and-swap that must fail makes its round a failed one already
//     before it (dead.go).
//   - Symmetric: threads with the same code are interchangeable, so the state does
//     not say which of them is where (symmetry.go, key.go).
//
// One is always made, and argued for in examine.go: accesses to cells are part of
// the step before them.
package graph
