// Package closed has drivers of loom.Graph for production code: most general
// clients, whose graphs close, so that what is checked on them holds for runs of
// any length. A driver is a function that returns a body, and the options that go
// with it.
//
// # How to write one
//
// See [Ring]. A driver
//
//   - makes the objects under check and names them as roots, with counts of its own
//     that claims are about;
//   - says in which way the code uses words that only grow, why that is so, and
//     which loops leave nothing behind;
//   - starts threads that do any operation, for ever, with a Boundary before each,
//     whose key has all that the thread remembers from operation to operation; of
//     threads that the code under check starts itself it says at which operations they
//     remember nothing (loom.HeadAt, see [Sched.Options]);
//   - says what must hold in every state, and in endless runs.
//
// # The law
//
// A driver may have, in the place of claims about what operations answer, the law of
// package model beside it, see [LawfulInject]: then all histories of all runs are
// linearizable, in the sense of that law. GRAPHS.md says why, and what it costs. Such
// a driver
//
//   - tells of each call right behind the Boundary of its operation, but for choices, and
//     of each return in the step that is the operation's last;
//   - names threads as the law does, interchangeable ones for the time of an operation;
//   - bounds the tasks that are there, and takes out what the law would keep for ever.
//
// # Tasks
//
// Tasks are anonymous but for a few that are tagged and pushed once, at any
// moment: the code does not look at tasks, so what holds of a tagged one holds of
// every one (Wolper: Expressing interesting properties of programs in propositional
// temporal logic, POPL 1986).
package closed
