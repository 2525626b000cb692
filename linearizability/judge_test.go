package linearizability_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/linearizability"
	"github.com/filch-sched/filch/model"
)

// at gives an operation its thread and interval.
func at(thread int, call, ret int64, kind model.Kind, out model.Outcome) model.Operation {
	return model.Operation{Thread: thread, Call: call, Return: ret,
		Op: model.Op{Kind: kind}, Result: model.Result{Outcome: out}}
}

// given, took and on fill in the rest of an operation.
func given(o model.Operation, tasks ...model.Task) model.Operation { o.Args = tasks; return o }
func took(o model.Operation, tasks ...model.Task) model.Operation  { o.Tasks = tasks; return o }
func on(o model.Operation, thread int) model.Operation             { o.On = thread; return o }
func num(o model.Operation, n int) model.Operation                 { o.N = n; return o }
func most(o model.Operation, n int) model.Operation                { o.Max = n; return o }

func push(call, ret int64, v model.Task) model.Operation {
	return given(at(0, call, ret, model.Push, model.Kept), v)
}

func pop(call, ret int64, v model.Task) model.Operation {
	return took(at(0, call, ret, model.Pop, model.Took), v)
}

func stole(thread int, call, ret int64, n int, last model.Task) model.Operation {
	return num(took(at(thread, call, ret, model.Steal, model.Stole), last), n)
}

// rings is a history of three threads on rings of capacity 4.
func rings(ops ...model.Operation) *linearizability.History {
	return &linearizability.History{Target: model.Ring, Threads: 3, Capacity: 4, Ops: ops}
}

func injects(ops ...model.Operation) *linearizability.History {
	return &linearizability.History{Target: model.Inject, Threads: 3, Ops: ops}
}

func bounded(ops ...model.Operation) *linearizability.History {
	return &linearizability.History{Target: model.Inject, Threads: 3, Capacity: 1, Ops: ops}
}

func deques(ops ...model.Operation) *linearizability.History {
	return &linearizability.History{Target: model.Deque, Threads: 3, Ops: ops}
}

func parkers(ops ...model.Operation) *linearizability.History {
	return &linearizability.History{Target: model.Park, Threads: 3, Ops: ops}
}

func tasks(ops ...model.Operation) *linearizability.History {
	return &linearizability.History{Target: model.Sched, Threads: 3, Ops: ops}
}

func stuck(h *linearizability.History) *linearizability.History { h.Stuck = true; return h }

func TestLawfulHistoriesAreAccepted(t *testing.T) {
	for name, h := range map[string]*linearizability.History{
		"nothing":                     rings(),
		"busy while a thief is there": rings(push(1, 1, 1), push(2, 2, 2), stole(1, 3, 5, 1, 1), at(2, 4, 4, model.Steal, model.Busy)),
		"an equal stamp is overlap":   rings(at(1, 1, 2, model.Steal, model.Empty), push(2, 2, 1)),
		"empty in an overflow": rings(push(1, 1, 1), push(2, 2, 2), push(3, 3, 3), push(4, 4, 4),
			took(given(at(0, 5, 7, model.Push, model.Overflowed), 5), 3, 4, 5), at(1, 6, 6, model.Steal, model.Empty)),
		"a push between look and claim": rings(push(1, 1, 1), stole(1, 2, 9, 1, 1), push(3, 3, 2), push(4, 4, 3), push(5, 5, 4), pop(6, 6, 2)),
		"a batch taken in parts": injects(given(at(0, 1, 1, model.InjectBatch, model.Kept), 1, 2, 3),
			took(most(at(1, 2, 2, model.InjectPopN, model.Took), 2), 1, 2), took(at(2, 3, 3, model.InjectPop, model.Took), 3)),
		"two unparks, one park": parkers(at(1, 1, 1, model.Unpark, model.Done), at(1, 2, 2, model.Unpark, model.Done),
			at(0, 3, 3, model.ParkToken, model.Done), at(0, 4, 4, model.ParkTimed, model.TimedOut)),
		"a task that ran": tasks(given(at(0, 1, 4, model.Submit, model.Kept), 1), given(at(1, 2, 3, model.Run, model.Done), 1),
			at(0, 5, 5, model.Close, model.Done), given(at(2, 6, 6, model.Submit, model.Closed), 2)),
	} {
		t.Run(name, func(t *testing.T) {
			v, err := linearizability.Judge(h)
			require.NoError(t, err)
			require.Nil(t, v)
		})
	}
}

