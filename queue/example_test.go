package queue_test

import (
	"fmt"

	"github.com/filch-sched/filch/queue"
)

// A worker pushes and pops; a thief takes the older half.
func Example() {
	var overflow queue.Inject[string]
	mine, err := queue.NewRing[string](queue.DefaultCapacity)
	if err != nil {
		panic(err)
	}
	theirs, err := queue.NewRing[string](queue.DefaultCapacity)
	if err != nil {
		panic(err)
	}
	for _, task := range []string{"a", "b", "c"} {
		mine.Push(task, &overflow)
	}
	// In the thief's goroutine, which owns theirs:
	task, n, outcome := mine.Stealer().StealInto(theirs)
	fmt.Println(outcome, n, task)
	first, _ := theirs.Pop()
	// In the owner's again:
	last, _ := mine.Pop()
	fmt.Println(first, last)
	// Output:
	// stole 2 b
	// a c
}

func ExampleInject_Close() {
	var q queue.Inject[int]
	q.Push(1)
	q.Close()
	fmt.Println(q.Push(2)) // refused: 2 is still the caller's
	fmt.Println(q.Pop())   // accepted before: still there
	// Output:
	// false
	// 1 true
}
