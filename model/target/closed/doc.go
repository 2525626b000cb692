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
// Tasks are anonymous but for a few that are tagged and pushed once, at any
// moment: the code does not look at tasks, so what holds of a tagged one holds of
// every one (Wolper: Expressing interesting properties of programs in propositional
// temporal logic, POPL 1986).
package closed