// unlawful are histories with the claim that each violates.
type unlawful map[string]struct {
	h     *linearizability.History
	claim model.Claim
}

func (u unlawful) requireNamed(t *testing.T) {
	for name, c := range u {
		t.Run(name, func(t *testing.T) {
			v, err := linearizability.Judge(c.h)
			require.NoError(t, err)
			require.NotNil(t, v, "nothing is found wrong with\n%s", c.h.Ops.Format(nil))
			require.Equal(t, c.claim, v.Claim, "%v", v)
			require.NotEmpty(t, v.Ops)
			_, w := linearizability.Shrink(c.h, v)
			require.Equal(t, c.claim, w.Claim)
		})
	}
}

func TestUnlawfulHistoriesOfRingsAreNamed(t *testing.T) {
	lost := rings(push(1, 1, 1), push(2, 2, 2), pop(3, 3, 2), at(0, 4, 4, model.Pop, model.Empty))
	unlawful{
		"always busy":               {rings(push(1, 1, 1), at(1, 2, 2, model.Steal, model.Busy)), model.BusyIsHonest},
		"always empty":              {rings(push(1, 1, 1), at(1, 2, 2, model.Steal, model.Empty)), model.BusyIsHonest},
		"never room":                {rings(push(1, 1, 1), at(1, 2, 2, model.Steal, model.NoRoom)), model.BusyIsHonest},
		"busy is empty":             {rings(push(1, 1, 1), push(2, 2, 2), pop(3, 3, 1), stole(1, 4, 9, 1, 2), at(0, 5, 5, model.Pop, model.Empty), at(2, 6, 6, model.Steal, model.Busy), at(2, 7, 7, model.Steal, model.Empty), at(2, 8, 8, model.Steal, model.Busy)), model.BusyIsHonest},
		"handed over with no thief": {rings(push(1, 1, 1), took(given(at(0, 2, 2, model.Push, model.Handed), 2), 2)), model.BusyIsHonest},
		"too many in a ring":        {rings(push(1, 1, 1), push(2, 2, 2), push(3, 3, 3), push(4, 4, 4), push(5, 5, 5)), model.CapacityFromSteal},
		"a slot not yet free": {rings(push(1, 1, 1), push(2, 2, 2), push(3, 3, 3), push(4, 4, 4), stole(1, 5, 9, 2, 2),
			pop(6, 6, 3), push(7, 7, 5), at(2, 8, 8, model.Steal, model.Busy)), model.CapacityFromSteal},
		"stole too few":  {rings(push(1, 1, 1), push(2, 2, 2), push(3, 3, 3), stole(1, 4, 4, 1, 1)), model.StealHalf},
		"stole too many": {rings(push(1, 1, 1), push(2, 2, 2), stole(1, 3, 3, 2, 2)), model.StealHalf},
		"out of order":   {rings(push(1, 1, 1), push(2, 2, 2), pop(3, 3, 2), pop(4, 4, 1)), model.FIFO},
		"twice":          {rings(push(1, 1, 1), pop(2, 2, 1), stole(1, 3, 3, 1, 1)), model.NoDuplicateTask},
		"lost":           {lost, model.NoLostTask},
		"out of nowhere": {rings(push(1, 1, 1), pop(2, 2, 7)), model.NoLostTask},
		"the wrong half": {rings(push(1, 1, 1), push(2, 2, 2), push(3, 3, 3), push(4, 4, 4),
			took(given(at(0, 5, 5, model.Push, model.Overflowed), 5), 1, 2, 5)), model.OverflowKeepsOldest},
		"two thieves": {rings(push(1, 1, 1), push(2, 2, 2), push(3, 3, 3), stole(1, 4, 9, 2, 2), pop(5, 5, 3), push(6, 6, 4),
			stole(2, 7, 7, 1, 4), at(2, 8, 8, model.Steal, model.Busy)), model.SingleThief},
		"a length that never was": {rings(push(1, 1, 1), num(at(0, 2, 2, model.Len, model.Counted), 2)), model.LenHint},
		"a push that hangs":       {stuck(rings(given(at(0, 1, linearizability.Never, model.Push, 0), 1))), model.NoLostTask},
	}.requireNamed(t)
}

