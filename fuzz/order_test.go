package fuzz_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/filch-sched/filch/fuzz"
	"github.com/filch-sched/filch/model"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// tally counts what happened in many runs, so that a test can require that it
// saw what it is about.
type tally map[string]int

func (c tally) add(p fuzz.Program, h model.History) {
	index := make([]int64, len(p.Scenario.Threads))
	for _, o := range h {
		c["operations"]++
		what := fmt.Sprintf("%v: %v", o.Kind, o.Outcome)
		if o.Refused {
			what += ", refused"
		}
		if o.Outcome == model.Stole && o.N > 1 {
			what += " several"
		}
		c[what]++
		if p.Scenario.Target == model.Ring && o.Outcome == model.Kept && (o.Kind == model.Push || o.Kind == model.Batch) {
			before := int64(p.Scenario.Start) + index[o.Thread]
			index[o.Thread] += int64(len(o.Args))
			if before < 0 && before+int64(len(o.Args)) >= 0 {
				c["wraps"]++
			}
		}
	}
}

// TestInOrder runs long programs one operation at a time and holds every answer
// against the law: the queues and the parker as one thread sees them.
func TestInOrder(t *testing.T) {
	for _, c := range []struct {
		target model.Target
		checks int
		least  tally
	}{
		{model.Ring, 400, tally{"operations": 20_000, "wraps": 40, "push: kept": 1000, "push: overflowed": 100,
			"push: overflowed, refused": 10, "batch: kept": 100, "batch: no room": 100, "pop: took": 1000,
			"pop: empty": 100, "steal: stole": 100, "steal: stole several": 50, "steal: empty": 100,
			"steal: no room": 50, "inject.pop: took": 50, "inject.popn: took": 50, "inject.push: closed": 10}},
		{model.Inject, 200, tally{"operations": 10_000, "inject.push: kept": 500, "inject.push: closed": 500,
			"inject.batch: kept": 100, "inject.batch: closed": 100, "inject.pop: took": 500,
			"inject.pop: empty": 500, "inject.popn: took": 100, "inject.len: counted": 500}},
		{model.Park, 60, tally{"operations": 800, "park: done": 100, "unpark: done": 500, "park.close: done": 50,
			"park.timed: token": 20, "park.timed: timed out": 20, "read: took": 20}},
	} {
		t.Run(c.target.String(), func(t *testing.T) {
			effort(t, c.checks, 30)
			shape := fuzz.Long
			shape.Target = c.target
			seen := tally{}
			var endless error // is not shrunk: every attempt would take as long
			rapid.Check(t, func(t *rapid.T) {
				p := fuzz.Programs(shape).Draw(t, "program")
				h, err := model.History(nil), endless
				if err == nil {
					h, err = fuzz.InOrder(p)
				}
				var f *fuzz.Failure
				if errors.As(err, &f) && f.Endless {
					endless = err
				}
				require.NoError(t, err)
				seen.add(p, h)
			})
			t.Logf("%v", seen)
			if !given("rapid.checks") {
				for what, n := range c.least {
					require.GreaterOrEqual(t, seen[what], n, "too few %q for the test to mean anything", what)
				}
			}
		})
	}
}
