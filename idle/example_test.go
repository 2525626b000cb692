package idle_test

import (
	"fmt"

	"github.com/filch-sched/filch/idle"
)

// Two workers; the second one finds no work and sleeps. A task is published.
func Example() {
	unpark := func(worker int) { fmt.Println("unpark", worker) }
	t, err := idle.New(2, unpark)
	if err != nil {
		panic(err)
	}
	nothing := func() bool { return false } // a look at every source of work

	// Worker 1:
	if t.TrySearch() {
		t.Park(1, true, nothing)
	}
	// Whoever publishes a task, afterwards:
	t.Wake(idle.Publish)
	t.Wake(idle.Publish) // one wake in flight is enough

	// Worker 1, woken:
	up, counted := t.Resume(1)
	fmt.Println(up, counted)
	t.StopSearch() // it has found the task and runs it
	// Output:
	// unpark 1
	// true true
}
