package model_test

import (
	"testing"

	"github.com/filch-sched/filch/model"
	"github.com/stretchr/testify/require"
)

// act is one operation of a hand-written history.
type act struct {
	call, ret int64
	thread    int
	op        model.Op
	res       model.Result
}

func history(acts []act) model.History {
	var h model.History
	for _, a := range acts {
		h = append(h, model.Operation{Thread: a.thread, Op: a.op, Result: a.res, Call: a.call, Return: a.ret})
	}
	return h
}

func push(v model.Task) model.Op { return model.Op{Kind: model.Push, Args: []model.Task{v}} }
func batch(vs ...model.Task) model.Op {
	return model.Op{Kind: model.Batch, Args: vs}
}
func on(k model.Kind, thread int) model.Op { return model.Op{Kind: k, On: thread} }
func just(k model.Kind) model.Op           { return model.Op{Kind: k} }
func inPush(v model.Task) model.Op         { return model.Op{Kind: model.InjectPush, Args: []model.Task{v}} }
func inBatch(vs ...model.Task) model.Op    { return model.Op{Kind: model.InjectBatch, Args: vs} }
func popn(n int) model.Op                  { return model.Op{Kind: model.InjectPopN, Max: n} }

func is(o model.Outcome) model.Result { return model.Result{Outcome: o} }
func n(v int) model.Result            { return model.Result{Outcome: model.Counted, N: v} }
func took(vs ...model.Task) model.Result {
	return model.Result{Outcome: model.Took, Tasks: vs}
}
func stole(count int, v model.Task) model.Result {
	return model.Result{Outcome: model.Stole, N: count, Tasks: []model.Task{v}}
}
func over(vs ...model.Task) model.Result {
	return model.Result{Outcome: model.Overflowed, Tasks: vs}
}
func handed(v model.Task) model.Result {
	return model.Result{Outcome: model.Handed, Tasks: []model.Task{v}}
}
func refused(r model.Result) model.Result { r.Refused = true; return r }
func first(b int) model.Result            { return model.Result{Outcome: model.Done, N: b} }

var (
	pop  = just(model.Pop)
	kept = is(model.Kept)
	none = is(model.Empty)
	busy = is(model.Busy)
)

// verdict is what Check must say: nothing, or a violation whose first claim it
// is.
type verdict struct {
	name  string
	acts  []act
	claim model.Claim // "" if the history is lawful
}

func judge(t *testing.T, sp model.Spec, cases []verdict) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			h := history(c.acts)
			v := model.Check(sp, h)
			if c.claim == "" {
				require.Nil(t, v)
				return
			}
			require.NotNil(t, v, "lawful:\n%s", h.Format(nil))
			require.Equal(t, c.claim, v.Claims[0], "%v", v)
			require.NotEmpty(t, v.Operations)
			require.Contains(t, v.Error(), string(c.claim))
		})
	}
}

func TestEmptyHistoryIsLawful(t *testing.T) {
	require.Nil(t, model.Check(model.Queues(1, 2), nil))
}

func TestOrderComesFromIntervalsOnly(t *testing.T) {
	judge(t, model.Queues(1, 4), []verdict{
		{name: "overlapping", acts: []act{
			{1, 4, 0, push(1), kept}, {2, 3, 1, on(model.Peek, 0), n(1)},
		}},
		{name: "overlapping the other way", acts: []act{
			{1, 4, 0, push(1), kept}, {2, 3, 1, on(model.Peek, 0), n(0)},
		}},
		{name: "a return equal to a call is overlap", acts: []act{
			{1, 2, 0, push(1), kept}, {2, 3, 1, on(model.Peek, 0), n(0)},
		}},
		{name: "one after the other", claim: model.LenHint, acts: []act{
			{1, 2, 0, push(1), kept}, {3, 4, 1, on(model.Peek, 0), n(0)},
		}},
	})
}

func TestCheckPanicsOnAHistoryThatCannotBe(t *testing.T) {
	backwards := history([]act{{3, 2, 0, push(1), kept}})
	require.EqualError(t, backwards.Validate(), "model: [3, 2] t0: push 1 = kept returns before it is called")
	twice := history([]act{{1, 3, 0, push(1), kept}, {2, 4, 0, pop, took(1)}})
	require.EqualError(t, twice.Validate(),
		"model: [2, 4] t0: pop = took 1 is called before push 1 returns at 3")
	require.Panics(t, func() { model.Check(model.Queues(1, 2), twice) })
}

func TestViolationNamesClaimMessageAndOperations(t *testing.T) {
	h := history([]act{
		{1, 2, 0, push(7), kept}, {3, 5, 0, pop, took(7)}, {4, 6, 1, on(model.Steal, 0), stole(1, 7)},
	})
	require.EqualError(t, model.Check(model.Queues(2, 2), h), "model: NoDuplicateTask violated: task 7 is returned twice"+
		"\n\t[1, 2] t0: push 7 = kept\n\t[3, 5] t0: pop = took 7\n\t[4, 6] t1: steal t0 = stole 1 and returned 7")
}

func TestViolationOfOneClaimSaysThatTheOthersCanHold(t *testing.T) {
	h := history([]act{{1, 2, 0, push(1), kept}, {3, 4, 1, on(model.Peek, 0), n(0)}})
	require.ErrorContains(t, model.Check(model.Queues(1, 2), h), "model: LenHint violated: there is no order of the operations, "+
		"each within its call, in which every claim holds, and there is one in which all hold but LenHint; "+
		"an order that keeps every claim gets as far as these, and none of them can come next\n\t[3, 4] t1: ")
}

// stubborn is a law of somebody else's: nothing may happen.
type stubborn struct{ model.Spec }

func (stubborn) Step(model.State, model.Event) []model.State { return nil }

func TestLawWithoutClaimsIsJudgedToo(t *testing.T) {
	v := model.Check(stubborn{model.Queues(1, 2)}, history([]act{{1, 2, 0, push(1), kept}}))
	require.EqualError(t, v, "model: unlawful: there is no order of the operations, each within its call, in which every claim holds\n\t[1, 2] t0: push 1 = kept")
}

func TestKeyForgetsTimesAndKeepsOrder(t *testing.T) {
	a := history([]act{{1, 4, 0, push(1), kept}, {2, 3, 1, on(model.Peek, 0), n(1)}})
	same := history([]act{{20, 40, 0, push(1), kept}, {10, 30, 1, on(model.Peek, 0), n(1)}})
	ordered := history([]act{{1, 2, 0, push(1), kept}, {3, 4, 1, on(model.Peek, 0), n(1)}})
	other := history([]act{{1, 4, 0, push(1), kept}, {2, 3, 1, on(model.Peek, 0), n(0)}})
	require.Equal(t, a.Key(), same.Key())
	require.NotEqual(t, a.Key(), ordered.Key())
	require.NotEqual(t, a.Key(), other.Key())
}
