package closed

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/queue"
)

// inject is an inject queue under check, and what the driver knows of it.
type inject struct {
	*queue.Inject[int]
	limit int
	held  func() bool   // whether its lock is held
	n     func() uint64 // the length that anyone reads
	count func() uint64 // the one that the lock guards

	room     int // for tasks, less those that pushes have been begun with
	pushed   [tags]bool
	done     [tags]bool // the push has ended
	taken    [tags]int8 // how often a pop has returned it
	kept     [tags]bool // the queue was closed, and the caller keeps it
	together bool       // one push had both
	// A Close has begun, has ended, and then the queue was empty.
	closing, closed, drained bool
}

// Inject is the most general client of an inject queue: two threads push a task or
// limit at once, or close it; two pop a task or up to two, or ask for the length.
// There are at most limit tasks at a time, in the queue or on their way to it: the
// queue itself has no bound, and a block holds two of them.
func Inject(limit int) func() {
	return func() {
		d := loom.Drive()
		q := &inject{Inject: new(queue.Inject[int]), limit: limit, room: limit}
		q.n, q.count, q.held = loom.Peek(q.Inject, "n"), loom.Peek(q.Inject, "count"), d.Held(q.Inject, "mu")
		d.Root("queue", q.Inject)
		d.Guards(q.Inject, "mu", "queue")
		for _, l := range []any{&q.room, &q.pushed, &q.done, &q.taken, &q.kept, &q.together, &q.closing, &q.closed, &q.drained} {
			d.Root("ledger", l)
		}
		var all []*loom.Thread
		for range 2 {
			all = append(all, loom.Go(q.push))
		}
		for range 2 {
			all = append(all, loom.Go(q.pop))
		}
		d.Symmetric(all[:2]...)
		d.Symmetric(all[2:]...)
		q.claims(d, all)
	}
}

// push is a pusher.
func (q *inject) push() {
	for {
		loom.Boundary(0)
		batch := loom.Choose(3)
		if batch == 0 {
			q.closing = true
			q.Close()
			q.closed = true
			q.drains()
			continue
		}
		if batch == 2 {
			batch = q.limit
		}
		vs := q.some(batch)
		if vs == nil {
			continue
		}
		late := q.closed
		loom.Boundary(remembers(vs, late))
		ok := false
		if batch == 1 {
			ok = q.Push(vs[0])
		} else {
			ok = q.PushBatch(vs)
		}
		q.answered(vs, ok, late)
	}
}

func remembers(vs []int, late bool) uint64 {
	key := uint64(len(vs))
	for i, v := range vs {
		key |= uint64(v) << (4 + 4*i)
	}
	if late {
		key |= 1 << 32
	}
	return key
}

// some returns n tasks, each any task or the tagged one that is next, nil if there
// is no room. The second one comes when the first one is in.
func (q *inject) some(n int) (vs []int) {
	if q.room < n {
		return nil
	}
	q.room -= n
	for range n {
		v := anonymous
		next := first
		for next < tags && q.pushed[next] {
			next++
		}
		if next < tags && (next == first || q.done[first] || slices.Contains(vs, first)) && loom.Choose(2) == 1 {
			v = next
			q.pushed[v] = true
		}
		vs = append(vs, v)
	}
	q.together = q.together || slices.Contains(vs, first) && slices.Contains(vs, second)
	return vs
}

// answered books what a push has answered.
func (q *inject) answered(vs []int, ok, late bool) {
	switch {
	case ok && late:
		loom.Failf("ClosedReturnsTasks", "a push that began after Close had ended was taken")
	case !ok && !q.closing:
		loom.Failf("ClosedReturnsTasks", "a push was refused, and nobody has called Close")
	}
	for _, v := range vs {
		if v >= first {
			q.done[v], q.kept[v] = true, !ok
		}
	}
	if !ok {
		q.room += len(vs)
	}
}

