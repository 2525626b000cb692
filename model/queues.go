package model

import (
	"encoding/binary"
	"slices"
)

// Queues returns the law of a number of rings of one capacity, owned by the
// threads 0 to rings-1, and of the one inject queue that takes their overflows.
func Queues(rings, capacity int) Spec { return queueSpec{rings: rings, capacity: capacity} }

// Bounded returns the law of a queue like the inject queue that has room for so
// many tasks: a push is kept if there is room, and answers NoRoom if there is
// none.
func Bounded(capacity int) Spec { return queueSpec{bound: capacity} }

// queueSpec is the law, with some of its claims waived when blame asks for it.
type queueSpec struct {
	rings, capacity int
	bound           int // of the inject queue, 0 for none
	waivers
}

// queueState is one state of the law. It is never changed once it is reached.
type queueState struct {
	rings  []ringState
	global []Task
	closed bool
	// hands are the operations between two of their events, by thread.
	hands []hand
}

// ringState is a ring: its visible tasks, oldest first, and how many slots
// before them are not free since a thief has claimed them. There is an active
// thief exactly if held is not 0.
type ringState struct {
	tasks []Task
	held  int
}

// hand is an operation that has begun to take effect, and what it holds.
type hand struct {
	thread int
	next   Phase
	ring   int    // the victim's ring, while the thief is active
	n      int    // how many tasks the thief has seen its way to
	tasks  []Task // in nobody's reach
}

func (sp queueSpec) Initial() State {
	return &queueState{rings: make([]ringState, sp.rings)}
}

func (sp queueSpec) Events(o Operation) []Event { return eventsOf(o, queuePhases(o)) }

// eventsOf makes one event of o for each phase.
func eventsOf(o Operation, phases []Phase) []Event {
	op := &o
	out := make([]Event, len(phases))
	for i, p := range phases {
		out[i] = Event{Op: op, Phase: p}
	}
	return out
}

// queuePhases returns the moments at which o takes effect, which depend on how
// it ended.
func queuePhases(o Operation) []Phase {
	switch {
	case o.Kind == Push && o.Outcome == Overflowed:
		return []Phase{TakeAll, GiveBack, HandOver}
	case o.Kind == Push && o.Outcome == Handed:
		return []Phase{See, HandOver}
	case o.Kind == Steal && o.Outcome == Stole && o.N > 1:
		return []Phase{Look, Seize, Release, Publish}
	case o.Kind == Steal && o.Outcome == Stole:
		return []Phase{Look, Seize, Release}
	}
	return []Phase{Effect}
}

func (sp queueSpec) Step(s State, e Event) []State {
	q := s.(*queueState)
	switch e.Op.Kind {
	case Push, Batch, Pop, Len, Free:
		if e.Op.Thread < 0 || e.Op.Thread >= sp.rings {
			return nil
		}
		return sp.ownerStep(q, e)
	case Steal, Peek, Vacant:
		if e.Op.On < 0 || e.Op.On >= sp.rings {
			return nil
		}
		return sp.thiefStep(q, e)
	}
	return sp.injectStep(q, e)
}

// clone copies what next steps may change: slices of tasks are shared and never
// written.
func (q *queueState) clone() *queueState {
	c := *q
	c.rings = slices.Clone(q.rings)
	c.hands = slices.Clone(q.hands)
	return &c
}

// one is the answer of a step with one possible outcome.
func one(s State) []State { return []State{s} }

// when is s if the step is lawful.
func when(lawful bool, s State) []State {
	if lawful {
		return one(s)
	}
	return nil
}

// Key spells the state out in bytes.
func (q *queueState) Key() string {
	b := make([]byte, 0, 64)
	for _, r := range q.rings {
		b = appendTasks(b, r.tasks)
		b = binary.AppendUvarint(b, uint64(r.held))
	}
	b = appendTasks(b, q.global)
	if q.closed {
		b = append(b, 'c')
	}
	for _, h := range q.hands {
		b = append(b, 'h', byte(h.next))
		b = binary.AppendVarint(b, int64(h.thread))
		b = binary.AppendVarint(b, int64(h.ring))
		b = binary.AppendVarint(b, int64(h.n))
		b = appendTasks(b, h.tasks)
	}
	return string(b)
}

func appendTasks(b []byte, ts []Task) []byte {
	b = binary.AppendUvarint(b, uint64(len(ts)))
	for _, t := range ts {
		b = binary.AppendVarint(b, int64(t))
	}
	return b
}

// holding returns what thread holds, if its operation is to go on with phase p.
func (q *queueState) holding(thread int, p Phase) (hand, bool) {
	for _, h := range q.hands {
		if h.thread == thread {
			return h, h.next == p
		}
	}
	return hand{}, false
}

// idle reports whether thread is between operations.
func (q *queueState) idle(thread int) bool {
	return !slices.ContainsFunc(q.hands, func(h hand) bool { return h.thread == thread })
}

// hold records h, in place of what its thread held, in the order of threads.
func (q *queueState) hold(h hand) {
	q.drop(h.thread)
	i, _ := slices.BinarySearchFunc(q.hands, h.thread, func(a hand, t int) int { return a.thread - t })
	q.hands = slices.Insert(q.hands, i, h)
}

// drop forgets what thread holds.
func (q *queueState) drop(thread int) {
	q.hands = slices.DeleteFunc(q.hands, func(h hand) bool { return h.thread == thread })
}

// moved says that the head of a ring is another than before: whoever has looked
// at it must look again.
func (q *queueState) moved(ring int) {
	q.hands = slices.DeleteFunc(q.hands, func(h hand) bool { return h.next == Seize && h.ring == ring })
}

// concat returns a and b in a slice of its own.
func concat(a, b []Task) []Task { return slices.Concat(a, b) }

// without returns ts less one v, and whether v was there.
func without(ts []Task, v Task) ([]Task, bool) {
	i := slices.Index(ts, v)
	if i < 0 {
		return ts, false
	}
	return slices.Concat(ts[:i], ts[i+1:]), true
}
