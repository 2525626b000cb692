package model_test

import (
	"slices"
	"testing"

	"github.com/filch-sched/filch/model"
)

func dequePush(v model.Task) model.Op { return model.Op{Kind: model.DequePush, Args: []model.Task{v}} }

// Every verdict on a deque names the claim that is broken, whether anything was
// taken before or not.
func TestDequesAreBlamedByName(t *testing.T) {
	full := is(model.NoRoom)
	put := func(v model.Task) act { return of(0, dequePush(v), kept) }
	popped := func(r model.Result) act { return of(0, just(model.DequePop), r) }
	stolen := func(r model.Result) act { return of(1, just(model.DequeSteal), r) }
	cases := []verdict{
		{name: "newest and oldest", acts: seq(put(1), put(2), put(3), of(0, dequePush(4), full), stolen(took(1)),
			popped(took(3)), popped(took(2)), popped(none), stolen(none))},
		{name: "pops the oldest", claim: model.DequeOrder, acts: seq(put(1), put(2), popped(took(1)))},
		{name: "steals the newest", claim: model.DequeOrder, acts: seq(put(1), put(2), stolen(took(2)))},
		{name: "one too many", claim: model.CapacityFromSteal, acts: seq(put(1), put(2), put(3), put(4))},
		{name: "full with room", claim: model.BusyIsHonest, acts: seq(put(1), of(0, dequePush(2), full))},
		{name: "empty to its owner and it is not", claim: model.BusyIsHonest, acts: seq(put(1), popped(none), popped(took(1)))},
		{name: "empty to a thief and it is not", claim: model.BusyIsHonest, acts: seq(put(1), stolen(none), popped(took(1)))},
		{name: "lost", claim: model.NoLostTask, acts: seq(put(1), popped(none))},
		{name: "lost between others", claim: model.NoLostTask, acts: seq(put(1), put(2), popped(took(2)), popped(none))},
		{name: "lost as a thief sees it", claim: model.NoLostTask, acts: seq(put(1), stolen(none))},
		{name: "twice", claim: model.NoDuplicateTask, acts: seq(put(1), popped(took(1)), stolen(took(1)))},
		{name: "from nowhere", claim: model.NoLostTask, acts: seq(put(1), popped(took(7)))},
		{name: "refused and there all the same", claim: model.NoLostTask,
			acts: seq(put(1), put(2), put(3), of(0, dequePush(4), full), popped(took(4)))},
	}
	judge(t, model.DequeOf(3), cases)
	before := seq(put(90), popped(took(90))) // what a run had returned is not to matter
	for i, c := range cases {
		after := slices.Clone(c.acts)
		for j := range after {
			after[j].call, after[j].ret = after[j].call+100, after[j].ret+100
		}
		cases[i].acts = slices.Concat(before, after)
	}
	judge(t, model.DequeOf(3), cases)
	judge(t, model.DequeOf(0), []verdict{
		{name: "without a bound", acts: seq(put(1), put(2), put(3), put(4))},
		{name: "full without a bound", claim: model.BusyIsHonest, acts: seq(put(1), of(0, dequePush(2), full))},
	})
}

// Every verdict on a queue of somebody else's names the claim that is broken.
func TestBoundedQueuesAreBlamedByName(t *testing.T) {
	full := is(model.NoRoom)
	put := func(v model.Task) act { return of(0, inPush(v), kept) }
	taken := func(r model.Result) act { return of(1, just(model.InjectPop), r) }
	judge(t, model.Bounded(2), []verdict{
		{name: "in order", acts: seq(put(1), put(2), of(0, inPush(3), full), taken(took(1)), taken(took(2)), taken(none))},
		{name: "out of order", claim: model.InjectFIFO, acts: seq(put(1), put(2), taken(took(2)))},
		{name: "one too many", claim: model.CapacityFromSteal, acts: seq(put(1), put(2), put(3))},
		{name: "full with room", claim: model.BusyIsHonest, acts: seq(put(1), of(0, inPush(2), full))},
		{name: "empty and it is not", claim: model.BusyIsHonest, acts: seq(put(1), taken(none), taken(took(1)))},
		{name: "lost", claim: model.NoLostTask, acts: seq(put(1), put(2), taken(took(1)), taken(none))},
		{name: "twice", claim: model.NoDuplicateTask, acts: seq(put(1), taken(took(1)), taken(took(1)))},
		{name: "from nowhere", claim: model.NoLostTask, acts: seq(put(1), taken(took(0)))},
	})
	judge(t, model.Queues(0, 0), []verdict{
		{name: "full without a bound", claim: model.BusyIsHonest, acts: seq(put(1), of(0, inPush(2), full))},
	})
}
