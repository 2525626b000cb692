package loom

import "runtime"

// Yield says that the calling thread cannot go on until something that it has
// looked at has changed. Call it in a loop that waits for other threads, in the
// place of runtime.Gosched, each time round:
//
//	for !ready.Load() {
//		loom.Yield()
//	}
//
// Under exploration Yield returns when an object has changed since the thread
// looked at it, after it last returned from this call of Yield or, of a call that
// it comes to for the first time, since it began. Calls are told apart by their
// places and by the calls that led there, so loops may be nested, each with a
// Yield of its own. Looking is to load, to fail to
// compare and swap, to fail to lock, to find nobody to signal, to return from
// WaitGroup.Wait, to store the value that is already there. If nothing will ever
// change and no other thread can go on, that is a livelock, which violates
// [ClaimLivelock]. A thread that waits takes no steps, so a loop costs no more
// executions than there are changes to see.
//
// Going round again must be all that the loop can do: a thread that would give up
// after some rounds must not call Yield in them. Yield does not wait, and
// promises nothing, if since then the thread has changed something that
// others can see: has written another value, started a thread or timer, made a
// choice, called [Call] or [Return], or taken a lock and kept it. A loop in which
// every round does has executions without end; [MaxSteps] ends them with an error
// that says where they loop. A lock taken and given back is no such change, unless
// others fail to take it meanwhile.
//
// Elsewhere, Yield is runtime.Gosched. It orders no memory accesses.
func Yield() {
	if t := current(); t != nil {
		t.Yield()
		return
	}
	runtime.Gosched()
}

// Livelock names the claim that a livelock violates, [ClaimLivelock] if the
// option is not given: no thread can go on, and one waits in [Yield].
func Livelock(claim string) Option { return func(c *config) { c.livelock = claim } }

// Race names the claim that a data race on a cell violates, [ClaimRace] if the
// option is not given.
func Race(claim string) Option { return func(c *config) { c.race = claim } }

// SpuriousWakeups has every Cond.Wait tried twice: as it is in package sync, where
// it returns only after a signal, and so that it returns without one, after any
// time, as condition variables elsewhere do. In one execution at most one Wait of
// each thread does that, since a loop around Wait could go round for ever. A
// thread that no signal wakes counts as deadlocked all the same. It has no effect
// in the ordinary build.
func SpuriousWakeups() Option { return func(c *config) { c.spurious = true } }