func TestUnlawfulHistoriesAreNamed(t *testing.T) {
	unlawful{
		"inject out of order": {injects(given(at(0, 1, 1, model.InjectPush, model.Kept), 1), given(at(0, 2, 2, model.InjectPush, model.Kept), 2),
			took(at(1, 3, 3, model.InjectPop, model.Took), 2)), model.InjectFIFO},
		"a batch come apart": {injects(given(at(0, 1, 5, model.InjectBatch, model.Kept), 1, 2), given(at(1, 2, 2, model.InjectPush, model.Kept), 3),
			took(most(at(2, 6, 6, model.InjectPopN, model.Took), 3), 1, 3, 2)), model.InjectFIFO},
		"empty between the parts of a batch": {injects(given(at(0, 1, 9, model.InjectBatch, model.Kept), 1, 2), took(at(1, 2, 2, model.InjectPop, model.Took), 1),
			at(1, 3, 3, model.InjectPop, model.Empty), took(at(1, 4, 4, model.InjectPop, model.Took), 2)), model.InjectFIFO},
		"taken after the close": {injects(num(at(0, 1, 1, model.InjectClose, model.Done), 1), given(at(1, 2, 2, model.InjectPush, model.Kept), 1)), model.ClosedReturnsTasks},
		"empty and it is not":   {injects(given(at(0, 1, 1, model.InjectPush, model.Kept), 1), at(1, 2, 2, model.InjectPop, model.Empty), took(at(1, 3, 3, model.InjectPop, model.Took), 1)), model.BusyIsHonest},
		"inject lost one":       {injects(given(at(0, 1, 1, model.InjectPush, model.Kept), 1), at(1, 2, 2, model.InjectPop, model.Empty)), model.NoLostTask},

		"a park for nothing":   {parkers(at(0, 1, 1, model.ParkToken, model.Done)), model.TokenSingle},
		"one token, two parks": {parkers(at(1, 1, 1, model.Unpark, model.Done), at(1, 2, 2, model.Unpark, model.Done), at(0, 3, 3, model.ParkToken, model.Done), at(0, 4, 4, model.ParkTimed, model.Token)), model.TokenSingle},
		"a dropped token":      {parkers(at(1, 1, 1, model.Unpark, model.Done), at(0, 2, 2, model.ParkTimed, model.TimedOut)), model.TokenKept},
		"a lost token":         {stuck(parkers(at(0, 1, linearizability.Never, model.ParkToken, 0), at(1, 2, 2, model.Unpark, model.Done))), model.TokenKept},
		"a deaf sleeper":       {stuck(parkers(at(0, 1, linearizability.Never, model.ParkToken, 0), at(1, 2, 2, model.ClosePark, model.Done))), model.ShutdownWakes},
		"unpublished":          {parkers(given(at(1, 1, 1, model.Write, model.Done), 5), took(at(0, 2, 2, model.Read, model.Took), 4)), model.UnparkPublishes},

		"full and it is not":    {bounded(given(at(0, 1, 1, model.InjectPush, model.NoRoom), 1)), model.BusyIsHonest},
		"more than fits":        {bounded(given(at(0, 1, 1, model.InjectPush, model.Kept), 1), given(at(0, 2, 2, model.InjectPush, model.Kept), 2)), model.CapacityFromSteal},
		"popped before it came": {injects(took(at(1, 1, 1, model.InjectPop, model.Took), 1), given(at(0, 2, 2, model.InjectPush, model.Kept), 1)), model.NoLostTask},
		"popped the oldest": {deques(given(at(0, 1, 1, model.DequePush, model.Kept), 1), given(at(0, 2, 2, model.DequePush, model.Kept), 2),
			took(at(0, 3, 3, model.DequePop, model.Took), 1)), linearizability.DequeOrder},
		"stole the newest": {deques(given(at(0, 1, 1, model.DequePush, model.Kept), 1), given(at(0, 2, 2, model.DequePush, model.Kept), 2),
			took(at(1, 3, 3, model.DequeSteal, model.Took), 2)), linearizability.DequeOrder},
		"a deque that is not empty": {deques(given(at(0, 1, 1, model.DequePush, model.Kept), 1), at(1, 2, 2, model.DequeSteal, model.Empty),
			took(at(0, 3, 3, model.DequePop, model.Took), 1)), model.BusyIsHonest},
		"lost in a deque": {deques(given(at(0, 1, 1, model.DequePush, model.Kept), 1), at(0, 2, 2, model.DequePop, model.Empty)), model.NoLostTask},

		"refused, then taken": {tasks(given(at(0, 1, 2, model.Submit, model.Closed), 1), at(1, 2, 9, model.Close, model.Done),
			given(at(0, 3, 4, model.Submit, model.Kept), 2), given(at(2, 5, 5, model.Run, model.Done), 2)), model.ClosedReturnsTasks},
		"ran twice":         {tasks(given(at(0, 1, 1, model.Submit, model.Kept), 1), given(at(1, 2, 2, model.Run, model.Done), 1), given(at(2, 3, 3, model.Run, model.Done), 1)), model.NoDuplicateTask},
		"ran before":        {tasks(given(at(1, 1, 1, model.Run, model.Done), 1), given(at(0, 2, 2, model.Submit, model.Kept), 1)), model.EveryTaskRuns},
		"never spawned":     {tasks(given(at(1, 1, 1, model.Run, model.Done), 1)), model.NoLostTask},
		"never ran":         {tasks(given(at(0, 1, 1, model.Submit, model.Kept), 1), at(0, 2, 2, model.Close, model.Done)), model.EveryTaskRuns},
		"forgotten":         {stuck(tasks(given(at(0, 1, 1, model.Submit, model.Kept), 1))), model.NoLostWakeup},
		"ran when refused":  {tasks(at(0, 1, 1, model.Close, model.Done), given(at(0, 2, 2, model.Submit, model.Closed), 1), given(at(1, 3, 3, model.Run, model.Done), 1)), model.ClosedReturnsTasks},
		"refused too early": {tasks(given(at(0, 1, 1, model.Submit, model.Closed), 1), at(0, 2, 2, model.Close, model.Done)), model.ClosedReturnsTasks},
		"taken too late":    {tasks(at(0, 1, 1, model.Close, model.Done), given(at(0, 2, 2, model.Submit, model.Kept), 1), given(at(1, 3, 3, model.Run, model.Done), 1)), model.ClosedReturnsTasks},
		"runs on":           {tasks(given(at(0, 1, 1, model.Submit, model.Kept), 1), given(at(1, 2, 5, model.Run, model.Done), 1), at(0, 3, 3, model.Close, model.Done)), model.ShutdownDrains},
		"a close that stays": {stuck(tasks(given(at(0, 1, 1, model.Submit, model.Kept), 1), given(at(1, 2, 2, model.Run, model.Done), 1),
			at(0, 3, linearizability.Never, model.Close, 0))), model.ShutdownWakes},
	}.requireNamed(t)
}

