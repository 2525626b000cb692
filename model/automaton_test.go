package model_test

import (
	"math/rand/v2"
	"testing"

	"github.com/filch-sched/filch/model"
	"github.com/stretchr/testify/require"
)

// going is a history that goes on, of random operations with random answers.
type going struct {
	r    *rand.Rand
	a    *model.Automaton
	ask  func(r *rand.Rand, thread, nth int) model.Op
	of   func(model.Op) []model.Result
	at   model.Set
	now  int64
	ops  model.History
	open map[int]model.Operation // by thread
	left int                     // calls to come
	bad  bool                    // now and then an answer is any
}

// result returns an answer to o: one that the law allows, any if there is none and it
// must be one, or if the history may be unlawful now and then.
func (g *going) result(o model.Operation, must bool) (model.Result, bool) {
	all := g.of(o.Op)
	if g.at == model.Unlawful || g.bad && g.r.IntN(5) == 0 {
		return all[g.r.IntN(len(all))], true
	}
	for _, i := range g.r.Perm(len(all)) {
		if g.a.Return(g.at, o.Thread, all[i]) != model.Unlawful {
			return all[i], true
		}
	}
	return all[0], must
}

// run plays to an end at which no operation is under way.
func (g *going) run(threads int) {
	for idle := 0; g.left > 0 || len(g.open) > 0; {
		t := g.r.IntN(threads)
		g.now++
		o, in := g.open[t]
		switch {
		case !in && g.left > 0:
			g.left--
			o = model.Operation{Thread: t, Op: g.ask(g.r, t, g.left+1), Call: g.now}
			if g.at != model.Unlawful {
				g.at = g.a.Call(g.at, t, o.Op)
			}
			g.open[t] = o
		case in:
			idle++
			res, ok := g.result(o, idle > 200)
			if !ok {
				continue // a park that has to wait
			}
			o.Result, o.Return = res, g.now
			if g.at != model.Unlawful {
				g.at = g.a.Return(g.at, t, res)
			}
			delete(g.open, t)
			g.ops = append(g.ops, o)
		}
	}
}

// pick returns one of all.
func pick[T any](r *rand.Rand, all ...T) T { return all[r.IntN(len(all))] }

var automata = []struct {
	name    string
	spec    model.Spec
	threads int
	answers model.Answers
	ask     func(r *rand.Rand, thread, nth int) model.Op
}{
	{"inject", model.Queues(0, 0), 3, model.Answers{Tasks: []model.Task{1, 2, 3}, Room: 4}, func(r *rand.Rand, _, _ int) model.Op {
		return pick(r, inPush(pick[model.Task](r, 1, 2, 3)), inBatch(1, 2), just(model.InjectPop), popn(2), just(model.InjectClose), just(model.InjectLen))
	}},
	{"told apart", model.Queues(0, 0), 3, model.Answers{Tasks: []model.Task{1, 2, 3, 4, 5, 6, 7, 8, 9}, Room: 9}, func(r *rand.Rand, _, nth int) model.Op {
		return pick(r, inPush(model.Task(nth)), inPush(model.Task(nth)), just(model.InjectPop), popn(2), just(model.InjectLen))
	}},
	{"bounded", model.Bounded(2), 3, model.Answers{Tasks: []model.Task{1, 2}, Room: 2}, func(r *rand.Rand, _, _ int) model.Op {
		return pick(r, inPush(pick[model.Task](r, 1, 2)), just(model.InjectPop))
	}},
	{"ring", model.Queues(3, 2), 3, model.Answers{Tasks: []model.Task{1, 2}, Capacity: 2, Room: 4}, func(r *rand.Rand, t, _ int) model.Op {
		if t == 0 {
			return pick(r, push(1), push(2), push(1), push(1), pop, batch(1), just(model.Free), just(model.Len), just(model.InjectPop))
		}
		return pick(r, on(model.Steal, 0), on(model.Steal, 0), pop, on(model.Peek, 0), on(model.Vacant, 0), just(model.InjectClose))
	}},
	{"large ring", model.Queues(2, 4), 2, model.Answers{Tasks: []model.Task{1, 2}, Capacity: 4, Room: 4}, func(r *rand.Rand, t, _ int) model.Op {
		if t == 0 {
			return pick(r, push(1), push(2), push(1), push(1), pop)
		}
		return pick(r, on(model.Steal, 0), on(model.Steal, 0), pop, just(model.InjectClose))
	}},
	{"park", model.Parkers(1), 3, model.Answers{}, func(r *rand.Rand, t, _ int) model.Op {
		if t == 0 {
			return pick(r, just(model.ParkToken), just(model.ParkTimed))
		}
		return pick(r, on(model.Unpark, 0), on(model.Unpark, 0), on(model.ClosePark, 0))
	}},
	{"deque", model.DequeOf(2), 3, model.Answers{Tasks: []model.Task{1, 2}}, func(r *rand.Rand, t, _ int) model.Op {
		if t == 0 {
			return pick(r, model.Op{Kind: model.DequePush, Args: []model.Task{pick[model.Task](r, 1, 2)}}, just(model.DequePop))
		}
		return just(model.DequeSteal)
	}},
}

