package model_test

import (
	"testing"

	"github.com/filch-sched/filch/model"
)

// seq gives the acts of one thread after another intervals that do not overlap.
func seq(acts ...act) []act {
	for i := range acts {
		acts[i].call, acts[i].ret = int64(2*i+1), int64(2*i+2)
	}
	return acts
}

// par gives all acts the same interval, after those of before. Each is of
// another thread.
func par(before []act, acts ...act) []act {
	t := int64(2*len(before) + 1)
	for _, a := range acts {
		a.call, a.ret = t, t+1
		before = append(before, a)
	}
	return before
}

// then appends acts that follow all of before.
func then(before []act, acts ...act) []act {
	t := before[len(before)-1].ret
	for i, a := range acts {
		a.call, a.ret = t+int64(2*i+1), t+int64(2*i+2)
		before = append(before, a)
	}
	return before
}

func of(thread int, o model.Op, r model.Result) act { return act{thread: thread, op: o, res: r} }

var (
	steal0   = on(model.Steal, 0)
	steal1   = on(model.Steal, 1)
	drain    = just(model.InjectPop)
	fullRing = func() []act { return seq(of(0, push(1), kept), of(0, push(2), kept)) }
)

func TestRingAloneAnswersOneWay(t *testing.T) {
	judge(t, model.Queues(2, 2), []verdict{
		{name: "in order", acts: seq(of(0, pop, none), of(0, push(1), kept), of(0, just(model.Len), n(1)),
			of(0, push(2), kept), of(0, just(model.Free), n(0)), of(0, pop, took(1)), of(0, pop, took(2)), of(0, pop, none))},
		{name: "out of order", claim: model.FIFO,
			acts: seq(of(0, push(1), kept), of(0, push(2), kept), of(0, pop, took(2)), of(0, pop, took(1)))},
		{name: "always empty, popping", claim: model.BusyIsHonest, acts: seq(of(0, push(1), kept), of(0, pop, none), of(0, pop, took(1)))},
		{name: "always empty, stealing", claim: model.BusyIsHonest, acts: seq(of(0, push(1), kept), of(1, steal0, none))},
		{name: "always busy", claim: model.BusyIsHonest, acts: seq(of(0, push(1), kept), of(1, steal0, busy))},
		{name: "busy though empty", claim: model.BusyIsHonest, acts: seq(of(1, steal0, busy))},
		{name: "always no room", claim: model.BusyIsHonest, acts: seq(of(0, push(1), kept), of(1, steal0, is(model.NoRoom)))},
		{name: "no room indeed", acts: seq(of(0, push(1), kept), of(1, push(2), kept), of(1, push(3), kept), of(1, steal0, is(model.NoRoom)))},
		{name: "steals into a crowded ring", claim: model.CapacityFromSteal,
			acts: seq(of(0, push(1), kept), of(1, push(2), kept), of(1, push(3), kept), of(1, steal0, stole(1, 1)))},
		{name: "lost", claim: model.NoLostTask, acts: seq(of(0, push(1), kept), of(0, pop, none))},
		{name: "twice", claim: model.NoDuplicateTask, acts: seq(of(0, push(1), kept), of(0, pop, took(1)), of(0, pop, took(1)))},
		{name: "from nowhere", claim: model.NoLostTask, acts: seq(of(0, push(1), kept), of(0, pop, took(0)))},
		{name: "too many", claim: model.CapacityFromSteal, acts: then(fullRing(), of(0, push(3), kept))},
		{name: "wrong length", claim: model.LenHint, acts: then(fullRing(), of(0, just(model.Len), n(1)))},
		{name: "more than the capacity", claim: model.CapacityFromSteal, acts: then(fullRing(), of(1, on(model.Peek, 0), n(3)))},
		{name: "wrong room", claim: model.CapacityFromSteal, acts: then(fullRing(), of(0, just(model.Free), n(1)))},
		{name: "vacant", acts: seq(of(1, on(model.Vacant, 0), n(1)), of(0, push(1), kept), of(1, on(model.Vacant, 0), n(0)))},
		{name: "not vacant", claim: model.LenHint, acts: seq(of(1, on(model.Vacant, 0), n(0)))},
		{name: "batch", acts: seq(of(0, batch(1, 2), kept), of(0, batch(3), is(model.NoRoom)), of(0, pop, took(1)))},
		{name: "batch refused for nothing", claim: model.BusyIsHonest, acts: seq(of(0, batch(1, 2), is(model.NoRoom)))},
		{name: "batch too large", claim: model.CapacityFromSteal, acts: seq(of(0, batch(1, 2, 3), kept))},
	})
}

