package bond

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/queue"
)

// inject is an inject queue under check.
type inject struct {
	*queue.Inject[int]
	fate fate
	room int // for tasks, in the queue or on their way
	// batch bounds how many come at once.
	batch int
}

// Inject is the driver of an inject queue that so many threads push up to batch tasks
// to, or close, and of which as many pop, up to one or two tasks, or ask for the length.
// There are at most limit tasks at a time.
func Inject(pairs, batch, limit int) func() {
	return func() {
		d, q := loom.Drive(), &inject{Inject: new(queue.Inject[int]), room: limit, batch: batch}
		d.Root("queue", q.Inject)
		d.Guards(q.Inject, "mu", "queue")
		d.Root("fate", &q.fate)
		d.Root("room", &q.room)
		for _, work := range []func(){q.push, q.pop} {
			for range pairs {
				loom.Go(func() {
					for {
						loom.Boundary(0)
						work()
					}
				})
			}
		}
		n, held := loom.Peek(q.Inject, "n"), d.Held(q.Inject, "mu")
		d.Show(func() string {
			closed := number(reflect.ValueOf(q.Inject).Elem().FieldByName("closed").Bool())
			return fmt.Sprintf("<<%s, <<%d, %d, %d, <<%s>>>>>>", q.fate.text(), n(), closed, number(held()), strings.Join(q.list(), ", "))
		})
	}
}

// list is the tasks in the blocks of the queue.
func (q *inject) list() (all []string) {
	block := reflect.ValueOf(q.Inject).Elem().FieldByName("first")
	for ; !block.IsNil(); block = block.Elem().FieldByName("next") {
		b := block.Elem()
		for i := b.FieldByName("lo").Int(); i < b.FieldByName("hi").Int(); i++ {
			all = append(all, fmt.Sprint(b.FieldByName("v").Index(int(i)).Int()))
		}
	}
	return all
}

// push is one operation of a pusher.
func (q *inject) push() {
	options := [][]int{nil} // to close
	for n := 1; n <= q.batch && n <= q.room; n++ {
		options = append(options, slices.Repeat([]int{anonymous}, n))
		for at := 0; at < n && q.fate.pushed == 0; at++ {
			vs := slices.Repeat([]int{anonymous}, n)
			vs[at] = tagged
			options = append(options, vs)
		}
	}
	vs := options[loom.Choose(len(options))]
	if vs == nil {
		q.Close()
		told(done)
		return
	}
	q.room -= len(vs)
	for _, v := range vs {
		if v == tagged {
			q.fate.pushed++
		}
	}
	ok := false
	if len(vs) == 1 {
		ok = q.Push(vs[0])
	} else {
		ok = q.PushBatch(vs)
	}
	if !ok {
		q.room += len(vs)
		q.fate.PushBatch(vs)
		told(nothing)
		return
	}
	told(done)
}

// pop is one operation of a popper.
func (q *inject) pop() {
	n := 0
	var vs [2]int
	switch loom.Choose(3) {
	case 0:
		if v, ok := q.Pop(); ok {
			vs[0], n = v, 1
		}
	case 1:
		n = q.PopN(vs[:])
	case 2:
		told(q.Len())
		return
	}
	q.room += n
	for _, v := range vs[:n] {
		q.fate.take(v)
	}
	if n == 0 {
		told(nothing)
	} else {
		told(done)
	}
}