// TestAutomatonIsCheck: when no operation is under way, it says what Check does of the
// whole history; once it has said that none is lawful, Check says so of all that follow.
func TestAutomatonIsCheck(t *testing.T) {
	for _, c := range automata {
		t.Run(c.name, func(t *testing.T) {
			a := model.NewAutomaton(c.spec, c.answers.Of)
			lawful, unlawful := 0, 0
			for seed := range uint64(1500) {
				r := rand.New(rand.NewPCG(seed, 1))
				g := going{r: r, a: a, ask: c.ask, of: c.answers.Of, at: a.Begin(), open: map[int]model.Operation{},
					left: 3 + r.IntN(7), bad: r.IntN(2) == 0}
				g.run(c.threads)
				v := model.Check(bare{c.spec}, g.ops)
				if c.name == "told apart" {
					v = model.Check(c.spec, g.ops)
				}
				require.Equal(t, v == nil, g.at != model.Unlawful, "seed %d: %v\n%s", seed, v, g.ops.Format(nil))
				if v == nil {
					lawful++
				} else {
					unlawful++
				}
			}
			t.Logf("%d lawful histories, %d others, %d sets", lawful, unlawful, a.Size())
			require.Greater(t, lawful, 100)
			require.Greater(t, unlawful, 25)
		})
	}
}

// TestAutomatonForgets: after different histories that leave the law in one state, the
// set is one; and one that tells them apart is another.
func TestAutomatonForgets(t *testing.T) {
	a := model.NewAutomaton(model.Queues(0, 0), model.Answers{Tasks: []model.Task{1, 2}, Room: 2}.Of)
	do := func(at model.Set, thread int, op model.Op, r model.Result) model.Set {
		return a.Return(a.Call(at, thread, op), thread, r)
	}
	one := do(a.Begin(), 0, inPush(1), kept)
	require.Equal(t, a.Begin(), do(one, 1, just(model.InjectPop), took(1)))
	require.Equal(t, one, do(do(one, 0, inPush(1), kept), 2, just(model.InjectPop), took(1)))
	require.NotEqual(t, one, do(a.Begin(), 0, inPush(2), kept))
	both := a.Call(a.Call(a.Begin(), 0, inPush(1)), 1, inPush(2))
	require.Equal(t, both, a.Call(a.Call(a.Begin(), 1, inPush(2)), 0, inPush(1)), "in whatever order")
	require.NotEqual(t, both, a.Call(a.Call(a.Begin(), 1, inPush(1)), 0, inPush(2)), "by whom")
	require.Equal(t, model.Unlawful, do(one, 1, just(model.InjectPop), took(2)))
	require.Equal(t, model.Unlawful, do(one, 1, just(model.InjectPop), took(7)), "no answer at all")
	require.Equal(t, model.Unlawful, do(one, 1, just(model.InjectPop), none))
}

// TestAutomatonBlames: what is unlawful by one claim is said to be.
func TestAutomatonBlames(t *testing.T) {
	a := model.NewAutomaton(model.Queues(0, 0), model.Answers{Tasks: []model.Task{1, 2}, Room: 2}.Of)
	at := a.Return(a.Call(a.Begin(), 0, inBatch(1, 2)), 0, kept)
	at = a.Call(at, 1, just(model.InjectPop))
	require.Equal(t, []model.Claim{model.InjectFIFO}, a.Blame(at, 1, took(2)))
	require.Equal(t, []model.Claim{model.BusyIsHonest}, a.Blame(at, 1, none))
	require.Empty(t, a.Blame(at, 1, took(9)), "no claim makes a task that was never there right")
	require.Empty(t, model.NewAutomaton(stubborn{model.Queues(0, 0)}, model.Answers{}.Of).Blame(0, 0, none))
}

// TestAutomatonPanicsOnAHistoryThatCannotBe.
func TestAutomatonPanicsOnAHistoryThatCannotBe(t *testing.T) {
	a := model.NewAutomaton(model.Queues(0, 0), model.Answers{Tasks: []model.Task{1}}.Of)
	in := a.Call(a.Begin(), 2, inPush(1))
	require.PanicsWithValue(t, "model: a return by thread 1, which is in no call", func() { a.Return(in, 1, kept) })
	require.PanicsWithValue(t, "model: thread 2 calls inject.pop while it is in inject.push 1", func() { a.Call(in, 2, just(model.InjectPop)) })
	require.PanicsWithValue(t, "model: a history goes on from set -1, which is unlawful or another Automaton's: there are 2",
		func() { a.Return(model.Unlawful, 0, kept) })
	require.PanicsWithValue(t, "model: a history goes on from set 7, which is unlawful or another Automaton's: there are 2",
		func() { a.Call(7, 0, inPush(1)) })
	many := model.NewAutomaton(model.Queues(0, 0), func(model.Op) []model.Result { return make([]model.Result, 300) })
	require.PanicsWithValue(t, "model: 300 answers to inject.push 1, want at most 254", func() { many.Call(0, 0, inPush(1)) })
}

// TestAutomatonKeepsWhatCanStillCome: an overflow that others have seen halfway may be
// refused by a close that comes later.
func TestAutomatonKeepsWhatCanStillCome(t *testing.T) {
	a := model.NewAutomaton(model.Queues(1, 2), model.Answers{Tasks: []model.Task{1, 2, 3}, Capacity: 2, Room: 2}.Of)
	do := func(at model.Set, thread int, op model.Op, r model.Result) model.Set {
		return a.Return(a.Call(at, thread, op), thread, r)
	}
	at := do(do(a.Begin(), 0, push(1), kept), 0, push(2), kept)
	at = a.Call(at, 0, push(3))
	at = do(at, 1, on(model.Peek, 0), n(0))
	half := do(at, 1, on(model.Peek, 0), n(1))
	closed := do(half, 1, just(model.InjectClose), first(1))
	require.NotEqual(t, model.Unlawful, a.Return(closed, 0, refused(over(2, 3))))
	require.NotEqual(t, model.Unlawful, a.Return(closed, 0, over(2, 3)), "or it came before")
	require.Equal(t, model.Unlawful, a.Return(half, 0, refused(over(2, 3))), "nobody has closed")
	require.Equal(t, model.Unlawful, a.Return(half, 0, over(1, 3)), "the newest half goes")
}
