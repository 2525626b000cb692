package model

import (
	"slices"
	"strconv"
)

// Bag returns the law of a scheduler as its callers see it: a task that was
// taken in starts once and finishes; after Close none is taken in; Close returns
// once all that were taken in are over, and so does the run as a whole; who
// awaits a task goes on when it is over.
func Bag() Spec { return bagSpec{} }

type bagSpec struct{ waivers }

// bagState has the tasks that wait to run, in increasing order.
type bagState struct {
	tasks   []Task
	running []Task // likewise
	closed  bool
	closing int // closes that have shut and are not yet gone
}

func (bagSpec) Initial() State { return bagState{} }

func (s bagState) Key() string {
	key := appendTasks(append(appendTasks(nil, s.tasks), '|'), s.running)
	return string(strconv.AppendInt(append(key, '|'), int64(s.closing), 10)) + strconv.FormatBool(s.closed)
}

func (bagSpec) Events(o Operation) []Event {
	switch o.Kind {
	case Close:
		return eventsOf(o, []Phase{Shut, Gone})
	case Run:
		return eventsOf(o, []Phase{Start, Finish})
	}
	return eventsOf(o, []Phase{Effect})
}

func (sp bagSpec) Step(st State, e Event) []State {
	s, o := st.(bagState), e.Op
	switch o.Kind {
	case Submit, Spawned:
		refused := o.Outcome == Closed
		// What a task spawns may be taken in while the Close waits for that task.
		if (refused && !s.closed || !refused && s.closed && o.Kind == Submit) && !sp.waives(ClosedReturnsTasks) {
			return nil
		}
		if refused {
			return one(s)
		}
		i, dup := slices.BinarySearch(s.tasks, o.Args[0])
		s.tasks = slices.Insert(slices.Clone(s.tasks), i, o.Args[0])
		return when(!dup, s)
	case Run:
		return sp.run(s, e)
	case Await:
		_, waits := slices.BinarySearch(s.tasks, o.Args[0])
		waits = waits || slices.Contains(s.running, o.Args[0])
		return when(!waits || sp.waives(EveryTaskRuns), s)
	case Close:
		if e.Phase == Shut {
			s.closed, s.closing = true, s.closing+1
			return one(s)
		}
		s.closing--
		drained := len(s.running) == 0 || sp.waives(ShutdownDrains)
		return when(s.closing >= 0 && drained && (len(s.tasks) == 0 || sp.waives(EveryTaskRuns)), s)
	case End:
		return when(len(s.tasks)+len(s.running) == 0 || sp.waives(EveryTaskRuns), s)
	}
	return one(s)
}

// run: a task that waits starts, and one that runs finishes.
func (sp bagSpec) run(s bagState, e Event) []State {
	var ok bool
	if e.Phase == Finish {
		s.running, ok = without(s.running, e.Op.Args[0])
		return when(ok, s)
	}
	s.tasks, ok = without(s.tasks, e.Op.Args[0])
	i, _ := slices.BinarySearch(s.running, e.Op.Args[0])
	s.running = slices.Insert(slices.Clone(s.running), i, e.Op.Args[0])
	return when(ok || sp.waives(NoDuplicateTask), s)
}
