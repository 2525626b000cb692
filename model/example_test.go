package model_test

import (
	"fmt"

	"github.com/filch-sched/filch/model"
)

// A thief is told that another one is active. Nobody else is there, so the
// answer is not honest.
func ExampleCheck() {
	h := model.History{
		{Thread: 0, Op: model.Op{Kind: model.Push, Args: []model.Task{7}},
			Result: model.Result{Outcome: model.Kept}, Call: 1, Return: 2},
		{Thread: 1, Op: model.Op{Kind: model.Steal, On: 0},
			Result: model.Result{Outcome: model.Busy}, Call: 3, Return: 4},
	}
	v := model.Check(model.Queues(2, 4), h)
	fmt.Println(v.Claims[0])
	fmt.Print(h.Format([]string{"owner", "thief"}))
	// Output:
	// BusyIsHonest
	// [1, 2] owner: push 7 = kept
	// [3, 4] thief: steal owner = busy
}

func ExampleParse() {
	_, err := model.Parse("mine", "target: ring\ncapacity: 3\n")
	fmt.Println(err)
	s, err := model.Parse("mine", "target: ring\ncapacity: 2\nowner: push 1, pop\nthief: steal owner\nclaims: FIFO\n")
	fmt.Println(len(s.Threads), s.Threads[1].Ops[0].Kind, err)
	// Output:
	// model: scenario mine:2:11: capacity 3 is not a power of two
	// 2 steal <nil>
}
