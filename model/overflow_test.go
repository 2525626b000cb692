package model_test

import (
	"testing"

	"github.com/filch-sched/filch/model"
)

func TestOverflowKeepsTheOldestHalf(t *testing.T) {
	four := func() []act {
		return seq(of(0, push(1), kept), of(0, push(2), kept), of(0, push(3), kept), of(0, push(4), kept))
	}
	judge(t, model.Queues(2, 4), []verdict{
		{name: "as it must", acts: then(four(), of(0, push(5), over(3, 4, 5)), of(0, pop, took(1)), of(0, pop, took(2)),
			of(0, pop, none), of(0, drain, took(3)), of(0, drain, took(4)), of(0, drain, took(5)), of(0, drain, none))},
		{name: "the oldest half", claim: model.OverflowKeepsOldest,
			acts: then(four(), of(0, push(5), over(1, 2, 5)), of(0, pop, took(3)))},
		{name: "out of order", claim: model.OverflowKeepsOldest, acts: then(four(), of(0, push(5), over(5, 3, 4)))},
		{name: "a quarter", claim: model.OverflowKeepsOldest, acts: then(four(), of(0, push(5), over(4, 5)), of(0, pop, took(1)))},
		{name: "with room", claim: model.CapacityFromSteal, acts: then(four()[:3], of(0, push(5), over(2, 3, 5)))},
		{name: "the rest is lost", claim: model.NoLostTask, acts: then(four(), of(0, push(5), over(3, 4, 5)), of(0, pop, none),
			of(0, drain, took(3)), of(0, drain, took(4)), of(0, drain, took(5)), of(0, drain, none))},
		{name: "the pushed task twice", claim: model.NoDuplicateTask, acts: then(four(), of(0, push(5), over(3, 4, 5)), of(0, pop, took(1)),
			of(0, pop, took(2)), of(0, pop, took(5)), of(0, drain, took(3)), of(0, drain, took(4)), of(0, drain, took(5)))},
		{name: "another's push in the batch", claim: model.InjectFIFO, acts: then(par(four(),
			of(0, push(5), over(3, 4, 5)), of(1, inPush(9), kept)),
			of(0, drain, took(3)), of(0, drain, took(9)), of(0, drain, took(4)))},
	})
}

func TestOverflowCanBeSeenHalfway(t *testing.T) {
	during := func(acts ...act) []act { // another thread looks on while the full ring overflows
		h := then(fullRing(), acts...)
		return append(h, act{call: 4, ret: 99, thread: 0, op: push(3), res: over(2, 3)})
	}
	look := func(v int) act { return of(1, on(model.Peek, 0), n(v)) }
	judge(t, model.Queues(2, 2), []verdict{
		{name: "full, empty, half", acts: during(look(2), look(0), of(1, steal0, none), look(1), of(1, drain, none), of(1, drain, took(2)))},
		{name: "never full again", claim: model.LenHint, acts: during(look(0), look(2))},
		{name: "never empty again", claim: model.LenHint, acts: during(look(0), look(1), look(0))},
		{name: "the half does not wait for inject", acts: during(of(1, steal0, stole(1, 1)), of(1, drain, none))},
		{name: "inject does not come first", claim: model.InjectFIFO, acts: during(of(1, drain, took(3)), look(0))},
	})
}

func TestClosedOverflowGivesTheTasksBack(t *testing.T) {
	closed := func() []act { return then(fullRing(), of(0, just(model.InjectClose), first(1))) }
	judge(t, model.Queues(2, 2), []verdict{
		{name: "a batch", acts: then(closed(), of(0, push(3), refused(over(2, 3))), of(0, drain, none), of(0, pop, took(1)))},
		{name: "one task", acts: append(then(closed(), of(0, push(3), refused(handed(3)))),
			act{call: 6, ret: 99, thread: 1, op: steal0, res: stole(1, 1)})},
		{name: "taken all the same", claim: model.ClosedReturnsTasks, acts: then(closed(), of(0, push(3), over(2, 3)))},
		{name: "refused by an open queue", claim: model.ClosedReturnsTasks, acts: then(fullRing(), of(0, push(3), refused(over(2, 3))))},
		{name: "refused and in the queue", claim: model.NoDuplicateTask,
			acts: then(closed(), of(0, push(3), refused(over(2, 3))), of(0, drain, took(2)))},
	})
}

func TestInjectIsAQueue(t *testing.T) {
	length := just(model.InjectLen)
	shut := just(model.InjectClose)
	judge(t, model.Queues(0, 0), []verdict{
		{name: "in order", acts: seq(of(0, drain, none), of(0, inPush(1), kept), of(0, inBatch(2, 3), kept), of(0, length, n(3)),
			of(0, popn(2), took(1, 2)), of(0, popn(2), took(3)), of(0, popn(2), none))},
		{name: "out of order", claim: model.InjectFIFO, acts: seq(of(0, inPush(1), kept), of(0, inPush(2), kept), of(0, drain, took(2)))},
		{name: "fewer than there are", claim: model.NoLostTask, acts: seq(of(0, inBatch(1, 2), kept), of(0, popn(2), took(1)))},
		{name: "a batch apart", claim: model.InjectFIFO, acts: then(par(seq(of(0, inPush(7), kept)),
			of(0, inBatch(1, 2), kept), of(1, inPush(3), kept)), of(0, popn(4), took(7, 1, 3, 2)))},
		{name: "always empty", claim: model.BusyIsHonest, acts: seq(of(0, inPush(1), kept), of(0, drain, none), of(0, drain, took(1)))},
		{name: "wrong length", claim: model.LenHint, acts: seq(of(0, inPush(1), kept), of(1, length, n(0)))},
		{name: "closed", acts: seq(of(0, inPush(1), kept), of(1, shut, first(1)), of(1, shut, first(0)),
			of(0, inPush(2), is(model.Closed)), of(0, inBatch(3, 4), is(model.Closed)), of(0, drain, took(1)))},
		{name: "open and refused", claim: model.ClosedReturnsTasks, acts: seq(of(0, inPush(1), is(model.Closed)))},
		{name: "closed and taken", claim: model.ClosedReturnsTasks, acts: seq(of(0, shut, first(1)), of(0, inPush(1), kept))},
		{name: "taken after it was drained", claim: model.ClosedReturnsTasks, acts: then(par(seq(of(2, just(model.InjectLen), n(0))),
			of(0, inBatch(1, 2), kept), of(1, shut, first(1))), of(1, length, n(2)), of(1, inPush(3), kept))},
		{name: "two first closers", claim: model.ClosedReturnsTasks, acts: par(seq(of(0, drain, none)), of(0, shut, first(1)), of(1, shut, first(1)))},
		{name: "no first closer", claim: model.ClosedReturnsTasks, acts: seq(of(0, shut, first(0)))},
	})
}
