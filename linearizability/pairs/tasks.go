package pairs

import (
	"fmt"
	"slices"

	"github.com/filch-sched/filch/linearizability"
	"github.com/filch-sched/filch/model"
)

// kinds are the operations on queues and deques as package model calls them.
var kinds = map[string]model.Kind{
	"enqueue": model.InjectPush, "dequeue": model.InjectPop,
	"push": model.DequePush, "pop": model.DequePop, "steal": model.DequeSteal,
}

// judgeTasks judges a queue or a deque.
func (h *History) judgeTasks() (Verdict, error) {
	c := converter{h: h, tasks: map[string]model.Task{}, put: map[string]bool{}}
	if err := c.convert(); err != nil {
		return Verdict{}, err
	}
	if c.crowded {
		return Verdict{Unknown: fmt.Sprintf("more than %d operations at a time", linearizability.MaxThreads)}, nil
	}
	v, err := linearizability.Judge(&c.out)
	switch {
	case err != nil:
		return Verdict{Unknown: err.Error()}, nil
	case v == nil:
		return Verdict{}, nil
	case c.takes > 0:
		return Verdict{Unknown: fmt.Sprintf("%d operations of which nobody knows what they took can explain what is wrong: %s violated: %s", c.takes, v.Claim, c.inWords(v.Message))}, nil
	}
	cut, w := linearizability.Shrink(&c.out, v)
	out := Verdict{Claim: string(w.Claim), Message: c.inWords(w.Message)}
	for _, i := range w.Ops {
		if line := c.lineOf(cut.Ops[i]); line > 0 {
			out.Lines = append(out.Lines, line)
		}
	}
	return out, nil
}

// converter makes a history of package linearizability.
type converter struct {
	h       *History
	out     linearizability.History
	tasks   map[string]model.Task
	values  []string        // by task, the first is 1
	put     map[string]bool // values that were put in
	lines   map[opID][]int
	free    []int64 // by thread, when it is free
	owner   *int64  // the process that owns the deque
	takes   int     // of which nobody knows what they took
	crowded bool
}

// opID tells operations apart also when a part of the history is cut out: by what
// they did with a task.
type opID struct {
	kind model.Kind
	task model.Task
}

func (c *converter) convert() error {
	c.lines = map[opID][]int{}
	c.out = linearizability.History{Target: model.Inject, Capacity: c.h.Capacity}
	if c.h.Object == "deque" {
		c.out.Target = model.Deque
		c.free = []int64{0} // thread 0 is the owner
	}
	taken := map[string]bool{}
	for _, o := range c.h.Ops {
		if o.Answer != "" {
			taken[o.Answer] = true
		}
	}
	end := c.h.end()
	for _, o := range c.h.Ops {
		m, keep, err := c.operation(o, taken)
		if err != nil {
			return &linearizability.LineError{Line: int(o.Call), Err: err}
		}
		if !keep {
			continue
		}
		m.Call, m.Return = o.Call, min(o.Return, end)
		if m.Thread = c.thread(m); m.Thread >= linearizability.MaxThreads {
			c.crowded = true
			return nil
		}
		c.out.Ops = append(c.out.Ops, m)
		for _, t := range slices.Concat(m.Args, m.Tasks) {
			id := opID{m.Kind, t}
			c.lines[id] = append(c.lines[id], int(o.Call))
		}
	}
	c.out.Threads = max(1, len(c.free))
	return nil
}

// operation converts o; keep is false if it says nothing.
func (c *converter) operation(o Op, taken map[string]bool) (m model.Operation, keep bool, err error) {
	m.Kind = kinds[o.F]
	if m.Kind == model.DequePush || m.Kind == model.DequePop {
		if c.owner == nil {
			c.owner = &o.Process
		}
		if o.Process != *c.owner {
			return m, false, fmt.Errorf("process %d does %s, and process %d owns the deque", o.Process, o.F, *c.owner)
		}
	}
	open := o.Return == Open
	if o.Value != "" {
		if c.put[o.Value] {
			return m, false, fmt.Errorf("value %s is put in a second time: values must differ", o.Value)
		}
		c.put[o.Value] = true
		m.Args = []model.Task{c.task(o.Value)}
		m.Outcome = model.Kept
		if o.Failed {
			m.Outcome = model.NoRoom
			return m, c.h.Capacity > 0, nil
		}
		return m, !open || taken[o.Value], nil
	}
	switch {
	case open:
		c.takes++
		return m, false, nil
	case o.Failed:
		m.Outcome = model.Empty
	default:
		m.Outcome, m.Tasks = model.Took, []model.Task{c.task(o.Answer)}
	}
	return m, true, nil
}

// task is the number of a value.
func (c *converter) task(value string) model.Task {
	if c.tasks[value] == 0 {
		c.tasks[value] = model.Task(len(c.tasks) + 1)
		c.values = append(c.values, value)
	}
	return c.tasks[value]
}

// thread returns a thread that is free when m is called.
func (c *converter) thread(m model.Operation) int {
	t := 0
	if m.Kind == model.InjectPush || m.Kind == model.InjectPop || m.Kind == model.DequeSteal {
		t = -1
		for i := range c.free {
			if c.free[i] < m.Call && (i > 0 || c.out.Target != model.Deque) {
				t = i
				break
			}
		}
	}
	if t < 0 {
		c.free = append(c.free, 0)
		t = len(c.free) - 1
	}
	c.free[t] = m.Return
	return t
}

// lineOf returns the line of an operation that did something with a task, 0 of
// another. Of several that did the same the last comes first.
func (c *converter) lineOf(o model.Operation) (line int) {
	for _, t := range slices.Concat(o.Args, o.Tasks) {
		id := opID{o.Kind, t}
		if all := c.lines[id]; len(all) > 0 {
			line, c.lines[id] = all[len(all)-1], all[:len(all)-1]
		}
	}
	return line
}
