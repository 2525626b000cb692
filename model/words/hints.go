package words

import (
	"strings"

	"github.com/filch-sched/filch/model"
)

// What somebody else's code breaks besides the law. They are no claims of package model.
const (
	Progress = "Progress" // by an operation that does not return
	NoPanic  = "NoPanic"  // by one that panics or ends its goroutine
)

// Full and Empty are what the proof that an answer was not honest shows of that
// answer, in their words.
const (
	Full  = "= full"
	Empty = "= empty"
)

// Hints say what of an adapter is to be seen to if the code behind it is right all the
// same, by what is violated, or by the answer that was not honest, [Full] or [Empty].
type Hints map[string]string

// QueueHints are those of a queue, of whose settings are set those that are true.
func QueueHints(capacity, mayRefuse, mayMiss bool) Hints {
	return Hints{
		Full: joined(
			room("queue", "QueueOps", capacity),
			unless(mayRefuse, "if Put may report false though there is room, say so by QueueOps.MayRefuse")),
		Empty:                           unless(mayMiss, "if Take may find nothing though something is there, say so by QueueOps.MayMiss"),
		string(model.CapacityFromSteal): room("queue", "QueueOps", capacity),
		Progress:                        "an operation that waits, for room or for a value, is none of QueueOps: Put reports false then, and Take too",
	}
}

// DequeHints are those of a deque.
func DequeHints(capacity, mayMiss bool) Hints {
	return Hints{
		Full:                            room("deque", "DequeOps", capacity),
		Empty:                           unless(mayMiss, "if Steal may find nothing though something is there, say so by DequeOps.MayMiss; Pop may not"),
		string(model.CapacityFromSteal): room("deque", "DequeOps", capacity),
		Progress:                        "an operation that waits, for room or for a value, is none of DequeOps: Push, Pop and Steal report false then",
	}
}

// PoolHints are those of a pool.
func PoolHints(late bool) Hints {
	return Hints{string(model.ClosedReturnsTasks): unless(late,
		"Submit is not called here once Close was, since PoolOps.Late is not set: it is to accept every task, and may wait for a worker")}
}

// room is what is said of how much there is room for.
func room(thing, ops string, bounded bool) string {
	if bounded {
		return "how many values there is room for is what " + ops + ".Capacity says"
	}
	return ops + ".Capacity is 0, which is no bound: of a " + thing + " that can be full it is how many values there is room for"
}

// Of returns the hints for a claim that is broken as wrong says, "" if there are none.
// Where wrong shows no answer that was not honest, as where that of another operation
// stands in the way of it, they are of all answers.
func (h Hints) Of(claim, wrong string) string {
	said := []string{h[claim]}
	shown := strings.Contains(wrong, Full) || strings.Contains(wrong, Empty)
	for _, answer := range []string{Full, Empty} {
		if claim == string(model.BusyIsHonest) && (!shown || strings.Contains(wrong, answer)) {
			said = append(said, h[answer])
		}
	}
	return joined(said...)
}

// joined are what is not "", one after the other.
func joined(said ...string) string {
	var all []string
	for _, s := range said {
		if s != "" {
			all = append(all, s)
		}
	}
	return strings.Join(all, "; ")
}

// unless is what is said of a setting that is not there.
func unless(set bool, said string) string {
	if set {
		return ""
	}
	return said
}
