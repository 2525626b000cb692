package model

// DequeOf returns the law of one deque of a capacity, 0 for none. Its owner pushes
// and pops at one end, the newest task first; whoever steals takes the oldest, at
// the other. Every operation has one moment.
func DequeOf(capacity int) Spec { return dequeSpec{capacity} }

type dequeSpec struct{ capacity int }

// dequeState has the tasks, oldest first.
type dequeState []Task

func (dequeSpec) Initial() State { return dequeState(nil) }

func (s dequeState) Key() string { return string(appendTasks(nil, s)) }

func (dequeSpec) Events(o Operation) []Event { return eventsOf(o, []Phase{Effect}) }

func (sp dequeSpec) Step(st State, e Event) []State {
	s, o := st.(dequeState), e.Op
	room := sp.capacity == 0 || len(s) < sp.capacity
	switch {
	case o.Kind == DequePush && o.Outcome == Kept:
		return when(room, dequeState(concat(s, o.Args)))
	case o.Kind == DequePush && o.Outcome == NoRoom:
		return when(!room, s)
	case o.Outcome == Empty:
		return when(len(s) == 0, s)
	case o.Outcome != Took || len(s) == 0 || len(o.Tasks) != 1:
		return nil
	case o.Kind == DequePop:
		return when(s[len(s)-1] == o.Tasks[0], s[:len(s)-1])
	case o.Kind == DequeSteal:
		return when(s[0] == o.Tasks[0], s[1:])
	}
	return nil
}
