package model

import (
	"slices"
	"strconv"
)

// Bag returns the law of a scheduler as its callers see it: a task that was
// taken in runs once; after Close none is taken in; Close returns once all that
// were taken in have run, and so does the run as a whole.
func Bag() Spec { return bagSpec{} }

type bagSpec struct{ waivers }

// bagState has the tasks that wait to run, in increasing order.
type bagState struct {
	tasks   []Task
	closed  bool
	closing int // closes that have shut and are not yet gone
}

func (bagSpec) Initial() State { return bagState{} }

func (s bagState) Key() string {
	return string(strconv.AppendInt(appendTasks(nil, s.tasks), int64(s.closing), 10)) + strconv.FormatBool(s.closed)
}

func (bagSpec) Events(o Operation) []Event {
	if o.Kind == Close {
		return eventsOf(o, []Phase{Shut, Gone})
	}
	return eventsOf(o, []Phase{Effect})
}

func (sp bagSpec) Step(st State, e Event) []State {
	s, o := st.(bagState), e.Op
	switch o.Kind {
	case Submit, Spawned:
		if (o.Outcome == Closed) != s.closed && !sp.waives(ClosedReturnsTasks) && o.Kind == Submit {
			return nil
		}
		if o.Outcome == Closed {
			return one(s)
		}
		i, dup := slices.BinarySearch(s.tasks, o.Args[0])
		s.tasks = slices.Insert(slices.Clone(s.tasks), i, o.Args[0])
		return when(!dup, s)
	case Run:
		var ok bool
		s.tasks, ok = without(s.tasks, o.Args[0])
		return when(ok || sp.waives(NoDuplicateTask), s)
	case Await:
		_, waits := slices.BinarySearch(s.tasks, o.Args[0])
		return when(!waits || sp.waives(EveryTaskRuns), s)
	case Close:
		if e.Phase == Shut {
			s.closed, s.closing = true, s.closing+1
			return one(s)
		}
		s.closing--
		return when(s.closing >= 0 && (len(s.tasks) == 0 || sp.waives(EveryTaskRuns)), s)
	case End:
		return when(len(s.tasks) == 0 || sp.waives(EveryTaskRuns), s)
	}
	return one(s)
}
