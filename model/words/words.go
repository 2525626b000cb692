// Package words says what the law says, in the words of other people's code: the law
// and its histories speak of filch's own queues and tasks.
package words

import (
	"maps"
	"strings"

	"github.com/filch-sched/filch/model"
)

// Words are those of one kind of thing.
type Words struct {
	ops   []string // of scenarios
	pairs []string // ours and theirs, in turn
	means map[model.Claim]string
}

// The kinds.
var (
	Queue = Words{
		ops: []string{"inject.push", "inject.pop"},
		pairs: []string{"inject.push", "put", "inject.pop", "take", "the inject queue", "the queue", "inject", "the queue",
			"no room", "full", "pushed", "put", "pushes", "puts", "push", "put", "popped", "taken", "pops", "takes", "pop", "take",
			"tasks", "values", "task", "value"},
		means: merged(values, map[model.Claim]string{
			model.InjectFIFO: "values come out in the order in which they were put in",
		}),
	}
	Deque = Words{
		ops:   []string{"deque.push", "deque.pop", "deque.steal"},
		pairs: []string{"deque.", "", "no room", "full", "tasks", "values", "task", "value"},
		means: merged(values, map[model.Claim]string{
			model.DequeOrder: "the owner pops the newest value, whoever steals takes the oldest",
		}),
	}
	Parker = Words{means: map[model.Claim]string{
		model.TokenKept:   "an Unpark before or during a Park ends that Park or the next",
		model.TokenSingle: "a Park ends by an Unpark, and any number of Unparks without a Park between them end one",
	}}
	Pool = Words{
		pairs: []string{"Spawned", "submitted", "spawned", "submitted", "spawns", "submits", "spawn", "submit"},
		means: map[model.Claim]string{
			model.EveryTaskRuns:      "a task that was accepted runs once, and has run when Close returns",
			model.NoDuplicateTask:    "no task runs twice",
			model.NoLostTask:         "what runs is a task that was submitted",
			model.ShutdownDrains:     "when Close returns no task runs any more",
			model.ShutdownWakes:      "Close returns once every task has run",
			model.ClosedReturnsTasks: "a task is refused if and only if the pool is closed, and then does not run",
			model.NoLostWakeup:       "a task that was accepted is taken up",
		},
	}
)

// values is what claims mean of a container of values.
var values = map[model.Claim]string{
	model.NoLostTask:        "a value that was put in comes out, or is still there, and no other value comes out",
	model.NoDuplicateTask:   "no value comes out twice",
	model.BusyIsHonest:      "empty and full are answered only if it was, at some moment during the call",
	model.CapacityFromSteal: "there are never more values in it than it has room for",
}

func merged(a, b map[model.Claim]string) map[model.Claim]string {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}

// Text is text of the law in these words. The text must not have any other words in
// it, such as names of files.
func (w Words) Text(text string) string { return strings.NewReplacer(w.pairs...).Replace(text) }

// Means returns what a claim says of such a thing, "" if it says no more than its
// name.
func (w Words) Means(c model.Claim) string { return w.means[c] }

// Key says for each operation of a scenario what it is in these words, in one line,
// "" if they are the same.
func (w Words) Key() string {
	var all []string
	for _, op := range w.ops {
		all = append(all, op+" is "+w.Text(op))
	}
	return strings.Join(all, ", ")
}
