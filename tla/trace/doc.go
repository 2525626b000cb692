// Package trace holds recorded runs of the scheduler, and of rings and of a parker alone,
// to their TLA+ specifications: it turns a record of what the code did to memory that
// threads share into a sequence of events in TLA+, and TLC looks whether that is a
// behaviour of module Sched, RingQueue or Park. The command ci/tla records runs and has
// them looked at. A [Subject] is one of the three.
//
// # Records
//
// The shim of package loom writes records, and production has no hooks: LOOM_MODE=record
// those of runs on the machine's processors, one operation at a time, in the order in
// which they are done; the option Record those of executions that package loom draws.
// An operation is known by the function of the production packages that its place is
// in. Command drive is the program that is recorded.
//
// # Grain
//
// A record has atomic operations and locks. Sched has one action for each of package
// idle, and one for each call of a queue, a slot or a parker: Translate puts the step of
// such a call where it takes effect, which is the operation that the tables mapped and
// unmapped name, or, of a look at a ring that sees a task, a moment between its two loads
// at which a task was visible. What else such calls do is a matter of the modules
// RingQueue, Inject and Park, and of package bond. Three actions of Sched touch nothing
// that is shared, and leave no step; module SchedTrace takes them when they are due.
//
// Each step says what its thread has seen or left: values of words, how many tasks.
//
// RingQueue and Park have an action for each operation, and so a step is one operation
// there. Of rings a step is also a call, what it returns, and an access to a slot, of
// which a record has the value: package drive announces its calls by stores to a word
// that nobody reads.
//
// # Order
//
// That the order of a record is one in which the run could have happened is the shim's
// doing: it holds its lock during each operation. So a run has one explanation at most,
// and TLC goes along a line: 100,000 steps take it some ten seconds.
package trace

// The settings of the scheduler in a run that is to be a trace.
const (
	LIFOCap  = 3       // of sched: tasks of a LIFO slot in a row
	Interval = 9       // tasks between two looks at inject first
	Capacity = 1 << 14 // of the rings, which must never be full
)