// pop is a popper.
func (q *inject) pop() {
	for {
		loom.Boundary(0)
		var vs [2]int
		n, two := 0, false
		switch loom.Choose(3) {
		case 0:
			if v, ok := q.Pop(); ok {
				vs[0], n = v, 1
			}
		case 1:
			n, two = q.PopN(vs[:]), true
		case 2:
			if n := q.Len(); !q.held() && n != int(q.count()) {
				loom.Failf("LenHint", "the length is %d with %d tasks", n, q.count())
			}
		}
		q.room += n
		q.drains()
		for i, v := range vs[:n] {
			switch {
			case v == none:
				loom.Failf("NoDuplicateTask", "a pop has returned an empty slot")
			case v == second && i == 0 && vs[1] == first:
				loom.Failf("InjectFIFO", "task %d was pushed first and comes after task %d", first, second)
			case v == first && q.together && two && i == 0 && vs[1] != second && (n == 1 || q.limit == 2):
				loom.Failf("InjectFIFO", "task %d was pushed with task %d, which is not there yet", first, second)
			case v >= first:
				q.taken[v]++
			}
		}
	}
}

// drains notes that the queue is empty after a Close, as it then stays.
func (q *inject) drains() {
	q.drained = q.drained || q.closed && !q.held() && q.count() == 0
}

// claims says what must hold in every state.
func (q *inject) claims(d *loom.Driver, all []*loom.Thread) {
	quiet := func() bool {
		for _, t := range all {
			if !resting(d, t) {
				return false
			}
		}
		return true
	}
	each := func(claim, wrong string, holds func(v int) bool) {
		d.Always(claim, func() string {
			for v := first; v < tags; v++ {
				if !holds(v) {
					return fmt.Sprintf(wrong, v)
				}
			}
			return ""
		})
	}
	each("NoDuplicateTask", "task %d has been popped twice", func(v int) bool { return q.taken[v] <= 1 })
	each("ClosedReturnsTasks", "task %d was refused and popped", func(v int) bool { return !q.kept[v] || q.taken[v] == 0 })
	each("NoLostTask", "task %d was pushed, is not in the queue and was not popped", func(v int) bool {
		return !quiet() || q.count() > 0 || !q.done[v] || q.kept[v] || q.taken[v] > 0
	})
	count := func(claim string, wrong func(pushed, in int) bool) {
		d.Always(claim, func() string {
			if pushed, in := q.limit-q.room, int(q.count()); quiet() && wrong(pushed, in) {
				return fmt.Sprintf("%d more tasks were pushed than popped, the queue has %d", pushed, in)
			}
			return ""
		})
	}
	count("NoLostTask", func(pushed, in int) bool { return pushed > in })
	count("NoDuplicateTask", func(pushed, in int) bool { return pushed < in })
	d.Always("ClosedReturnsTasks", func() string {
		if q.drained && q.count() > 0 {
			return "a task has come into a queue that was closed and empty"
		}
		return ""
	})
	d.Always("InjectFIFO", func() string {
		if quiet() && q.taken[second] > 0 && q.taken[first] == 0 && !q.kept[first] {
			return fmt.Sprintf("task %d was popped, task %d was pushed first and was not", second, first)
		}
		return ""
	})
	d.Always("NoRetention", func() string {
		if v := q.retained(); quiet() && v != none {
			return fmt.Sprintf("a place that is free has task %d", v)
		}
		return ""
	})
	d.Always("LenHint", func() string {
		if !q.held() && q.n() != q.count() {
			return fmt.Sprintf("the length is %d with %d tasks, and nobody is at work", q.n(), q.count())
		}
		return ""
	})
}

// retained returns a task that is in a block and not in the queue, none if there
// is none.
func (q *inject) retained() int {
	of := reflect.ValueOf(q.Inject).Elem()
	for _, name := range []string{"first", "spare"} {
		for b := of.FieldByName(name); !b.IsNil(); b = b.Elem().FieldByName("next") {
			in := b.Elem()
			lo, hi, slots := in.FieldByName("lo").Int(), in.FieldByName("hi").Int(), in.FieldByName("v")
			for i := range slots.Len() {
				if v := slots.Index(i).Int(); v != none && (int64(i) < lo || int64(i) >= hi) {
					return int(v)
				}
			}
		}
	}
	return none
}
