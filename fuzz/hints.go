package fuzz

import (
	"strings"

	"github.com/filch-sched/filch/model"
)

// joined are what is not "", a sentence each.
func joined(said ...string) string {
	var all []string
	for _, s := range said {
		if s != "" {
			all = append(all, s)
		}
	}
	return strings.Join(all, "; ")
}

// saidFull and saidEmpty are what a violation of BusyIsHonest shows of the answer that was
// not honest, in their words.
const (
	saidFull  = "= full"
	saidEmpty = "= empty"
)

// unless is what is said of a setting that is not there.
func unless(set bool, said string) string {
	if set {
		return ""
	}
	return said
}

// fresh is what a value that nobody put in may come from.
const fresh = "a value that comes out in another run than it was put in has no push: make must make a new one for every run"

// crowd is what is said of goroutines that have met, in a queue of which any number may.
func (o QueueOps) crowd() string {
	return unless(o.Putters > 0 && o.Takers > 0,
		"any number of goroutines put and take here: if only so many may at a time, say so by QueueOps.Putters and QueueOps.Takers")
}

// hints say what of the adapter is to be seen to if its queue is right all the same.
func (o QueueOps) hints() map[string]string {
	return map[string]string{
		saidFull: joined(
			unless(o.Capacity > 0, "QueueOps.Capacity is 0, which is no bound: of a queue that can be full it is how many values there is room for"),
			unless(o.MayRefuse, "if Put may report false though there is room, say so by QueueOps.MayRefuse")),
		saidEmpty:                       unless(o.MayMiss, "if Take may find nothing though something is there, say so by QueueOps.MayMiss"),
		string(model.CapacityFromSteal): "how many values there is room for is what QueueOps.Capacity says",
		progress:                        "an operation that waits, for room or for a value, is none of QueueOps: Put reports false then, and Take too",
	}
}

// hints are those of a deque.
func (o DequeOps) hints() map[string]string {
	return map[string]string{
		saidFull: unless(o.Capacity > 0,
			"DequeOps.Capacity is 0, which is no bound: of a deque that can be full it is how many values there is room for"),
		saidEmpty:                       unless(o.MayMiss, "if Steal may find nothing though something is there, say so by DequeOps.MayMiss; Pop may not"),
		string(model.CapacityFromSteal): "how many values there is room for is what DequeOps.Capacity says",
		progress:                        "an operation that waits, for room or for a value, is none of DequeOps: Push, Pop and Steal report false then",
	}
}

// hints are those of a pool.
func (o PoolOps) hints() map[string]string {
	return map[string]string{
		string(model.ClosedReturnsTasks): unless(o.Late,
			"Submit is not called here once Close was, since PoolOps.Late is not set: it is to accept every task, and may wait for a worker"),
	}
}
