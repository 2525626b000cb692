package fuzz

import "github.com/filch-sched/filch/model/words"

// fresh is what a value that nobody put in may come from.
const fresh = "a value that comes out in another run than it was put in has no push: make must make a new one for every run"

// crowd is what is said of goroutines that have met, in a queue of which any number may.
func (o QueueOps) crowd() string {
	if o.Putters > 0 && o.Takers > 0 {
		return ""
	}
	return "any number of goroutines put and take here: if only so many may at a time, say so by QueueOps.Putters and QueueOps.Takers"
}

// hints say what of the adapter is to be seen to if its queue is right all the same.
func (o QueueOps) hints() words.Hints {
	return words.QueueHints(o.Capacity > 0, o.MayRefuse, o.MayMiss)
}

// hints are those of a deque.
func (o DequeOps) hints() words.Hints { return words.DequeHints(o.Capacity > 0, o.MayMiss) }

// hints are those of a pool.
func (o PoolOps) hints() words.Hints { return words.PoolHints(o.Late) }