func TestWhatIsNoHistoryIsNotJudged(t *testing.T) {
	for name, c := range map[string]struct {
		h    *linearizability.History
		says string
	}{
		"out of order":        {rings(push(2, 2, 1), push(1, 1, 2)), "called at 1, before the operation above it"},
		"two at a time":       {rings(push(1, 3, 1), push(2, 2, 2)), "before thread 0 was done"},
		"backwards":           {rings(push(3, 2, 1)), "returns at 2, before its call at 3"},
		"no such thread":      {rings(at(3, 1, 1, model.Pop, model.Empty)), "thread 3 of 3"},
		"a task twice":        {rings(push(1, 1, 1), push(2, 2, 1)), "task 1 is given a second time"},
		"no task":             {rings(push(1, 1, 0)), "task 0, want 1"},
		"not of a ring":       {rings(at(0, 1, 1, model.Unpark, model.Done)), "unpark is no operation of ring"},
		"not an answer":       {rings(at(0, 1, 1, model.Pop, model.Busy)), "pop cannot end as busy"},
		"from itself":         {rings(at(0, 1, 1, model.Steal, model.Busy)), "steals from its own ring"},
		"capacity":            {&linearizability.History{Target: model.Ring, Threads: 1, Capacity: 3}, "capacity 3 is not a power of two"},
		"too many threads":    {&linearizability.History{Target: model.Inject, Threads: 33}, "33 threads"},
		"never and not stuck": {rings(at(0, 1, linearizability.Never, model.Pop, 0)), "does not return, and the history does not say that the run was stuck"},
		"in a circle": {rings(push(1, 1, 1), push(2, 2, 2), push(3, 3, 3), stole(1, 4, 4, 2, 2),
			on(num(took(at(0, 5, 5, model.Steal, model.Stole), 1), 2), 1)), "in a circle"},
		"two owners of a deque":   {deques(at(1, 1, 1, model.DequePop, model.Empty)), "the owner of the deque is thread 0"},
		"full without a capacity": {injects(given(at(0, 1, 1, model.InjectPush, model.NoRoom), 1)), "finds no room in what has no capacity"},
		"stuck for no reason":     {stuck(rings(push(1, 1, 1))), "no operation of it had to end"},
	} {
		t.Run(name, func(t *testing.T) {
			v, err := linearizability.Judge(c.h)
			require.Nil(t, v)
			require.ErrorContains(t, err, c.says)
		})
	}
}
