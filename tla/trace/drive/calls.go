package main

import (
	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/queue"
	"github.com/filch-sched/filch/tla/trace"
)

// calls is an owner of a ring that writes down what it calls and what that returns, by
// stores to a word of its own that nobody reads: a record has them.
type calls struct {
	*queue.Ring[uint64]
	worker int
	said   atomic.Uint64
}

func (c *calls) begin(k trace.Kind, n int, task uint64) {
	c.said.Store(trace.Call(k, c.worker, n, task))
}

func (c *calls) end(a trace.Answer, n int, task uint64) {
	c.said.Store(trace.Returned(a, n, task))
}

// Push and PushBatch make calls the place that overflows of its ring go to.
func (c *calls) Push(task uint64) bool { c.said.Store(task); return true }

func (c *calls) PushBatch(tasks []uint64) bool {
	for i, task := range tasks {
		c.said.Store(uint64(len(tasks)-1-i)<<32 | task)
	}
	return true
}

func (c *calls) push(task uint64) {
	c.begin(trace.CallPush, 1, task)
	c.Ring.Push(task, c)
	c.end(trace.AnswerDone, 0, 0)
}

// batch brings up to n tasks, as many as there is room for, and returns how many.
func (c *calls) batch(n int, first uint64) int {
	tasks := make([]uint64, 0, n)
	for range min(n, c.Free()) {
		tasks = append(tasks, first+uint64(len(tasks)))
	}
	if len(tasks) < 2 {
		return 0
	}
	c.begin(trace.CallBatch, len(tasks), first)
	c.Ring.PushBatch(tasks)
	c.end(trace.AnswerDone, 0, 0)
	return len(tasks)
}

func (c *calls) pop() {
	c.begin(trace.CallPop, 0, 0)
	if task, ok := c.Pop(); ok {
		c.end(trace.AnswerTask, 1, task)
	} else {
		c.end(trace.AnswerEmpty, 0, 0)
	}
}

var outcomes = map[queue.Outcome]trace.Answer{
	queue.Stole: trace.AnswerTask, queue.Empty: trace.AnswerEmpty, queue.Busy: trace.AnswerBusy, queue.NoRoom: trace.AnswerNoRoom,
}

func (c *calls) steal(from *calls) {
	c.begin(trace.CallSteal, from.worker, 0)
	task, n, out := from.Stealer().StealInto(c.Ring)
	c.end(outcomes[out], n, task)
}
