// Package model is the law. It says what filch's queues, parkers and schedulers
// must do, apart from any code that does it: there are no goroutines and no
// atomics in it, and it imports nothing of what it judges.
//
// # Claims
//
// A [Claim] is a promise with a name; [Sentence] says what it promises. Every
// layer that checks it, every planted bug and every scenario uses the name.
//
// # The law as a relation
//
// A [Spec] says which events may follow one another. Most operations take
// effect in one event. Those that others can see halfway take effect in
// several, with the unfinished operation in the state:
//
//	steal that stole   look       the thief sees n tasks, and will take ceil(n/2)
//	                   claim      they leave the owner's reach; until the release the thief is active
//	                   release    their slots are the owner's again
//	                   publish    all but the returned one are in the thief's ring
//	overflow           take all   the ring looks empty
//	                   give back  the oldest half is visible again
//	                   hand over  the newest half and the pushed task are in inject, as one batch
//	push handed over   see        the ring is full and a thief active
//	                   hand over  the task is in inject
//	close of a parker  shut, then publish a token
//	Close              shut, then gone: all that was taken in is over
//
// Between look and claim the owner may push, but nobody may take: the claim is
// a compare-and-swap of the head that the look saw. That is why the law can
// insist on half of what the thief saw.
//
// That is also how it can say when a refusal is honest: busy needs an active
// thief, empty needs a ring without tasks and without a thief, no room needs a
// ring of the thief that is more than half taken (by its tasks and by the slots
// that others are still copying), and a push may hand its task over only when
// the ring is full and a thief active. A queue that always answers one of them
// is unlawful.
//
// [Check] decides whether a history can be explained by the law, exactly, and
// names what it violates: two returns of one task speak for themselves; else it
// is the claim without which the law would allow the history.
//
// An [Automaton] decides the same while the history goes on, for explorers of states:
// there the history has no end, and what it may have come to is finite.
//
// # Scenarios
//
// A [Scenario] is a small concurrent program that every layer runs in its own
// way. Its text form is strict: what is not as below is refused, with line and
// column. [Format] gives the one form of a scenario that has no comments behind
// values, no spaces more than needed and no setup line more than needed.
//
//	scenario = { "#" text } line { line }
//	line     = key ": " value [ "#" text ]
//
// Comment lines stand at the top: two of them, the first saying what happens and
// the second what it catches. A comment behind a value is not kept. Every line
// ends with a newline, before which a carriage return is ignored, as is a byte order
// mark at the top; there are no empty lines, no tabs, and single spaces in
// keys. Numbers are decimal without leading zeros. A text is UTF-8 and has at most
// [MaxText] bytes. The lines come in this order:
//
//	target: WORD            ring, inject, park, idle, sched, deque or tracker
//	capacity: N             ring: of every ring, a power of two from 2 to 65536; must be given
//	start: N                ring: the first index, -2147483648 to 2147483647, not 0; -1 is 2^32-1
//	workers: N              idle, sched, tracker: how many, 1 to 64; must be given
//	asleep: N               idle, tracker: the first N workers are parked at the start; at least 1
//	task T: LAW             idle, sched: what task T does when it runs; any number of lines
//	setup: OPS              before the threads start, for the first thread
//	setup NAME: OPS         the same for another thread; any number of lines of both
//	NAME: OPS               a thread: 1 to 8 lines, of idle 0 to 8; a small letter, then small letters and digits
//	claims: CLAIM CLAIM...  what is guarded
//	run: nightly            it takes minutes to explore to the end, which only the nightly run does
//	traces: N               the pinned number of complete runs under the tag loom
//
// A LAW is "spawns T...", "waits T", or both with a comma between. A task that
// spawns publishes tasks from its worker; one that waits blocks its worker until
// the other is over. It is for the author to see that there are workers enough.
//
// OPS are operations with commas between. T is a task, a number from 1 on. A
// task comes into a scenario once. NAME is a thread of the scenario.
//
//	ring    push T          Ring.Push, on the thread's own ring, which overflows to inject
//	        batch T...      Ring.PushBatch, if Ring.Free says that there is room
//	        pop             Ring.Pop
//	        len             Ring.Len
//	        free            Ring.Free
//	        steal NAME      Stealer.StealInto the thread's own ring, from NAME's
//	        peek NAME       Stealer.Len of NAME's ring
//	        vacant NAME     Stealer.Empty of NAME's ring
//	ring,   inject.push T   Inject.Push
//	inject  inject.batch T... Inject.PushBatch
//	        inject.pop      Inject.Pop
//	        inject.popn N   Inject.PopN of at most N tasks
//	        inject.close    Inject.Close
//	        inject.len      Inject.Len
//	park    park            Parker.Park, of the thread's own parker; not in a setup
//	        park.timed      Parker.ParkTimeout; under exploration the time may be over at any step
//	        unpark NAME     Parker.Unpark of NAME's parker
//	        park.close NAME Parker.Close of NAME's parker
//	        write N         a store of N to plain memory that all threads share
//	        read            a load of it, if an Unpark after a write had returned before the thread's last Park was called
//	idle,   submit T        a task from outside: Inject.Push and Tracker.Wake; or Scheduler.Go
//	sched
//	idle    wake.all        Tracker.WakeAll, for no work
//	        wake.worker N   Tracker.WakeWorker of worker N, for no work
//	        nudge N         Parker.Unpark of worker N behind the Tracker's back
//	sched   await T         waits until task T is over; not in a setup
//	        close           Scheduler.Close
//	deque   deque.push T    a push by the owner; somebody else's deque, see package fuzz
//	        deque.pop       a pop by the owner: the newest
//	        deque.steal     a steal by anybody: the oldest
//	tracker search          Tracker.TrySearch, by a worker that is awake and not counted as searching
//	        search.stop     Tracker.StopSearch, by one that is counted
//	        sleep           Tracker.Park, by one that is awake; there is no work
//	        sleep.busy      the same; there is work
//	        resume          Tracker.Resume, by one that is not awake
//	        wake            Tracker.Wake, by anybody, as all that follow
//	        counts          Tracker.Counts
//	        sleepers        Tracker.Sleepers
//	        wake.all, wake.worker N
//
// In a ring scenario every thread owns a ring, and in a park scenario a parker. In
// one of a tracker every thread is the worker of its number, and what a worker may
// not do as it stands is left out.
// The workers of idle and sched come on top of the threads.
package model
