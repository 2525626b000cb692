package trace

import (
	"slices"
)

// The arguments of a step of the rings, after its name and worker, by what it is: ring
// and indices, and of a compare-and-swap the two new ones and whether it succeeded; ring,
// slot and task. See module RingTrace.
const (
	argTail    = 1
	argSlot    = 1
	argTask    = 2
	argNewReal = 4
	argOK      = 5
)

var ringCorruptions = []corruption{
	theEndIsMissing,
	// A load disturbs nobody else, so only its own worker can notice.
	{"a load of head is dropped", func(s []Step) ([]Step, int) {
		i := middle(s, func(i int) bool { return s[i].Name == "StealS1" && follower(s, i) > 0 })
		return without(s, i), follower(s, i) - 1
	}},
	{"the clearing of a slot is dropped", func(s []Step) ([]Step, int) {
		i := middle(s, func(i int) bool { return s[i].Name == stepClear && follower(s, i) > 0 })
		return without(s, i), follower(s, i) - 1
	}},
	{"a pop's swap is doubled", func(s []Step) ([]Step, int) {
		i := middle(s, func(i int) bool { return s[i].Name == "PopL4" && s[i].Args[argOK] == true })
		return with(s, i+1, s, i), i + 1
	}},
	{"tail is stored before the slot", func(s []Step) ([]Step, int) {
		i := middle(s, func(i int) bool {
			return s[i].Name == "PushP4" && s[i+1].Name == "PushP5" && s[i].Thread == s[i+1].Thread
		})
		return swapped(s, i), i
	}},
	// It has read what the other has left.
	{"a load comes before what it has seen", func(s []Step) ([]Step, int) {
		i := middle(s, func(i int) bool { return reader(s, i) > 0 })
		if i < 0 {
			return nil, -1
		}
		return moved(s, reader(s, i), i), i
	}},
	{"a tail that a thief has loaded is another", func(s []Step) ([]Step, int) {
		return altered(s, named(s, "StealS2"), argTail, func(v any) any { return v.(int) + 1 })
	}},
	{"a swap that succeeded has failed", func(s []Step) ([]Step, int) {
		return altered(s, func(i int) bool { return swapsHead(s[i]) }, argOK, func(any) any { return false })
	}},
	{"a thief has claimed one more", func(s []Step) ([]Step, int) {
		fits := func(i int) bool { return s[i].Name == "StealS5" && s[i].Args[argOK] == true }
		return altered(s, fits, argNewReal, func(v any) any { return v.(int) + 1 })
	}},
	{"another task is taken of a slot", func(s []Step) ([]Step, int) {
		return altered(s, named(s, stepTake), argTask, func(v any) any { return v.(int) + 1 })
	}},
	{"another slot is filled", func(s []Step) ([]Step, int) {
		return altered(s, named(s, "PushP4"), argSlot, func(v any) any { return (v.(int) + 1) % RingCapacity })
	}},
	{"a stolen task goes to another slot", func(s []Step) ([]Step, int) {
		return altered(s, named(s, stepBring), argSlot, func(v any) any { return (v.(int) + 1) % RingCapacity })
	}},
	{"a pop returns another task", func(s []Step) ([]Step, int) {
		fits := func(i int) bool { return s[i].Name == stepReturn && s[i].Args[0] == "task" }
		return altered(s, fits, 1, func(v any) any { return v.(int) + 1 })
	}},
	{"busy is told for empty", func(s []Step) ([]Step, int) {
		fits := func(i int) bool { return s[i].Name == stepReturn && s[i].Args[0] == answers[AnswerEmpty] }
		return altered(s, fits, 0, func(any) any { return answers[AnswerBusy] })
	}},
	{"the overflow is given a task less", func(s []Step) ([]Step, int) {
		fits := func(i int) bool { return s[i].Name == stepOver && len(s[i].Args[0].([]int)) > 1 }
		return altered(s, fits, 0, func(v any) any { return slices.Clone(v.([]int)[1:]) })
	}},
	{"another worker has shown a task", func(s []Step) ([]Step, int) {
		return changed(s, middle(s, named(s, "PushP5")), func(x *Step) { x.Thread = another(x.Thread) })
	}},
}

// altered changes an argument of the step in the middle of those that fit.
func altered(s []Step, fits func(int) bool, arg int, change func(any) any) ([]Step, int) {
	return changed(s, middle(s, fits), func(x *Step) { x.Args[arg] = change(x.Args[arg]) })
}

// reader returns the next step that loads the word which step i has written, if it is of
// another worker, who has done nothing in between; else 0.
func reader(s []Step, i int) int {
	for j := i + 1; j < len(s) && (swapsHead(s[i]) || writesTail(s[i])); j++ {
		reads := swapsHead(s[i]) && loadsHead(s[j]) || writesTail(s[i]) && s[j].Name == "StealS2"
		if !reads || s[i].Args[0] != s[j].Args[0] {
			continue
		}
		busy := func(x Step) bool { return x.Thread == s[j].Thread }
		if slices.ContainsFunc(s[i:j], busy) {
			return 0
		}
		return j
	}
	return 0
}

func writesTail(s Step) bool {
	return slices.Contains([]string{"PushP5", "PushO2", "BatchP5", "StealS9"}, s.Name)
}

// swapsHead reports whether a step has changed a head.
func swapsHead(s Step) bool {
	return slices.Contains([]string{"PopL4", "PushO1", "StealS5", "StealS7"}, s.Name) && s.Args[argOK] == true
}

func loadsHead(s Step) bool {
	return slices.Contains([]string{"PushP1", "PushP1Again", "PopL1", "BatchP1", "StealS1", "StealS7Load"}, s.Name)
}
