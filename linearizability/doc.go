// Package linearizability judges what production code did on real processors.
// A [Log] records the operations of a thread, a [History] is those of a run, and
// [Judge] decides whether they can have happened as the claims of package model
// say. The command audit, below this package, drives filch's own code and makes
// a page of the verdict.
//
// # Recording
//
//	var clock linearizability.Clock
//	log := linearizability.NewLog(&clock, thread, 1000)
//	log.Begin(model.Op{Kind: model.Pop})
//	v, ok := ring.Pop()
//	log.End(result(v, ok))
//
// Each thread has a Log of its own. Stamps come from one [Clock], which says
// exactly which operation returned before which was called. Memory is bounded
// by the room that a log is made with.
//
// # Judging
//
// An operation has its effects inside its interval: one moment for a Pop, three
// for a steal, as package model lays down. Judge goes through the calls and
// returns of a history in order and keeps the set of all states that explain
// them; when it is empty the history is unlawful, and the claim is named that
// has to be waived for the rest to make sense. What is kept is small, since
//
//   - a ring has one owner, so the order of its tasks is known from its owner's
//     operations alone, and its state is a few counters;
//   - an observation, such as busy, is made as early as it can be: who has made
//     it can do all that others can;
//   - of an inject queue only orders are kept in which no task would have to
//     overtake another to leave when it did, and of two orders that differ in
//     tasks whose pops can change places, the better one.
//
// A history of single pushes and pops of an inject queue needs no search at all:
// four patterns decide it, in O(n log n), however many operations overlap.
//
// Tasks of a history must be told apart: each is pushed once. A task that is
// stolen may pass through several rings, but not through one twice: steals must
// not go round in a circle. The audit's own do not.
//
// [Porcupine] decides the same by porcupine and the law as package model states
// it. It is independent of Judge, needs quadratic memory, and is there to check
// Judge, on random small histories, and to draw ([Draw]) what [Shrink] leaves of
// an unlawful one.
//
// # Files
//
// A history file is JSON lines. The first line:
//
//	{"history":"filch/1","target":"ring","threads":3,"capacity":4,"operations":2}
//
// target is ring, inject, park, sched or deque; capacity is that of every ring, or of
// a queue or deque that has one;
// operations is how many lines follow, so that a file cut short is noticed.
// "stuck":true says that the run stood still and was given up, and "setup":N
// that the first N operations were not recorded but build the state that there
// was. Then each operation, in the order of the calls:
//
//	{"thread":0,"op":"push","args":[7],"out":"kept","call":1,"return":3}
//	{"thread":1,"op":"steal","on":0,"out":"stole","tasks":[7],"n":1,"call":2,"return":4}
//
// op and out are spelled as package model spells kinds and outcomes. on is the
// thread whose ring or parker is meant; args are the tasks given, tasks those
// answered or handed to the overflow, n a count, max the most tasks asked for,
// refused that the overflow was closed. call and return are stamps of one clock,
// any whole numbers; only their order matters. A return of null is an operation
// that never ended, in a stuck run. Keys that are zero, empty or false may be
// left out; unknown ones are refused, and so is anything else that is no
// history, with the number of the line. Lines may end as on Windows, and a byte order
// mark may come first. A file has at most [MaxOperations] operations
// with [MaxTasks] tasks, and no line of more than [MaxLine] bytes. Histories that
// others have recorded, as pairs of calls and returns, are read by package pairs.
//
// # Other people's code
//
// Package court drives, records and judges any queue, deque, pool of goroutines or
// parker by an adapter of a few lines.
package linearizability
