package model

// ordered is a Spec that knows of some events, from the whole history, which
// comes first in every lawful sequence. The search need not try the other order.
type ordered interface {
	// arrivals returns the events that bring tasks into a first-in-first-out
	// queue of the operations of each thread.
	arrivals(threads [][]Operation) []arrival
}

// place is an event in the search: of a thread, of its operations the one, and
// of its events the one.
type place struct{ thread, op, phase int }

// arrival is an event by which tasks get into a queue, and when the first of
// them leaves it again: by which operation, as which of its tasks, and within
// which interval.
type arrival struct {
	place
	taker       *Operation // nil: it does not leave
	nth         int
	from, until int64
}

const never = int64(^uint64(0) >> 1)

// before reports whether a comes before b in every lawful sequence: its task has
// left before that of b can. Were b first, its task would have left first.
func (a arrival) before(b arrival) bool {
	if a.taker == nil {
		return false
	}
	return a.until < b.from || b.taker == a.taker && a.nth < b.nth
}

// arrivals: the inject queue is first in, first out, which a law without the
// claim does not say. A batch stays together, so that its first task speaks for
// all.
func (sp queueSpec) arrivals(threads [][]Operation) []arrival {
	if sp.waives(InjectFIFO) {
		return nil
	}
	taken := map[Task]arrival{}
	for _, ops := range threads {
		for i := range ops {
			o := &ops[i]
			if (o.Kind == InjectPop || o.Kind == InjectPopN) && o.Outcome == Took {
				for nth, t := range o.Tasks {
					taken[t] = arrival{taker: o, nth: nth, from: o.Call, until: o.Return}
				}
			}
		}
	}
	var out []arrival
	for t, ops := range threads {
		for i := range ops {
			phase, tasks := arriving(&ops[i])
			if len(tasks) == 0 {
				continue
			}
			a, ok := taken[tasks[0]]
			if !ok {
				a = arrival{from: never, until: never}
			}
			a.place = place{t, i, phase}
			out = append(out, a)
		}
	}
	return out
}

// arriving returns the tasks that o brings into the inject queue, and by which of
// its events: the last.
func arriving(o *Operation) (phase int, tasks []Task) {
	switch {
	case o.Refused:
		return 0, nil
	case (o.Kind == InjectPush || o.Kind == InjectBatch) && o.Outcome == Kept:
		return 0, o.Args
	case o.Kind == Push && (o.Outcome == Overflowed || o.Outcome == Handed):
		return len(queuePhases(*o)) - 1, o.Tasks
	}
	return 0, nil
}

// firsts returns, for the events that have such, the events of other threads
// that come before it in every lawful sequence: of each thread the last.
func firsts(sp Spec, threads [][]Operation) map[place][]place {
	law, ok := sp.(ordered)
	if !ok {
		return nil
	}
	list := law.arrivals(threads)
	out := map[place][]place{}
	for _, b := range list {
		last := map[int]place{}
		for _, a := range list { // of one thread in its order
			if a.thread != b.thread && a.before(b) {
				last[a.thread] = a.place
			}
		}
		for _, p := range last {
			out[b.place] = append(out[b.place], p)
		}
	}
	return out
}

// happened reports whether the event at p has.
func (s *search) happened(p place) bool {
	return s.op[p.thread] > p.op || s.op[p.thread] == p.op && s.phase[p.thread] > p.phase
}
