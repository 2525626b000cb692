package model

// Answers are all results of operations on queues and parkers in which nothing but these
// tasks and numbers occurs: what an [Automaton] asks for. Tasks are told apart by
// their numbers, and there may be several of one number.
type Answers struct {
	Tasks    []Task
	Capacity int // of every ring
	Room     int // how many tasks an inject queue has at most, by its Len
}

// Of returns what op may return. There are len(Tasks) to the power of Capacity/2 and of
// op.Max, if that is what can come out.
func (a Answers) Of(op Op) []Result {
	switch op.Kind {
	case Push:
		return a.push(op.Args[0])
	case Batch:
		return []Result{{Outcome: Kept}, {Outcome: NoRoom}}
	case Pop, InjectPop, DequePop, DequeSteal:
		return a.taken(1)
	case InjectPopN:
		return a.taken(op.Max)
	case Len, Free, Peek:
		return counts(a.Capacity)
	case Vacant:
		return counts(1)
	case Steal:
		return a.steal()
	case InjectPush, InjectBatch:
		return []Result{{Outcome: Kept}, {Outcome: Closed}, {Outcome: NoRoom}}
	case DequePush:
		return []Result{{Outcome: Kept}, {Outcome: NoRoom}}
	case InjectClose:
		return []Result{{Outcome: Done}, {Outcome: Done, N: 1}}
	case InjectLen:
		return counts(a.Room)
	case ParkTimed:
		return []Result{{Outcome: Token}, {Outcome: TimedOut}}
	}
	return []Result{{Outcome: Done}}
}

// counts are the numbers from 0 to n.
func counts(n int) (all []Result) {
	for i := range n + 1 {
		all = append(all, Result{Outcome: Counted, N: i})
	}
	return all
}

// sequences returns all of n tasks each.
func (a Answers) sequences(n int) [][]Task {
	all := [][]Task{nil}
	for range n {
		var longer [][]Task
		for _, s := range all {
			for _, t := range a.Tasks {
				longer = append(longer, concat(s, []Task{t}))
			}
		}
		all = longer
	}
	return all
}

// taken are the results of a take of up to n tasks.
func (a Answers) taken(n int) []Result {
	all := []Result{{Outcome: Empty}}
	for i := range n {
		for _, s := range a.sequences(i + 1) {
			all = append(all, Result{Outcome: Took, Tasks: s})
		}
	}
	return all
}

// push are the ways in which a push of v ends.
func (a Answers) push(v Task) []Result {
	all := []Result{{Outcome: Kept}}
	for _, refused := range []bool{false, true} {
		all = append(all, Result{Outcome: Handed, Tasks: []Task{v}, Refused: refused})
		for _, s := range a.sequences(a.Capacity / 2) {
			all = append(all, Result{Outcome: Overflowed, Tasks: concat(s, []Task{v}), Refused: refused})
		}
	}
	return all
}

// steal are the ways in which a steal ends.
func (a Answers) steal() []Result {
	all := []Result{{Outcome: Busy}, {Outcome: Empty}, {Outcome: NoRoom}}
	for n := range a.Capacity / 2 {
		for _, t := range a.Tasks {
			all = append(all, Result{Outcome: Stole, N: n + 1, Tasks: []Task{t}})
		}
	}
	return all
}
