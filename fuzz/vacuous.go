package fuzz

import (
	"fmt"
	"sync"

	"github.com/filch-sched/filch/model"
)

// successes are the answers without which nothing is judged of an operation, and what it is
// that never happened.
var successes = []struct {
	kind model.Kind
	with model.Outcome
	what string
}{
	{model.InjectPush, model.Kept, "value was ever kept by Put"},
	{model.InjectPop, model.Took, "value was ever given by Take"},
	{model.DequePush, model.Kept, "value was ever kept by Push"},
	{model.DequePop, model.Took, "value was ever given by Pop"},
	{model.DequeSteal, model.Took, "value was ever given by Steal"},
	{model.Submit, model.Done, "task was ever accepted by Submit"},
}

// tally counts calls, and those that came to something: an adapter whose operations may
// all miss breaks no law by doing nothing.
type tally struct {
	mu          sync.Mutex // is held for no step of a thread
	calls, done map[model.Kind]int
}

// count adds a history.
func (c *tally) count(h model.History) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.calls == nil {
		c.calls, c.done = map[model.Kind]int{}, map[model.Kind]int{}
	}
	for _, o := range h {
		c.calls[o.Kind]++
		for _, s := range successes {
			if s.kind == o.Kind && s.with == o.Outcome {
				c.done[o.Kind]++
			}
		}
	}
}

// vacuous returns what never happened, the first in the life of a value.
func (c *tally) vacuous() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, s := range successes {
		if n := c.calls[s.kind]; n > 0 && c.done[s.kind] == 0 {
			return fmt.Errorf("fuzz: no %s, in %d calls of all inputs, so nothing was judged: see to the adapter", s.what, n)
		}
	}
	return nil
}

// vacuous returns why the inputs that a target begins with show nothing, all of which have
// passed. Some of them alone may well be programs in which nothing can be taken.
func (k *keeper) vacuous() error {
	j, others := k.by.(*theirs)
	if !others || k.idle > 0 || int(k.ran.Load()) < len(beginnings()) {
		return nil
	}
	return j.tally.vacuous()
}
