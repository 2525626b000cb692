package model

import (
	"fmt"
	"slices"
	"strings"
)

// waivers are claims that a law leaves out, to find out which of them a history
// breaks.
type waivers []Claim

func (w waivers) waives(c Claim) bool { return slices.Contains(w, c) }

// waivable is a Spec whose claims can be left out one by one.
type waivable interface {
	Spec
	// claims lists those that can be left out, the most specific first.
	claims() []Claim
	// waive returns the law without them.
	waive(cs ...Claim) Spec
	// present is the claim that is left when all the others are waived.
	present() Claim
}

func (sp queueSpec) claims() []Claim {
	return []Claim{ClosedReturnsTasks, OverflowKeepsOldest, StealHalf, CapacityFromSteal, SingleThief,
		FIFO, InjectFIFO, LenHint, BusyIsHonest}
}

func (sp queueSpec) waive(cs ...Claim) Spec { sp.waivers = cs; return sp }
func (sp queueSpec) present() Claim         { return NoLostTask }

func (sp parkSpec) claims() []Claim        { return []Claim{TokenKept, TokenSingle, UnparkPublishes} }
func (sp parkSpec) waive(cs ...Claim) Spec { sp.waivers = cs; return sp }
func (sp parkSpec) present() Claim         { return TokenSingle }

func (sp bagSpec) claims() []Claim {
	return []Claim{NoDuplicateTask, EveryTaskRuns, ShutdownDrains, ClosedReturnsTasks}
}
func (sp bagSpec) waive(cs ...Claim) Spec { sp.waivers = cs; return sp }
func (sp bagSpec) present() Claim         { return EveryTaskRuns }

// unlawful is what every history is that has no lawful sequence of events.
const unlawful = "there is no order of the operations, each within its call, in which every claim holds"

// blame names what an unlawful history violates. Tasks that are returned twice,
// or never though every queue was drained, speak for themselves. Else it is the
// claim without which the history would be lawful; else the pair; else that
// tasks are where they are.
func blame(sp Spec, h History, stuck []Operation) *Violation {
	if v := blameTasks(h); v != nil {
		return v
	}
	w, ok := sp.(waivable)
	if !ok {
		return &Violation{Operations: stuck, Message: unlawful}
	}
	var found []Claim
	together := " or all but " // each of those found is enough
	all := w.claims()
	for _, c := range all {
		if explain(w.waive(c), h) == nil {
			found = append(found, c)
		}
	}
	for i := 0; len(found) == 0 && i < len(all); i++ {
		for _, d := range all[i+1:] {
			if explain(w.waive(all[i], d), h) == nil {
				found, together = []Claim{all[i], d}, " and "
				break
			}
		}
	}
	but := "and none in which all hold but two"
	if len(found) > 0 {
		but = "and there is one in which all hold but " + strings.Join(strings.Fields(joinClaims(found)), together)
	} else {
		found = []Claim{w.present()}
	}
	if len(stuck) > 0 {
		but += "; an order that keeps every claim gets as far as these, and none of them can come next"
	}
	return &Violation{Claims: found, Operations: stuck, Message: unlawful + ", " + but}
}

// returns are the tasks that o gave to its caller for good.
func (o Operation) returns() []Task {
	switch {
	case o.Kind == Run:
		return o.Args
	case o.Kind == Read:
		return nil // a value, not a task
	case o.Outcome == Took, o.Outcome == Stole, o.Refused:
		return o.Tasks
	}
	return nil
}

// brings are the tasks that o put into the queues. A refused one was the
// caller's all along, unless it came out of a ring.
func (o Operation) brings() []Task {
	switch o.Kind {
	case Push, Batch, InjectPush, InjectBatch, DequePush, Submit, Spawned:
		if o.Outcome == Closed || o.Outcome == NoRoom {
			return nil
		}
		return o.Args
	}
	return nil
}

// turnedAway are the tasks that o did not put into the queues.
func (o Operation) turnedAway() []Task {
	if o.brings() == nil && (o.Outcome == Closed || o.Outcome == NoRoom) {
		return o.Args
	}
	return nil
}

// blameTasks looks for tasks that were returned twice, or without having been
// pushed, or pushed and never returned although every queue was drained.
func blameTasks(h History) *Violation {
	from, away, to := map[Task]Operation{}, map[Task]Operation{}, map[Task]Operation{}
	for _, o := range h {
		for _, t := range o.brings() {
			from[t] = o
		}
		for _, t := range o.turnedAway() {
			away[t] = o
		}
	}
	for _, o := range h {
		for _, t := range o.returns() {
			first, again := to[t]
			if _, pushed := from[t]; !pushed {
				return fromNowhere(t, away, o)
			}
			if again {
				return &Violation{Claims: []Claim{NoDuplicateTask}, Operations: []Operation{from[t], first, o},
					Message: fmt.Sprintf("task %d is returned twice", t)}
			}
			to[t] = o
		}
	}
	if !drained(h) {
		return nil
	}
	for _, o := range h {
		for _, t := range o.brings() {
			if _, ok := to[t]; !ok {
				return &Violation{Claims: []Claim{NoLostTask}, Operations: []Operation{o},
					Message: fmt.Sprintf("task %d was pushed and is nowhere: every queue was drained", t)}
			}
		}
	}
	return nil
}

// fromNowhere is the violation by o, which returns a task that no push has left in a
// queue: one that was refused, or one that is nobody's.
func fromNowhere(t Task, away map[Task]Operation, o Operation) *Violation {
	push, refused := away[t]
	if !refused {
		return &Violation{Claims: []Claim{NoLostTask}, Operations: []Operation{o},
			Message: fmt.Sprintf("task %d is returned but was never pushed: whatever was is lost", t)}
	}
	claim := NoLostTask
	if push.Outcome == Closed {
		claim = ClosedReturnsTasks
	}
	return &Violation{Claims: []Claim{claim}, Operations: []Operation{push, o},
		Message: fmt.Sprintf("task %d was refused and is returned all the same", t)}
}

// The places of tasks that are no thread's ring.
const (
	injectPlace = -1
	dequePlace  = -2
)

// drained reports whether the last thing that happened to every queue that was
// used is a pop that found it empty.
func drained(h History) bool {
	last := map[int]Operation{} // by ring or other place
	note := func(queue int, o Operation) {
		if l, ok := last[queue]; !ok || l.Return < o.Return {
			last[queue] = o
		}
	}
	for _, o := range h {
		switch o.Kind {
		case Push, Batch, Pop:
			note(o.Thread, o)
			if o.Outcome == Overflowed || o.Outcome == Handed {
				note(injectPlace, o)
			}
		case Steal:
			note(o.On, o)
			note(o.Thread, o)
		case InjectPush, InjectBatch, InjectPop, InjectPopN:
			note(injectPlace, o)
		case DequePush, DequePop, DequeSteal:
			note(dequePlace, o)
		}
	}
	for queue, l := range last {
		if l.Outcome != Empty || queue == injectPlace && l.Kind != InjectPop && l.Kind != InjectPopN || queue >= 0 && l.Kind != Pop {
			return false
		}
	}
	return len(last) > 0
}
