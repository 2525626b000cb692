// Package explore searches the executions of a program that package machine
// runs.
//
// Executions that differ only in the order of steps that commute are one
// Mazurkiewicz trace, and one of them tells all. Whether two steps commute is
// decided from their effects in the state before them, so that a compare-and-swap
// which fails there is a read.
//
// There are three searches of all executions. The optimal one runs one execution
// of each trace and nothing else (optimal.go). The one with sleep sets runs one
// of each trace to its end, and begins many that it gives up (sleep.go): it is
// simple, and the reference. The bounded one runs what needs few preemptions
// (bound.go). Samplers draw executions of programs with too many of them
// (sample.go).
//
// States are not stored. A search remembers the path of the last execution, one
// point for each decision, and runs the program again from the start for the
// next one; that it then does the same steps is checked (path.go).
//
// Sleep sets: Godefroid, Partial-Order Methods for the Verification of
// Concurrent Systems, 1996. Wakeup trees: Abdulla, Aronis, Jonsson, Sagonas,
// Source Sets: A Foundation for Optimal Dynamic Partial Order Reduction, Journal
// of the ACM 64(4), 2017.
package explore
