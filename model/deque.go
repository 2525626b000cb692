package model

// DequeOf returns the law of one deque of a capacity, 0 for none. Its owner pushes
// and pops at one end, the newest task first; whoever steals takes the oldest, at
// the other. Every operation has one moment.
func DequeOf(capacity int) Spec { return dequeSpec{capacity: capacity} }

type dequeSpec struct {
	capacity int
	waivers
}

func (sp dequeSpec) claims() []Claim        { return []Claim{DequeOrder, CapacityFromSteal, BusyIsHonest} }
func (sp dequeSpec) waive(cs ...Claim) Spec { sp.waivers = cs; return sp }
func (sp dequeSpec) present() Claim         { return NoLostTask }

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
		return when(room || sp.waives(CapacityFromSteal), dequeState(concat(s, o.Args)))
	case o.Kind == DequePush && o.Outcome == NoRoom:
		return when(!room || sp.waives(BusyIsHonest), s)
	case o.Kind == DequePush:
		return nil
	case o.Outcome == Empty:
		return when(len(s) == 0 || sp.waives(BusyIsHonest), s)
	case o.Outcome != Took || len(s) == 0 || len(o.Tasks) != 1:
		return nil
	}
	at := 0
	if o.Kind == DequePop {
		at = len(s) - 1
	}
	if s[at] != o.Tasks[0] && !sp.waives(DequeOrder) {
		return nil
	}
	rest, ok := without(s, o.Tasks[0])
	return when(ok, dequeState(rest))
}
