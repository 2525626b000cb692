package machine

// This file is what a search of states needs to go from one state to another
// without a run from the first: between two operations a thread remembers no more
// than the key of its boundary, so where all threads are between operations, what
// memory holds is all that is to be changed.

// Halt is where a thread is between two operations: at which of the boundaries in
// its code, or at its end. Equal halts are equal in all executions.
type Halt struct {
	key, whence uint64
	done        bool
}

// Halt returns where t is, if that is between two operations.
func (t *Thread) Halt() (h Halt, is bool) {
	if t.done {
		return Halt{done: true}, !t.failed
	}
	return Halt{key: t.key, whence: t.whence}, t.op.Code == Boundary && t.bounds > 0 && !t.settling
}

// Idle reports whether no lock is held and nobody waits for anything. It does not
// know of groups, timers and maps, whose past can matter.
func (m *Machine) Idle() bool {
	if len(m.ready) > 0 {
		return false
	}
	for _, o := range m.objects[:m.nobjects] {
		switch o.kind {
		case Mutex, RWMutex, Cond, Once:
			if o.held || o.done || o.pending || o.count != 0 || len(o.waiters) > 0 {
				return false
			}
		case WaitGroup, Timer, Map:
			return false
		}
	}
	return true
}

// Clean reports whether nothing is left of what t did before: no access to a cell
// since its last step, and no signal that has found it.
func (t *Thread) Clean() bool {
	return len(t.touched) == 0 && !t.signalled && !t.asleep && !t.disturbed
}

// Anew makes the execution one that has begun where it is: the steps that were
// taken so far do not count for its bounds, and all threads are clean. It returns how
// many they were.
func (m *Machine) Anew() (steps int) {
	for _, t := range m.threads[:m.n] {
		t.touched, t.signalled, t.asleep, t.disturbed = t.touched[:0], false, false, false
	}
	steps, m.Steps, m.moves = m.Steps, 0, 0
	running.beat.Add(1) // steps that begin anew do not get to where they would tell
	return steps
}

// Head has t forget all but at, which says where in its code it is, and on which
// object it is about to operate: what it remembers is an observation of a Boundary.
func (t *Thread) Head(at uint64, object int32) {
	t.key, t.whence = 0, 0
	t.bounds++
	t.seen = append(t.seen[:0], Observation{Code: Boundary, Object: object, Value: at})
}
