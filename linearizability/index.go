package linearizability

import "github.com/filch-sched/filch/model"

// taskIndex keeps a number for each task of a history; 0 is none. Where tasks
// are small numbers, as those of the audit are, it is a slice.
type taskIndex struct {
	dense  []int32
	sparse map[model.Task]int32
}

// newTaskIndex returns an index for the tasks that h was given.
func newTaskIndex(h *History) *taskIndex {
	var last model.Task
	n := 0
	for i := range h.Ops {
		for _, t := range h.Ops[i].Args {
			last = max(last, t)
		}
		n += len(h.Ops[i].Args)
	}
	if int(last) <= 16*n+1024 {
		return &taskIndex{dense: make([]int32, last+1)}
	}
	return &taskIndex{sparse: make(map[model.Task]int32, n)}
}

// like returns an empty index for the same tasks.
func (x *taskIndex) like() *taskIndex {
	if x.sparse != nil {
		return &taskIndex{sparse: map[model.Task]int32{}}
	}
	return &taskIndex{dense: make([]int32, len(x.dense))}
}

// get returns the number of a task, any task.
func (x *taskIndex) get(t model.Task) int32 {
	if x.sparse != nil {
		return x.sparse[t]
	}
	if t < 0 || int(t) >= len(x.dense) {
		return 0
	}
	return x.dense[t]
}

// set gives a task that the history was given a number. One that it was not may
// stay without.
func (x *taskIndex) set(t model.Task, n int32) {
	switch {
	case x.sparse != nil:
		x.sparse[t] = n
	case t >= 0 && int(t) < len(x.dense):
		x.dense[t] = n
	}
}
