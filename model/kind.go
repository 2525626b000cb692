package model

import "fmt"

// Target says what a scenario runs on.
type Target uint8

// The targets. Each has kinds of operations of its own, and Ring those of
// Inject too, since that is where a ring overflows to.
const (
	Ring    Target = iota + 1 // one ring per thread, and an inject queue that takes their overflows
	Inject                    // one inject queue
	Park                      // one parker per thread
	Idle                      // workers that search, sleep and wake each other, an inject queue and rings
	Sched                     // the whole scheduler
	Deque                     // one deque, somebody else's
	Tracker                   // the idle word and its sleepers, every thread a worker
)

var targetWords = map[Target]string{Ring: "ring", Inject: "inject", Park: "park", Idle: "idle", Sched: "sched", Deque: "deque", Tracker: "tracker"}

// String returns the target as a scenario spells it.
func (t Target) String() string {
	if w, ok := targetWords[t]; ok {
		return w
	}
	return fmt.Sprintf("model.Target(%d)", uint8(t))
}

// Kind is what an operation does.
type Kind uint8

// The kinds. Those of a ring act on the ring of their thread, but for Steal,
// Peek and Vacant, which look at another thread's.
const (
	Push   Kind = iota + 1 // Ring.Push of one task
	Batch                  // Ring.PushBatch, if Free says that there is room
	Pop                    // Ring.Pop
	Len                    // Ring.Len
	Free                   // Ring.Free
	Steal                  // Stealer.StealInto the thread's own ring
	Peek                   // Stealer.Len
	Vacant                 // Stealer.Empty

	InjectPush  // Inject.Push of one task
	InjectBatch // Inject.PushBatch
	InjectPop   // Inject.Pop
	InjectPopN  // Inject.PopN
	InjectClose // Inject.Close
	InjectLen   // Inject.Len

	ParkToken // Parker.Park
	ParkTimed // Parker.ParkTimeout
	Unpark    // Parker.Unpark
	ClosePark // Parker.Close
	Write     // a store to plain memory, before an Unpark
	Read      // a load of it, after a Park that it must have released

	Submit     // a task from outside: inject, then wake; or Spawn
	Run        // a worker runs a task (in histories only)
	Spawned    // a running task publishes another (in histories only)
	WakeAll    // Tracker.WakeAll
	WakeWorker // Tracker.WakeWorker
	Nudge      // Parker.Unpark of a worker that nobody has chosen: a wake-up without a reason
	Await      // waits until a task is over
	Close      // Scheduler.Close
	End        // the run is over (in histories only)

	DequePush  // a push by the owner of a deque
	DequePop   // a pop by the owner: the newest
	DequeSteal // a steal by anybody: the oldest

	TrySearch  // Tracker.TrySearch, by a worker that is awake and not counted; else nothing is done
	StopSearch // Tracker.StopSearch, by one that is counted; likewise
	Sleep      // Tracker.Park of one that is awake, and there is no work
	SleepBusy  // Tracker.Park of one that is awake, and there is work
	Resume     // Tracker.Resume of one that is not awake
	Wake       // Tracker.Wake
	Counts     // Tracker.Counts
	Sleepers   // Tracker.Sleepers

	kinds = iota
)

// shape is what follows a kind's word.
type shape uint8

const (
	nothing   shape = iota
	oneTask         // a task
	someTasks       // one task or more
	count           // a number of tasks
	thread          // the name of a thread
	worker          // the number of a worker
)

