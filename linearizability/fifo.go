package linearizability

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/filch-sched/filch/model"
)

// fifo judges a history of single pushes and pops on an inject queue without a
// search, however many of them overlap and however long the queue is. With tasks
// that differ, such a history is lawful if and only if
//
//   - no task is popped before its push was called, or twice, or from nowhere;
//   - no task is popped before another was called to be popped that had been
//     pushed when its own push was called;
//   - at some moment of each pop that found nothing, no task need be there:
//     its push may not have taken effect, or its pop may have.
//
// That these patterns are enough is due to Henzinger, Sezgin and Vafeiadis
// (Aspect-oriented linearizability proofs, 2013) and Bouajjani, Emmi, Enea and
// Hamza (On reducing linearizability to state reachability, 2015).
type fifo struct {
	h     *History
	stays []stay
	shut  int64 // the latest moment at which the queue can have been closed
}

// stay is the time of a task in the queue: it comes between call and in, and
// goes between out and gone.
type stay struct {
	put, take           int // operations; take is none of a task that stays
	call, in, out, gone int64
}

// fifoOf returns h as one for fifo, and false if it is none: one with a capacity that
// it can reach, an answer that it is full, batches, lengths or operations that hang.
func fifoOf(h *History, index *taskIndex) (*fifo, bool) {
	if h.Target != model.Inject || h.Stuck {
		return nil, false
	}
	q := &fifo{h: h, shut: math.MaxInt64}
	of := index.like()
	for i := range h.Ops {
		o := &h.Ops[i]
		switch o.Kind {
		case model.InjectPush:
			if o.Outcome == model.Closed {
				q.shut = min(q.shut, o.Return)
				continue
			}
			if o.Outcome == model.NoRoom || h.Capacity > 0 && len(q.stays) == h.Capacity {
				return nil, false
			}
			q.stays = append(q.stays, stay{i, none, o.Call, o.Return, Never, Never})
			of.set(o.Args[0], int32(len(q.stays)))
		case model.InjectClose:
			q.shut = min(q.shut, o.Return)
		case model.InjectPop:
		default:
			return nil, false
		}
	}
	for i := range h.Ops { // a pop may be called before its push
		if o := &h.Ops[i]; o.Kind == model.InjectPop && o.Outcome == model.Took {
			n := of.get(o.Tasks[0])
			if n == 0 || q.stays[n-1].take != none {
				return nil, false // such a history is unlawful by its tasks alone
			}
			s := &q.stays[n-1]
			s.take, s.out, s.gone = i, o.Call, o.Return
		}
	}
	return q, true
}

// judge returns what is violated. The tasks have been counted.
func (q *fifo) judge() *Violation {
	if v := q.closed(); v != nil {
		return v
	}
	if v := q.early(); v != nil {
		return v
	}
	for i := range q.stays {
		q.stays[i].in = min(q.stays[i].in, q.shut)
	}
	if v := q.empties(); v != nil {
		return v
	}
	return q.overtaken()
}

// closed: the queue closes once, at a moment that comes after the call of each
// push that is kept and before the return of each that is refused. The latest
// such moment leaves the most room to everything else.
func (q *fifo) closed() *Violation {
	h := q.h
	first := slices.IndexFunc(h.Ops, func(o model.Operation) bool { return o.Kind == model.InjectClose && o.N == 1 })
	for i := range h.Ops {
		o := &h.Ops[i]
		wrong := ""
		switch {
		case o.Kind == model.InjectClose && o.N == 1 && i != first:
			wrong = "closes what was closed before"
		case o.Kind == model.InjectClose && o.N != 1 && (first < 0 || o.Return < h.Ops[first].Call):
			wrong = "says that the queue was closed, and it was not yet"
		case o.Outcome == model.Closed && (first < 0 || o.Return < h.Ops[first].Call):
			wrong = "is refused before the queue is closed"
		case o.Outcome == model.Kept && o.Call > q.shut:
			wrong = "is kept though the queue was closed before its call"
		default:
			continue
		}
		ops := []int{i}
		if first >= 0 && first != i {
			ops = append(ops, first)
		}
		return h.blame(model.ClosedReturnsTasks, h.Line(i)+" "+wrong, ops...)
	}
	return nil
}

func (q *fifo) early() *Violation {
	for _, s := range q.stays {
		if s.gone < s.call {
			return q.h.blame(model.NoLostTask, fmt.Sprintf("task %d is popped before its push is called: the one that was there is lost",
				q.h.Ops[s.put].Args[0]), s.take, s.put)
		}
	}
	return nil
}

