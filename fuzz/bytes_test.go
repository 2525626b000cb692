package fuzz_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/filch-sched/filch/fuzz"
	"github.com/filch-sched/filch/model"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// requireWhole checks what is true of every program.
func requireWhole(t require.TestingT, p fuzz.Program) {
	text := model.Format(p.Scenario)
	back, err := model.Parse(p.Scenario.Name, text)
	require.NoError(t, err, text)
	require.Equal(t, p.Scenario, back)
	next := model.Task(1)
	count := func(o model.Op) {
		if o.Kind == model.Await {
			return // of a task that has come
		}
		for _, task := range o.Args {
			require.Equal(t, next, task, "tasks are numbered in the order in which they come")
			next++
		}
	}
	for _, st := range p.Scenario.Setup {
		count(st.Op)
	}
	for _, th := range p.Scenario.Threads {
		for _, o := range th.Ops {
			count(o)
		}
	}
	for _, l := range p.Scenario.Tasks {
		count(model.Op{Args: l.Spawns})
	}
}

// requireEnds checks that the order has every operation.
func requireEnds(t require.TestingT, p fuzz.Program) {
	if p.Scenario.Target == model.Idle || p.Scenario.Target == model.Sched {
		require.Empty(t, p.Order, "workers go on by themselves")
		return
	}
	for i, th := range p.Scenario.Threads {
		n := 0
		for _, turn := range p.Order {
			if turn == i {
				n++
			}
		}
		require.Len(t, th.Ops, n, "turns of thread %s in\n%s", th.Name, p)
	}
}

func TestEveryBytesAreOneProgram(t *testing.T) {
	effort(t, 2000, 30)
	rapid.Check(t, func(t *rapid.T) {
		data := rapid.SliceOfN(rapid.Byte(), 0, 200).Draw(t, "data")
		p := fuzz.Decode(data)
		requireWhole(t, p)
		requireEnds(t, p)
		short, err := fuzz.Encode(p)
		require.NoError(t, err)
		require.LessOrEqual(t, len(short), len(data))
		require.Equal(t, p, fuzz.Decode(short))
		again, err := fuzz.Parse(p.Token())
		require.NoError(t, err)
		require.Equal(t, p, again)
	})
}

func TestEveryDrawnProgramHasBytes(t *testing.T) {
	for name, shape := range map[string]fuzz.Shape{"bytes": fuzz.Bytes, "small": fuzz.Small} {
		t.Run(name, func(t *testing.T) {
			effort(t, 1000, 30)
			rapid.Check(t, func(t *rapid.T) {
				p := fuzz.Programs(shape).Draw(t, "program")
				requireWhole(t, p)
				requireEnds(t, p)
				data, err := fuzz.Encode(p)
				require.NoError(t, err)
				require.Equal(t, p, fuzz.Decode(data))
			})
		})
	}
}

// A program that ends in its own order but not in every other is not one that
// may be run concurrently.
func TestDecodedParksAlwaysEnd(t *testing.T) {
	effort(t, 1000, 30)
	shape := fuzz.Bytes
	shape.Target = model.Park
	parks := 0
	rapid.Check(t, func(t *rapid.T) {
		p := fuzz.Programs(shape).Draw(t, "program")
		for _, th := range p.Scenario.Threads {
			if slices.ContainsFunc(th.Ops, func(o model.Op) bool { return o.Kind == model.ParkToken }) {
				parks++
			}
		}
		// Any other order, drawn turn by turn from the law itself.
		spec := model.SpecOf(p.Scenario)
		state := spec.Initial()
		do := func(thread int, o model.Op, out model.Outcome) bool {
			op := model.Operation{Thread: thread, Op: o, Result: model.Result{Outcome: out}}
			now := state // an operation that cannot end has not begun
			for _, e := range spec.Events(op) {
				next := spec.Step(now, e)
				if len(next) == 0 {
					return false
				}
				now = next[0]
			}
			state = now
			return true
		}
		for _, st := range p.Scenario.Setup {
			perform(do, st.Thread, st.Op)
		}
		next := make([]int, len(p.Scenario.Threads))
		left := len(p.Order)
		for left > 0 {
			first := rapid.IntRange(0, len(next)-1).Draw(t, "first")
			moved := false
			for i := range next {
				th := (first + i) % len(next)
				ops := p.Scenario.Threads[th].Ops
				if next[th] < len(ops) && perform(do, th, ops[next[th]]) {
					next[th]++
					left--
					moved = true
					break
				}
			}
			require.True(t, moved, "every thread waits in\n%s", p)
		}
	})
	require.Positive(t, parks, "no program parks")
}

// perform does one operation by the law, with whichever answer it allows, and
// reports whether there is one.
func perform(do func(int, model.Op, model.Outcome) bool, thread int, o model.Op) bool {
	switch o.Kind {
	case model.ParkTimed:
		return do(thread, o, model.Token) || do(thread, o, model.TimedOut)
	case model.Read:
		return do(thread, o, model.Skipped)
	}
	return do(thread, o, model.Done)
}

func TestEncodeRefusesWhatBytesCannotSay(t *testing.T) {
	p := fuzz.Decode([]byte{0, 1})
	require.Equal(t, 4, p.Scenario.Capacity)
	p.Scenario.Capacity = 1 << 12
	_, err := fuzz.Encode(p)
	require.EqualError(t, err, "fuzz: capacity number -1 is not one of the 5 that bytes can stand for")

	p = fuzz.Decode([]byte{0, 1})
	p.Order = nil
	_, err = fuzz.Encode(p)
	require.Error(t, err)

	_, err = fuzz.Of(model.Scenario{Name: "x", Target: 9})
	require.EqualError(t, err, `fuzz: scenario "x": target model.Target(9) is none of a program`)
	for _, token := range []string{"0g", "", "00.", ".00", "00.0", "00.00.00"} {
		_, err = fuzz.Parse(token)
		require.EqualError(t, err, fmt.Sprintf("fuzz: %q is not a token: want pairs of hexadecimal digits, twice with a dot between or once", token))
	}
}