func TestStealTakesTheOldestHalf(t *testing.T) {
	three := func() []act { return seq(of(0, push(1), kept), of(0, push(2), kept), of(0, push(3), kept)) }
	judge(t, model.Queues(2, 4), []verdict{
		{name: "two of three", acts: then(three(), of(1, steal0, stole(2, 2)), of(1, pop, took(1)), of(0, pop, took(3)))},
		{name: "one of three", claim: model.StealHalf, acts: then(three(), of(1, steal0, stole(1, 1)))},
		{name: "all three", claim: model.StealHalf, acts: then(three(), of(1, steal0, stole(3, 3)))},
		{name: "the newest", claim: model.FIFO, acts: then(three(), of(1, steal0, stole(2, 3)))},
		{name: "the first of two is returned", claim: model.FIFO, acts: then(three(), of(1, steal0, stole(2, 1)))},
		{name: "half of what it saw before a push", acts: par(three()[:2],
			of(0, push(3), kept), of(1, steal0, stole(1, 1)))},
		{name: "half of what it saw after the push", acts: par(three()[:2],
			of(0, push(3), kept), of(1, steal0, stole(2, 2)))},
		{name: "half of what nobody could see", claim: model.StealHalf, acts: then(par(three()[:2],
			of(1, on(model.Peek, 0), n(2)), of(0, just(model.Len), n(2))), of(1, steal0, stole(2, 2)))},
		{name: "the rest is the thief's", acts: then(three(), of(1, steal0, stole(2, 2)), of(1, just(model.Len), n(1)),
			of(0, steal1, stole(1, 1)), of(0, just(model.Len), n(1)))},
		{name: "the rest is lost", claim: model.NoLostTask, acts: then(three(), of(1, steal0, stole(2, 2)), of(1, pop, none),
			of(0, pop, took(3)), of(0, pop, none), of(0, drain, none))},
	})
}

func TestBusyNeedsAnActiveThief(t *testing.T) {
	judge(t, model.Queues(3, 2), []verdict{
		{name: "while another steals", acts: par(fullRing(), of(1, steal0, stole(1, 1)), of(2, steal0, busy))},
		{name: "after another stole", claim: model.BusyIsHonest, acts: then(fullRing(), of(1, steal0, stole(1, 1)), of(2, steal0, busy))},
		{name: "while another is refused", claim: model.BusyIsHonest, acts: par(fullRing(), of(1, steal0, busy), of(2, steal0, busy))},
		{name: "empty while another has the last", claim: "", acts: par(seq(of(0, push(1), kept)),
			of(1, steal0, stole(1, 1)), of(2, steal0, none))},
		{name: "empty while there is one more", claim: model.BusyIsHonest, acts: par(fullRing(),
			of(1, steal0, stole(1, 1)), of(2, steal0, none))},
		{name: "two in turn", acts: par(fullRing(), of(1, steal0, stole(1, 1)), of(2, steal0, stole(1, 2)))},
	})
}

func TestRoomCountsFromSteal(t *testing.T) {
	// One thief is active during all of these: its steal spans them.
	long := func(acts ...act) []act {
		h := then(fullRing(), acts...)
		return append(h, act{call: 4, ret: 99, thread: 1, op: steal0, res: stole(1, 1)})
	}
	judge(t, model.Queues(2, 2), []verdict{
		{name: "a claimed slot is not free", acts: long(of(0, just(model.Len), n(1)), of(0, just(model.Free), n(0)), of(0, push(3), handed(3)))},
		{name: "a popped one behind it neither", acts: long(of(0, pop, took(2)), of(0, just(model.Free), n(0)), of(0, push(3), handed(3)))},
		{name: "released", acts: long(of(0, just(model.Free), n(1)), of(0, push(3), kept))},
		{name: "claimed, then room, then none", claim: model.CapacityFromSteal,
			acts: long(of(0, just(model.Len), n(1)), of(0, just(model.Free), n(1)), of(0, just(model.Free), n(0)))},
		{name: "a slot that is written under the thief", claim: model.CapacityFromSteal,
			acts: long(of(0, push(3), kept), of(0, push(4), kept))},
		{name: "handed over without a thief", claim: model.BusyIsHonest, acts: then(fullRing(), of(0, push(3), handed(3)))},
		{name: "handed over with room", claim: model.BusyIsHonest, acts: seq(of(0, push(1), handed(1)))},
		{name: "something else handed over", claim: model.NoLostTask,
			acts: then(long(of(0, push(3), handed(2))), of(0, pop, took(2)), of(0, pop, none))},
	})
}
