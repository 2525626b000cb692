package model

import "fmt"

// Spec is a sequential law: which events may follow one another. An operation
// takes effect in one event or in several, since others can see the moments
// between. Step is a relation: it returns every state that may follow, none if
// the event is unlawful in s. It also refuses an event out of the order of its
// operation, so that a checker that knows only operations can treat each event
// as an operation with the interval of the whole.
type Spec interface {
	// Initial is the state before the first event.
	Initial() State
	// Events returns the events of a finished operation, in their order.
	Events(o Operation) []Event
	// Step returns the states that may follow s by e. It does not change s.
	Step(s State, e Event) []State
}

// Event is one moment at which an operation takes effect.
type Event struct {
	// Op is the operation whose event this is.
	Op *Operation
	// Phase says which of its events.
	Phase Phase
}

// State is a state of a Spec.
type State interface {
	// Key returns equal strings for equal states, and different ones for states
	// that can be told apart.
	Key() string
}

// Phase is what an event does.
type Phase uint8

// The phases. Most operations have the one event Effect.
const (
	Effect Phase = iota // the whole operation

	Look    // of a steal: head and tail are read, and the head will not have moved at the Claim
	Seize   // of a steal: the tasks are out of the owner's reach
	Release // of a steal: their slots are the owner's again
	Publish // of a steal of two or more: all but the returned task are in the thief's ring

	TakeAll  // of an overflow: the ring looks empty
	GiveBack // of an overflow: the oldest half is visible again
	See      // of a push that hands its task over: the ring is full and a thief active
	HandOver // of either: the inject queue has the tasks, or has refused them

	Shut // of a close: no more are taken in
	Gone // of a close that waits: everything that was taken in is over

	Start  // of a run: the task waits no more
	Finish // of a run: the task is over
)

var phaseWords = [...]string{"effect", "look", "claim", "release", "publish",
	"take all", "give back", "see", "hand over", "shut", "gone", "start", "finish"}

// String returns the phase in words.
func (p Phase) String() string {
	if int(p) < len(phaseWords) {
		return phaseWords[p]
	}
	return fmt.Sprintf("model.Phase(%d)", uint8(p))
}

// SpecOf returns the law of what a scenario runs on.
func SpecOf(s Scenario) Spec {
	threads := len(s.Threads)
	switch s.Target {
	case Ring:
		return Queues(threads, s.Capacity)
	case Inject:
		return Queues(0, 0)
	case Park:
		return Parkers(threads)
	case Tracker:
		return Trackers(s.Workers, s.Asleep)
	case Deque:
		return DequeOf(s.Capacity)
	default:
		return Bag()
	}
}
