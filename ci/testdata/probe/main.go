// Command probe uses a ring in both of the shapes that generic code is compiled
// for, pointers and plain words, so that their machine code can be looked at.
package main

import "github.com/filch-sched/filch/queue"

func use[T any](v T) int {
	ring, err := queue.NewRing[T](2)
	if err != nil {
		return 0
	}
	dst, err := queue.NewRing[T](2)
	if err != nil {
		return 0
	}
	var over queue.Inject[T]
	n := len(ring.Push(v, &over))
	ring.PushBatch([]T{v})
	if _, ok := ring.Pop(); ok {
		n++
	}
	_, stolen, _ := ring.Stealer().StealInto(dst)
	return n + stolen + ring.Stealer().Len() + over.Len()
}

func main() {
	if use(new(int))+use(uint64(1)) == 0 {
		panic("probe: nothing was queued")
	}
}
