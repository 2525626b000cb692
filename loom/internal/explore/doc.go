// Package explore searches the executions of a program that package machine
// runs.
//
// The search is depth-first with sleep sets: of the executions that differ only
// in the order of steps that commute, a Mazurkiewicz trace, exactly one is run
// to its end. A thread whose step has been explored at a state sleeps in the
// states reached by other steps, until a step that conflicts with its own is
// taken: whatever it could do meanwhile, the branch explored first has done.
// If every thread that could go on sleeps, all continuations are known and the
// execution is abandoned; these are counted as blocked. Whether two steps
// conflict is decided from their effects in the state before them, so that a
// compare-and-swap which fails there is a read.
//
// States are not stored. The search remembers the path of the last execution,
// one node for each step, and runs the program again from the start for the
// next one; that it then does the same steps is checked.
//
// Sleep sets: Godefroid, Partial-Order Methods for the Verification of
// Concurrent Systems, 1996.
package explore
