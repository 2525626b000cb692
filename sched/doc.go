// Package sched runs small tasks on a fixed number of workers that steal work
// from each other.
//
//	s, err := sched.New(sched.Workers(4))
//	...
//	err = s.Go(func(c sched.Ctx) { ... })  // from anywhere
//	err = c.Go(func(c sched.Ctx) { ... })  // from inside a task: cheaper
//	...
//	err = s.Close()                        // waits until all accepted have run
//
// The caller's duties: look at the errors of spawns, since after Close all are
// refused, those of running tasks too: before Close wait for your tree of tasks to
// end, for example by a sync.WaitGroup that counts them (see the example of
// Scheduler.Close); end every scheduler by Close or Shutdown; use a [Ctx]
// only in the task that was given it; do not block in a task longer than you
// are willing to be without its worker, since nobody takes over for it. A task
// that is blocked does not hold up the tasks queued behind it, which others
// steal, but for the one that its worker was to run next.
//
// # Tasks
//
// A task is a function, or any value with a Run method, that runs once to its
// end. [Scheduler.Go] and [Ctx.Go] want no result and recycle what they allocate;
// [Spawn], [SpawnIn] and their forms with an argument return a [Handle], in one
// allocation. A panic or runtime.Goexit is the result of the task and not the
// end of a worker (PanicContained).
//
// # Where a worker looks
//
//	1  inject, first of all, after each interval of tasks
//	2  its LIFO slot, at most 3 times in a row
//	3  its ring, oldest first
//	4  inject: its share, at most half a ring, the rest of it into the ring
//	5  the others, if it is let search: twice all of them in random order, half
//	   of a ring at a time; LIFO slots the second time only
//	6  inject once more
//	7  it parks, and before it sleeps looks at every ring and at inject if nobody
//	   searches any more
//
// Sources of work, and who looks there last before sleeping:
//
//	inject      every worker (6, 7)
//	rings       every worker (7)
//	LIFO slots  their worker, and thieves in passing (5); never (7)
//	late        as inject: tasks that overflow from rings after Close
//
// So WorkConserving covers inject, late and the rings. A task in the LIFO slot of a
// worker waits for that worker's task to end, or for a thief that came for
// something else: filling an empty slot wakes nobody. NoLIFOSlot does without.
//
// # The law of publication
//
// Whoever puts a task where others can take it afterwards looks at the idle
// word, unless it is counted as searching (package idle). The places:
//
//	submit   push to inject
//	spawn    push to the ring, overflow to inject
//	refill   from inject into the ring
//	steal    the rest of a stolen half: the thief is searching, and StopSearch
//	         follows before it runs its task
//
// # The end
//
// Close closes inject, then sets closed, then wakes all sleepers. Spawns by
// running tasks are refused from then on, so what there is only gets less. The
// workers go on as before, and steal from each other, until one goes to sleep
// and sees that inject and late are empty and all the others sleep: nobody has a task or
// can get one. It sets over and wakes them all, and they leave (ShutdownDrains).
//
// # Edges
//
//	edge slot   spawn's swap of lifo            ->  takeLIFO's swap, by anyone
//	edge close  stop's store of closed          ->  the loads of closed
//	edge over   end's store of over             ->  the loads of over
//	edge done   open's swap of a latch's door   ->  ready's load: the result is written
//
// # Claims
//
//	EveryTaskRuns InjectBounded LIFOBounded VictimsCovered ContextBound
//	PanicContained JoinResolves ShutdownDrains NoLeak QuietWhenIdle
//
// # Where it comes from, and where it differs
//
// Rules are those of Tokio's multi-thread scheduler (1.53) where the Go
// runtime's (1.26) differ.
//
//	rule               Tokio                  Go runtime            filch                  why
//	overflow           newest half (1.52)     oldest half           newest half            the oldest cannot be sent back for ever
//	final look         last searcher only     every spinner         any park that leaves   else queued work waits beside a sleeper
//	                                                                searching at 0
//	refill             silent                 silent                wakes                  tasks in hand are seen by no final look
//	searchers          about half: check,     half of the busy      exactly half, rounded  a bound that is proved must be one
//	                   then add                                     up: compare-and-swap
//	LIFO slot          not stealable          last of 4 passes      last of 2 passes       a blocked worker must not hold a task
//	                                          after 3 us
//	filling the slot   wakes nobody           wakes                 wakes nobody           Tokio 1.51 woke, and lost a third
//	inject first       61, tuned to 200 us    every 61              61, tuned to 200 us
//	inject counts      a slot task is free    a slot task is free   every task counts      127 tasks means 127 tasks
//
// Rejected, with the Go runtime's reasons (proc.go): handing a task to the
// woken worker directly, which thrashes; waking one worker per task, or all;
// letting the number of workers grow.
package sched