// kindOf describes each kind; where lists the targets of scenarios that may
// ask for it.
var kindOf = [kinds + 1]struct {
	word  string
	shape shape
	where []Target
}{
	Push:        {"push", oneTask, []Target{Ring}},
	Batch:       {"batch", someTasks, []Target{Ring}},
	Pop:         {"pop", nothing, []Target{Ring}},
	Len:         {"len", nothing, []Target{Ring}},
	Free:        {"free", nothing, []Target{Ring}},
	Steal:       {"steal", thread, []Target{Ring}},
	Peek:        {"peek", thread, []Target{Ring}},
	Vacant:      {"vacant", thread, []Target{Ring}},
	InjectPush:  {"inject.push", oneTask, []Target{Ring, Inject}},
	InjectBatch: {"inject.batch", someTasks, []Target{Ring, Inject}},
	InjectPop:   {"inject.pop", nothing, []Target{Ring, Inject}},
	InjectPopN:  {"inject.popn", count, []Target{Ring, Inject}},
	InjectClose: {"inject.close", nothing, []Target{Ring, Inject}},
	InjectLen:   {"inject.len", nothing, []Target{Ring, Inject}},
	ParkToken:   {"park", nothing, []Target{Park}},
	ParkTimed:   {"park.timed", nothing, []Target{Park}},
	Unpark:      {"unpark", thread, []Target{Park}},
	ClosePark:   {"park.close", thread, []Target{Park}},
	Write:       {"write", oneTask, []Target{Park}},
	Read:        {"read", nothing, []Target{Park}},
	Submit:      {"submit", oneTask, []Target{Idle, Sched}},
	Run:         {"run", oneTask, nil},
	Spawned:     {"spawned", oneTask, nil},
	WakeAll:     {"wake.all", nothing, []Target{Idle, Tracker}},
	WakeWorker:  {"wake.worker", worker, []Target{Idle, Tracker}},
	Nudge:       {"nudge", worker, []Target{Idle}},
	Await:       {"await", oneTask, []Target{Sched}},
	Close:       {"close", nothing, []Target{Sched}},
	End:         {"end", nothing, nil},
	DequePush:   {"deque.push", oneTask, []Target{Deque}},
	DequePop:    {"deque.pop", nothing, []Target{Deque}},
	DequeSteal:  {"deque.steal", nothing, []Target{Deque}},
	TrySearch:   {"search", nothing, []Target{Tracker}},
	StopSearch:  {"search.stop", nothing, []Target{Tracker}},
	Sleep:       {"sleep", nothing, []Target{Tracker}},
	SleepBusy:   {"sleep.busy", nothing, []Target{Tracker}},
	Resume:      {"resume", nothing, []Target{Tracker}},
	Wake:        {"wake", nothing, []Target{Tracker}},
	Counts:      {"counts", nothing, []Target{Tracker}},
	Sleepers:    {"sleepers", nothing, []Target{Tracker}},
}

// String returns the kind as a scenario spells it.
func (k Kind) String() string {
	if k >= 1 && k <= kinds {
		return kindOf[k].word
	}
	return fmt.Sprintf("model.Kind(%d)", uint8(k))
}

func (k Kind) shape() shape {
	if k > kinds {
		return nothing
	}
	return kindOf[k].shape
}

// In reports whether a scenario on target t may ask for k.
func (k Kind) In(t Target) bool {
	if k < 1 || k > kinds {
		return false
	}
	for _, w := range kindOf[k].where {
		if w == t {
			return true
		}
	}
	return false
}

// Kinds returns the kinds that a scenario on t may ask for.
func Kinds(t Target) []Kind {
	var out []Kind
	for k := Kind(1); k <= kinds; k++ {
		if k.In(t) {
			out = append(out, k)
		}
	}
	return out
}

// Outcome is how an operation ended.
type Outcome uint8

// The outcomes.
const (
	Done       Outcome = iota + 1 // what was asked is done
	Kept                          // the tasks are in the ring, or in the inject queue
	Overflowed                    // the ring was full: Tasks went to the overflow as one batch
	Handed                        // the ring was full and a thief active: Tasks, one, went to the overflow
	Closed                        // the queue was closed, and the caller keeps its tasks
	Took                          // Tasks were taken
	Stole                         // N tasks were taken, Tasks, one, returned, the rest put into the thief's ring
	Empty                         // there was nothing to take
	Busy                          // another thief was active
	NoRoom                        // the ring had too little room
	Counted                       // N is the answer
	Token                         // a park took a token
	TimedOut                      // a timed park took none
	Skipped                       // nothing was done, since nothing could be known
)

var outcomeWords = [...]string{"unset", "done", "kept", "overflowed", "handed", "closed", "took", "stole",
	"empty", "busy", "no room", "counted", "token", "timed out", "skipped"}

// String returns the outcome in words.
func (o Outcome) String() string {
	if int(o) < len(outcomeWords) {
		return outcomeWords[o]
	}
	return fmt.Sprintf("model.Outcome(%d)", uint8(o))
}
