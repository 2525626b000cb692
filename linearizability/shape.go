package linearizability

import (
	"fmt"
	"math"
	"slices"

	"github.com/filch-sched/filch/model"
)

// shape is what the operations of one kind look like.
type shape struct {
	args     int  // tasks given: exactly so many, or any positive number for many
	on       bool // names another thread
	asks     bool // Max is a number of tasks asked for
	outcomes []model.Outcome
}

const many = -1

var shapes = map[model.Kind]shape{
	model.Push:   {args: 1, outcomes: []model.Outcome{model.Kept, model.Overflowed, model.Handed}},
	model.Batch:  {args: many, outcomes: []model.Outcome{model.Kept, model.NoRoom}},
	model.Pop:    {outcomes: []model.Outcome{model.Took, model.Empty}},
	model.Len:    {outcomes: []model.Outcome{model.Counted}},
	model.Free:   {outcomes: []model.Outcome{model.Counted}},
	model.Steal:  {on: true, outcomes: []model.Outcome{model.Stole, model.Empty, model.Busy, model.NoRoom}},
	model.Peek:   {on: true, outcomes: []model.Outcome{model.Counted}},
	model.Vacant: {on: true, outcomes: []model.Outcome{model.Counted}},

	model.InjectPush:  {args: 1, outcomes: []model.Outcome{model.Kept, model.Closed, model.NoRoom}},
	model.InjectBatch: {args: many, outcomes: []model.Outcome{model.Kept, model.Closed, model.NoRoom}},
	model.InjectPop:   {outcomes: []model.Outcome{model.Took, model.Empty}},
	model.InjectPopN:  {asks: true, outcomes: []model.Outcome{model.Took, model.Empty}},
	model.InjectClose: {outcomes: []model.Outcome{model.Done}},
	model.InjectLen:   {outcomes: []model.Outcome{model.Counted}},

	model.DequePush:  {args: 1, outcomes: []model.Outcome{model.Kept, model.NoRoom}},
	model.DequePop:   {outcomes: []model.Outcome{model.Took, model.Empty}},
	model.DequeSteal: {outcomes: []model.Outcome{model.Took, model.Empty}},

	model.ParkToken: {outcomes: []model.Outcome{model.Done}},
	model.ParkTimed: {outcomes: []model.Outcome{model.Token, model.TimedOut}},
	model.Unpark:    {on: true, outcomes: []model.Outcome{model.Done}},
	model.ClosePark: {on: true, outcomes: []model.Outcome{model.Done}},
	model.Write:     {args: 1, outcomes: []model.Outcome{model.Done}},
	model.Read:      {outcomes: []model.Outcome{model.Took, model.Skipped}},

	model.Submit:  {args: 1, outcomes: []model.Outcome{model.Kept, model.Closed}},
	model.Spawned: {args: 1, outcomes: []model.Outcome{model.Kept, model.Closed}},
	model.Run:     {args: 1, outcomes: []model.Outcome{model.Done}},
	model.Close:   {outcomes: []model.Outcome{model.Done}},
}

// checkShape reports whether o has what its kind needs and an outcome that it
// can have. What it answered may be wrong: that is for the judge.
func (h *History) checkShape(o *model.Operation) error {
	sh, known := shapes[o.Kind]
	switch {
	case !known:
		return fmt.Errorf("%s is not judged", o.Kind)
	case sh.args == many && len(o.Args) == 0, sh.args != many && len(o.Args) != sh.args:
		return fmt.Errorf("%s of %d tasks", o.Kind, len(o.Args))
	case sh.on && (o.On < 0 || o.On >= h.Threads), !sh.on && o.On != 0:
		return fmt.Errorf("%s of thread %d of %d", o.Kind, o.On, h.Threads)
	case o.Kind == model.Steal && o.On == o.Thread:
		return fmt.Errorf("steals from its own ring")
	case sh.asks && (o.Max < 1 || o.Max > math.MaxInt32), !sh.asks && o.Max != 0:
		return fmt.Errorf("%s asks for %d tasks", o.Kind, o.Max)
	}
	for _, t := range o.Args {
		if t < 1 || t > math.MaxInt32 {
			return fmt.Errorf("task %d, want 1 to %d", t, math.MaxInt32)
		}
	}
	if o.Outcome == model.NoRoom && h.Target != model.Ring && h.Capacity == 0 {
		return fmt.Errorf("%s finds no room in what has no capacity", o.Kind)
	}
	if (o.Kind == model.DequePush || o.Kind == model.DequePop) && o.Thread != 0 {
		return fmt.Errorf("%s by thread %d: the owner of the deque is thread 0", o.Kind, o.Thread)
	}
	if o.Return == Never {
		if o.Outcome != 0 || len(o.Tasks) != 0 {
			return fmt.Errorf("does not return, but answers %s", o.Result)
		}
		return nil
	}
	return checkAnswer(o, sh)
}

// checkAnswer reports whether the parts of an answer fit together.
func checkAnswer(o *model.Operation, sh shape) error {
	if !slices.Contains(sh.outcomes, o.Outcome) {
		return fmt.Errorf("%s cannot end as %s", o.Kind, o.Outcome)
	}
	tasks := 0
	switch o.Outcome {
	case model.Took, model.Stole:
		tasks = 1
		if sh.asks {
			tasks = max(1, min(len(o.Tasks), o.Max))
		}
	case model.Overflowed, model.Handed:
		tasks = len(o.Tasks)
	}
	if len(o.Tasks) != tasks {
		return fmt.Errorf("%s ends as %s with %d tasks", o.Kind, o.Outcome, len(o.Tasks))
	}
	if o.Refused && o.Outcome != model.Overflowed && o.Outcome != model.Handed {
		return fmt.Errorf("%s ends as %s, which nothing can refuse", o.Kind, o.Outcome)
	}
	return nil
}
