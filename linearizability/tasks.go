package linearizability

import (
	"fmt"
	"math"

	"github.com/filch-sched/filch/model"
)

// judgeTasks judges a history of a whole scheduler: a bag that tasks go into
// and run out of. A spawn takes effect inside its call, and a run, which is
// recorded from the first to the last moment of the task's own code, took effect
// before that. So nothing has to be searched for: the law of package model comes
// down to comparing intervals.
func judgeTasks(h *History) (*Violation, error) {
	b := bag{h: h, spawn: map[model.Task]int{}, run: map[model.Task]int{}, close: none}
	if err := b.read(); err != nil {
		return nil, err
	}
	for _, judge := range []func() *Violation{b.ranTwice, b.ranEarly, b.refusals, b.drained, b.stuck} {
		if v := judge(); v != nil {
			return v, nil
		}
	}
	if h.Stuck {
		return nil, fmt.Errorf("linearizability: the run was stuck, and no operation of it had to end")
	}
	return nil, nil
}

// bag is what became of each task.
type bag struct {
	h          *History
	spawn, run map[model.Task]int // the operations of a task
	again      []int              // runs of tasks that had run
	close      int                // the first Close, or -1
	shut       int64              // when the first Close returned
}

func (b *bag) read() error {
	b.shut = math.MaxInt64
	for i := range b.h.Ops {
		o := &b.h.Ops[i]
		switch o.Kind {
		case model.Submit, model.Spawned:
			if _, twice := b.spawn[o.Args[0]]; twice {
				return &OpError{i, fmt.Errorf("task %d is given a second time: tasks must differ", o.Args[0])}
			}
			b.spawn[o.Args[0]] = i
		case model.Run:
			if _, twice := b.run[o.Args[0]]; twice {
				b.again = append(b.again, i)
				continue
			}
			b.run[o.Args[0]] = i
		case model.Close:
			if b.close == none {
				b.close = i
			}
			b.shut = min(b.shut, o.Return)
		}
	}
	return nil
}

func (b *bag) ranTwice() *Violation {
	for _, i := range b.again {
		t := b.h.Ops[i].Args[0]
		ops := []int{i, b.run[t]}
		if s, ok := b.spawn[t]; ok {
			ops = append(ops, s)
		}
		return b.h.blame(model.NoDuplicateTask, fmt.Sprintf("task %d runs twice", t), ops...)
	}
	return nil
}

// ranEarly looks for runs of what was not spawned, or not yet.
func (b *bag) ranEarly() *Violation {
	for i := range b.h.Ops {
		o := &b.h.Ops[i]
		if o.Kind != model.Run {
			continue
		}
		s, spawned := b.spawn[o.Args[0]]
		switch {
		case !spawned:
			return b.h.blame(model.NoLostTask, fmt.Sprintf("task %d runs and was never spawned: the one that was is lost", o.Args[0]), i)
		case b.h.Ops[s].Outcome == model.Closed:
			return b.h.blame(model.ClosedReturnsTasks, fmt.Sprintf("task %d was refused and runs all the same", o.Args[0]), i, s)
		case o.Call < b.h.Ops[s].Call:
			return b.h.blame(model.EveryTaskRuns, fmt.Sprintf("task %d runs before its spawn begins", o.Args[0]), i, s)
		}
	}
	return nil
}

// refusals: a spawn is refused if it comes after Close, and only then. A spawn
// from outside that was refused shows that no later one may be accepted.
func (b *bag) refusals() *Violation {
	refused := none // the first to return
	for i := range b.h.Ops {
		o := &b.h.Ops[i]
		if o.Kind == model.Submit && o.Outcome == model.Closed && (refused == none || o.Return < b.h.Ops[refused].Return) {
			refused = i
		}
	}
	for i := range b.h.Ops {
		o := &b.h.Ops[i]
		switch {
		case o.Kind != model.Submit && o.Kind != model.Spawned || o.Return == Never:
		case o.Outcome == model.Closed && (b.close == none || o.Return < b.h.Ops[b.close].Call):
			return b.h.blame(model.ClosedReturnsTasks, fmt.Sprintf("task %d is refused before any Close", o.Args[0]), i)
		case o.Kind == model.Submit && o.Outcome == model.Kept && refused != none && o.Call > b.h.Ops[refused].Return:
			return b.h.blame(model.ClosedReturnsTasks, fmt.Sprintf("task %d is accepted after task %d was refused",
				o.Args[0], b.h.Ops[refused].Args[0]), i, refused)
		case o.Outcome == model.Kept && o.Call > b.shut:
			return b.h.blame(model.ClosedReturnsTasks, fmt.Sprintf("task %d is accepted after Close returned", o.Args[0]), i, b.close)
		}
	}
	return nil
}

// drained: when Close returns, what was accepted has run.
func (b *bag) drained() *Violation {
	if b.shut == math.MaxInt64 {
		return nil
	}
	for i := range b.h.Ops {
		o := &b.h.Ops[i]
		if o.Outcome != model.Kept {
			continue
		}
		r, ran := b.run[o.Args[0]]
		switch {
		case !ran:
			return b.h.blame(model.EveryTaskRuns, fmt.Sprintf("task %d was accepted and has not run when Close returns", o.Args[0]), i, b.close)
		case b.h.Ops[r].Return > b.shut:
			return b.h.blame(model.ShutdownDrains, fmt.Sprintf("task %d still runs when Close has returned", o.Args[0]), r, b.close)
		}
	}
	return nil
}

// stuck: in a run that stood still, a task that waits was forgotten.
func (b *bag) stuck() *Violation {
	if !b.h.Stuck {
		return nil
	}
	for i := range b.h.Ops {
		o := &b.h.Ops[i]
		if _, ran := b.run[firstOf(o.Args)]; o.Outcome == model.Kept && !ran {
			return b.h.blame(model.NoLostWakeup, fmt.Sprintf("task %d was accepted, and no worker takes it", o.Args[0]), i)
		}
	}
	for i := range b.h.Ops {
		o := &b.h.Ops[i]
		switch {
		case o.Return != Never:
		case o.Kind == model.Run:
			return b.h.blame(model.EveryTaskRuns, fmt.Sprintf("task %d does not end", o.Args[0]), i)
		case o.Kind == model.Close:
			return b.h.blame(model.ShutdownWakes, "every task has run and Close does not return", i)
		default:
			return b.h.blame(model.EveryTaskRuns, fmt.Sprintf("the spawn of task %d does not return", o.Args[0]), i)
		}
	}
	return nil
}

func firstOf(tasks []model.Task) model.Task {
	if len(tasks) == 0 {
		return 0
	}
	return tasks[0]
}
