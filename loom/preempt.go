package loom

import "fmt"

// Preemptions asks for a bounded run: every trace that has an execution with at
// most n preemptions. A preemption is a step of another thread than took the step
// before, although that one could have taken another. So the first step is none,
// and a thread loses its turn for nothing when it has ended, or waits: for a lock,
// a signal, a WaitGroup, a Join, or in Yield for a change; but not in a Yield that
// does not wait. A timer is a thread that fires when it gets its turn. The outcomes
// of [Choose], and of a Signal with several waiters, are no preemptions: all are
// tried.
//
// Many bugs need few preemptions, and there are few executions with so few even of
// long bodies: their number grows with the n-th power of the length, not
// exponentially. They are run in the order of their preemptions, so the first
// violation has the fewest there are (Report.Preemptions). What needs more than n
// is not seen, and Report.Exhausted is false, unless it turns out that there is
// nothing more to see: then the bound did not matter. Report.Cut says how many
// ways there are to go on from what was seen by one more preemption that lead to
// what was not; each stands for one trace or for many.
//
// The number n must not be negative; one more than the body needs does no harm.
// What was seen is remembered, up to 2^22 beginnings of executions in about a
// gigabyte; a body that has more is an error.
//
// LOOM_PREEMPTIONS does the same from outside, for explorations that do not have
// this option. The bounded run has a search of its own: an [Algorithm] that also
// searches has no effect, and one that draws executions is an error. So are [Shard]
// and [Checkpoint]; LOOM_CHECKPOINT has no effect.
//
// Musuvathi and Qadeer, Iterative Context Bounding for Systematic Testing of
// Multithreaded Programs, PLDI 2007.
func Preemptions(n int) Option {
	if n < 0 {
		panic(fmt.Sprintf("loom: Preemptions(%d) is negative", n))
	}
	return func(c *config) { c.bounded, c.bound = true, n }
}
