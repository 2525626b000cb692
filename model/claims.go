package model

// Claim names one thing that filch promises. A claim has one spelling, in every
// layer that checks it, and one sentence, which Sentence returns. Claims of parts
// that filch does not have yet are listed too; those that it makes today are in
// the README's table.
type Claim string

// The claims of the queues.
const (
	NoLostTask          Claim = "NoLostTask"
	NoDuplicateTask     Claim = "NoDuplicateTask"
	FIFO                Claim = "FIFO"
	StealHalf           Claim = "StealHalf"
	OverflowKeepsOldest Claim = "OverflowKeepsOldest"
	CapacityFromSteal   Claim = "CapacityFromSteal"
	SingleThief         Claim = "SingleThief"
	BusyIsHonest        Claim = "BusyIsHonest"
	NoSlotRace          Claim = "NoSlotRace"
	NoRetention         Claim = "NoRetention"
	WrapSafe            Claim = "WrapSafe"
	InjectFIFO          Claim = "InjectFIFO"
	ClosedReturnsTasks  Claim = "ClosedReturnsTasks"
	LenHint             Claim = "LenHint"
	LockFree            Claim = "LockFree"
)

// The claims of the idle protocol and of the parker.
const (
	CountsMatchSleepers Claim = "CountsMatchSleepers"
	SearchersBounded    Claim = "SearchersBounded"
	OneWakeInFlight     Claim = "OneWakeInFlight"
	NoLostWakeup        Claim = "NoLostWakeup"
	WorkConserving      Claim = "WorkConserving"
	NoIdleSpin          Claim = "NoIdleSpin"
	TokenKept           Claim = "TokenKept"
	TokenSingle         Claim = "TokenSingle"
	UnparkPublishes     Claim = "UnparkPublishes"
	ShutdownWakes       Claim = "ShutdownWakes"
)

// The claims of tasks and of the scheduler.
const (
	PollExclusive       Claim = "PollExclusive"
	WakeKept            Claim = "WakeKept"
	QueuedOnce          Claim = "QueuedOnce"
	CompletedOnce       Claim = "CompletedOnce"
	JoinResolves        Claim = "JoinResolves"
	AbortResolves       Claim = "AbortResolves"
	PanicContained      Claim = "PanicContained"
	ContextBound        Claim = "ContextBound"
	VictimsCovered      Claim = "VictimsCovered"
	EveryTaskRuns       Claim = "EveryTaskRuns"
	InjectBounded       Claim = "InjectBounded"
	LIFOBounded         Claim = "LIFOBounded"
	YieldFair           Claim = "YieldFair"
	CoreSingleOwner     Claim = "CoreSingleOwner"
	BlockStrandsNothing Claim = "BlockStrandsNothing"
	ShutdownDrains      Claim = "ShutdownDrains"
	NoLeak              Claim = "NoLeak"
	QuietWhenIdle       Claim = "QuietWhenIdle"
	NeverEarly          Claim = "NeverEarly"
	AlwaysFires         Claim = "AlwaysFires"
	CancelFinal         Claim = "CancelFinal"
)

// The claim of deques, which filch has none of: they are other people's.
const DequeOrder Claim = "DequeOrder"

// Linearizable is the claim that is left when nothing is said of what a history
// violates: [Check] names those without which the law would allow it.
const Linearizable Claim = "Linearizable"