// overtaken looks for a task that left before one that must have been in front
// of it.
func (q *fifo) overtaken() *Violation {
	sort.Slice(q.stays, func(i, j int) bool { return q.stays[i].in < q.stays[j].in })
	last := make([]int, len(q.stays)) // of those that come in up to here, the last to be called out
	for i := range q.stays {
		last[i] = i
		if i > 0 && q.stays[last[i-1]].out >= q.stays[i].out {
			last[i] = last[i-1]
		}
	}
	for _, b := range q.stays {
		n := sort.Search(len(q.stays), func(i int) bool { return q.stays[i].in >= b.call })
		if b.take == none || n == 0 || q.stays[last[n-1]].out <= b.gone {
			continue
		}
		a := q.stays[last[n-1]]
		ops := []int{b.take, b.put, a.put}
		how := "is never popped"
		if a.take != none {
			ops, how = append(ops, a.take), "is popped after it"
		}
		return q.h.blame(model.InjectFIFO, fmt.Sprintf("task %d is popped, and task %d, which was pushed before it, %s",
			q.h.Ops[b.put].Args[0], q.h.Ops[a.put].Args[0], how), ops...)
	}
	return nil
}

// empties looks for a pop that found nothing while all the time some task was
// there.
func (q *fifo) empties() *Violation {
	sort.Slice(q.stays, func(i, j int) bool { return q.stays[i].in < q.stays[j].in })
	covers := q.covers()
	for i := range q.h.Ops {
		o := &q.h.Ops[i]
		if o.Kind != model.InjectPop || o.Outcome != model.Empty {
			continue
		}
		n := sort.Search(len(covers), func(i int) bool { return covers[i].to > o.Return })
		if n == len(covers) || covers[n].from >= o.Call {
			continue
		}
		ops, left := q.chain(covers[n], o.Call, o.Return)
		claim, message := model.BusyIsHonest, "finds nothing, and at no moment of its call need the queue have been empty"
		if left {
			claim, message = model.NoLostTask, "finds nothing, though a task is there that nobody pops"
		}
		return q.h.blame(claim, q.h.Line(i)+" "+message, append([]int{i}, ops...)...)
	}
	return nil
}

// cover is a time in which the queue cannot have been empty, less its ends, and
// the stays that make it.
type cover struct {
	from, to    int64
	first, last int
}

// covers merges the stays, which are in the order of their begins. At a moment
// that is the end of one and the begin of the next the queue may be empty.
func (q *fifo) covers() (out []cover) {
	for i, s := range q.stays {
		switch {
		case s.in >= s.out: // gone as soon as there
		case len(out) > 0 && s.in < out[len(out)-1].to:
			c := &out[len(out)-1]
			c.to, c.last = max(c.to, s.out), i
		default:
			out = append(out, cover{s.in, s.out, i, i})
		}
	}
	return out
}

// chain returns the operations of few stays that cover [call, ret], and whether
// one of them never ends.
func (q *fifo) chain(c cover, call, ret int64) (ops []int, left bool) {
	at := call - 1 // covered as far as this, which is not covered itself
	for first := true; first || at <= ret; first = false {
		best := none
		for i := c.first; i <= c.last; i++ {
			s := &q.stays[i]
			if begins := s.in < call || !first && s.in < at; begins && s.out > at && s.in < s.out &&
				(best == none || s.out > q.stays[best].out) {
				best = i
			}
		}
		s := &q.stays[best]
		ops, at = append(ops, s.put), s.out
		if s.take == none {
			return ops, true
		}
		ops = append(ops, s.take)
	}
	return ops, false
}

// onlyTasksOf is h with the operations on the tasks of ops alone, the closes and
// ops themselves. What fifo can judge stays lawful when tasks are left out.
func (h *History) onlyTasksOf(ops []int) *History {
	tasks := map[model.Task]bool{}
	for _, i := range ops {
		for _, t := range append(slices.Clone(h.Ops[i].Args), h.Ops[i].Tasks...) {
			tasks[t] = true
		}
	}
	return h.without(ops, func(o *model.Operation) bool {
		return o.Kind == model.InjectClose || len(o.Args) == 1 && tasks[o.Args[0]] || len(o.Tasks) == 1 && tasks[o.Tasks[0]]
	})
}
