// Package bond holds the code of the protocols to their TLA+ specifications: for
// each Bond the graph of all that the code can do under its driver, explored one atomic
// operation at a time by Graph of package loom, is the graph that TLC has found, edge
// by edge and both ways, for runs of any length.
//
// # How
//
// A specification has a module that prints each edge as TLC takes it: RingBond of
// RingQueue, for one. The command ci/tla makes that a golden file in the folder
// golden, with the hashes of the modules and of the .cfg that it is made of, and
// finds it again in every run. The tests of this package need no Java: they explore
// the code and compare.
//
// # What is compared
//
// Both graphs have the same labels, which say which thread takes a step, what it has
// chosen before, what its operation has answered and whether it has ended; and each
// state shows what is in the memory, in the same words. [Compare] looks for a map from
// the states of the code to those of the specification that keeps all of this. A label
// leads a state to one state, so there is at most one such map. The code has more
// states: a thread is told apart there by all that it has seen in an operation, in the
// specification by what it still needs.
//
// # Grain
//
// A step of the code is an operation on an atomic word or a lock with all that its
// thread does to plain memory until its next. Where a specification has actions of
// their own for that, it prints that they belong to the step before, and they are made
// one.
package bond