// law is every claim with its sentence, in the order of the claims table.
var law = []struct {
	claim    Claim
	sentence string
}{
	{NoLostTask, "a pushed task is returned by one pop or steal, handed to inject by an overflow, or still in the ring"},
	{NoDuplicateTask, "no task is returned twice"},
	{FIFO, "takes from one ring come in push order, but for the newest half that an overflow moves out"},
	{StealHalf, "a successful steal takes the oldest ceil(n/2) of the n tasks visible to it, never more than half the capacity"},
	{OverflowKeepsOldest, "an overflow keeps the oldest half and sends the newest half and the pushed task to inject as one batch in order"},
	{CapacityFromSteal, "the owner never writes a slot between steal and tail; these are never more than the capacity"},
	{SingleThief, "at most one thief is between claim and release on a ring"},
	{BusyIsHonest, "busy, empty, no room, again are answered only if a thief was active, nothing was visible, dst was over half full, a race was lost, at some moment during the call"},
	{NoSlotRace, "no two goroutines access one slot without a synchronizes-before edge, unless both read"},
	{NoRetention, "a slot forgets its task before it is given back"},
	{WrapSafe, "all of these hold at every index value, provided no thread sleeps through 2^32 pops between its load and its compare-and-swap"},
	{InjectFIFO, "tasks leave in the order in which their pushes took effect; a batch stays together"},
	{ClosedReturnsTasks, "a push that takes effect after close returns its tasks to the caller; before it, they are popped or drained"},
	{LenHint, "Len is the exact length at some moment during the call"},
	{LockFree, "the owner's operations end whatever thieves do, asleep in a claim or not, and so do those of an only thief; of several one is told busy, for as long as another sleeps between claim and release"},
	{CountsMatchSleepers, "whenever the idle lock is free, unparked = workers - sleepers, and no worker is listed twice"},
	{SearchersBounded, "at most ceil(N/2) workers are counted searching"},
	{OneWakeInFlight, "from choosing a sleeper until that worker runs, no other sleeper is chosen for work"},
	{NoLostWakeup, "never: a task queued, every worker parked without a token, no push or wake unfinished"},
	{WorkConserving, "never: a task in a ring, deque or inject, some worker parked without a token, every other worker inside a task, no push or wake unfinished. LIFO slots are not covered: filling one wakes nobody"},
	{NoIdleSpin, "with nothing queued and no event, every worker parks within a bounded number of its own steps"},
	{TokenKept, "an Unpark before or during a Park releases that Park or the next"},
	{TokenSingle, "any number of Unparks without a Park between release one Park"},
	{UnparkPublishes, "what is written before Unpark is visible after the Park it released"},
	{ShutdownWakes, "after shutdown every Park returns"},
	{PollExclusive, "a task runs on at most one worker at a time"},
	{WakeKept, "a wake of an unfinished task leads to a run that begins after it"},
	{QueuedOnce, "a task is in at most one queue, once"},
	{CompletedOnce, "a task's result is set once and its finaliser runs once"},
	{JoinResolves, "every join returns once the task completed, failed, was aborted or abandoned"},
	{AbortResolves, "an aborted task that is not running never runs again, a running one ends at its next suspension, and its handle says which"},
	{PanicContained, "a panic or Goexit is the task's result with its stack; the worker lives on"},
	{ContextBound, "a task context used outside its task's run is refused"},
	{VictimsCovered, "a steal pass tries every other worker exactly once, the first uniformly at random"},
	{EveryTaskRuns, "an accepted task runs to its end exactly once, or is cancelled and reported"},
	{InjectBounded, "a worker that keeps running takes from inject at least once in 127 tasks"},
	{LIFOBounded, "at most 3 LIFO-slot tasks run in a row before other sources are looked at"},
	{YieldFair, "a yielding task runs again only after the tasks then queued on its worker, and after one look at the driver"},
	{CoreSingleOwner, "a core is held by one goroutine, or in its cell"},
	{BlockStrandsNothing, "while a task is in Block, all that its worker held can run elsewhere"},
	{ShutdownDrains, "after a shutdown that ran to its end no queue holds a task and every handle is resolved"},
	{NoLeak, "after a shutdown that ran to its end no goroutine, timer or task of the scheduler remains"},
	{QuietWhenIdle, "an idle scheduler uses no CPU"},
	{NeverEarly, "a timer never fires before its time"},
	{AlwaysFires, "a timer fires if not cancelled"},
	{CancelFinal, "a timer never fires after a successful cancel"},
	{DequeOrder, "the owner of a deque takes its newest task, everybody else the oldest"},
	{Linearizable, "the operations take effect, each at moments within its call and return, in an order that the law allows"},
}

// Claims returns every claim, in the order of the claims table. The slice is
// the caller's.
func Claims() []Claim {
	out := make([]Claim, len(law))
	for i, l := range law {
		out[i] = l.claim
	}
	return out
}

// Sentence returns what c says, or "" if there is no such claim.
func Sentence(c Claim) string {
	for _, l := range law {
		if l.claim == c {
			return l.sentence
		}
	}
	return ""
}
