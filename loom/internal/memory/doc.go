// Package memory writes down all that can be reached from some roots, so that
// two states of a program get equal bytes exactly if nothing that it can do tells
// them apart by what is in memory.
//
// Addresses are not part of the bytes: what a pointer points to has a number, in
// the order in which the walk from the roots first meets it, so that memory of
// the same shape and contents is the same wherever the allocator put it, and a
// pointer to a new zero value is not the same as one to an old. Two slices, or a
// slice and a pointer, that share an array are told from two that do not.
//
// What lies beyond the length of a slice is not part of it: code that reslices
// beyond the length to find old values there is not covered. A map is written in
// the order of its keys' bytes, so its keys must not be, or contain, pointers.
// Channels, and functions other than those that a root names as constants, are
// refused, by the path that leads to them: their state is not memory.
package memory
