package trace

import (
	"fmt"
	"slices"
)

// Corrupted is a run that was falsified at one place, so that no action explains step
// At any more, and all before it are explained.
type Corrupted struct {
	Name string
	Run  Trace
	At   int // index of the step
}

// Corruptions falsify a good run in every way there is. It is an error if the run has
// no place for one of them: it is too short then.
func Corruptions(run Trace) ([]Corrupted, error) {
	var all []Corrupted
	for _, c := range run.Of.corruptions {
		steps, at := c.falsify(run.Steps)
		if steps == nil || at < 0 {
			return nil, fmt.Errorf("trace: the run has no place for the corruption %q", c.name)
		}
		all = append(all, Corrupted{c.name, Trace{run.Of, run.File, run.Workers, steps}, at})
	}
	return all, nil
}

// corruption returns a falsified copy of the steps, and the index of the step that no
// action explains; -1 if there is no place for it.
type corruption struct {
	name    string
	falsify func(s []Step) ([]Step, int)
}

var schedCorruptions = []corruption{
	// A load disturbs nobody else, so only its own thread can notice.
	{"a step is dropped", func(s []Step) ([]Step, int) {
		i := middle(s, func(i int) bool { return s[i].Name == "SearchE1" && follower(s, i) > 0 })
		return without(s, i), follower(s, i) - 1
	}},
	{"a step is doubled", func(s []Step) ([]Step, int) {
		i := middle(s, named(s, "ParkT3"))
		return with(s, i+1, s, i), i + 1
	}},
	{"two steps of a thread are swapped", func(s []Step) ([]Step, int) {
		i := middle(s, func(i int) bool {
			return s[i].Name == "ParkT2" && s[i+1].Name == "ParkT3" && s[i].Thread == s[i+1].Thread
		})
		return swapped(s, i), i
	}},
	// The second has read what the first has left.
	{"two steps of different threads are swapped", func(s []Step) ([]Step, int) {
		i := middle(s, func(i int) bool {
			return s[i].Thread != s[i+1].Thread &&
				(writesWord(s[i]) && readsWord(s[i+1]) || s[i].Name == "Submit" && s[i+1].Name == "InjectLen")
		})
		return swapped(s, i), i
	}},
	{"a count that was read is another", func(s []Step) ([]Step, int) {
		return changed(s, middle(s, named(s, "WakeW1")), func(x *Step) { x.Args[1] = x.Args[1].(int) + 1 })
	}},
	{"a thief has taken one more", func(s []Step) ([]Step, int) {
		return changed(s, middle(s, named(s, "StealClaim")), func(x *Step) { x.Args[1] = x.Args[1].(int) + 1 })
	}},
	{"a ring that had a task was empty", func(s []Step) ([]Step, int) {
		i := middle(s, func(i int) bool { return s[i].Name == "RingPop" && s[i].Args[0] == true })
		return changed(s, i, func(x *Step) { x.Args = []any{false, 0} })
	}},
	// Both cannot be behind the lock.
	{"another worker has done it", func(s []Step) ([]Step, int) {
		i := middle(s, func(i int) bool { return s[i].Name == "ParkT3" })
		return changed(s, i, func(x *Step) { x.Thread = another(x.Thread) })
	}},
	{"another worker is woken", func(s []Step) ([]Step, int) {
		return changed(s, middle(s, named(s, "Unpark")), func(x *Step) { x.Args[0] = another(x.Args[0].(string)) })
	}},
	{"somebody is woken by nobody's choice", func(s []Step) ([]Step, int) {
		i := middle(s, func(i int) bool { return s[i].Name == "Submit" })
		wake := []Step{{s[max(i, 0)].Line, "Unpark", s[max(i, 0)].Thread, []any{name(0), false}}}
		return with(s, i+1, wake, 0), i + 1
	}},
	{"a worker goes on without a token", func(s []Step) ([]Step, int) {
		i := middle(s, func(i int) bool { return s[i].Name == "Sleep" })
		j := last(s, i, func(j int) bool { return s[j].Name == "Unpark" && s[j].Args[0] == s[i].Thread })
		return moved(s, i, j), j
	}},
	theEndIsMissing,
}

// begins are the steps with which an operation of rings or of a parker begins.
var begins = []string{stepCall, "ParkK1", "UnparkU1", "CloseC1"}

var theEndIsMissing = corruption{"the end is missing", func(s []Step) ([]Step, int) {
	i := len(s) * 2 / 3
	for i < len(s)-1 && slices.Contains(begins, s[i].Name) { // between two calls may be an end
		i++
	}
	return append(slices.Clone(s[:i]), Step{s[i].Line, End, "-", nil}), i
}}

// writesWord reports whether a step has changed the idle word, readsWord whether it
// says what was in it.
func writesWord(s Step) bool {
	return slices.Contains([]string{"ParkT3", "StopX1", "Excuse"}, s.Name) || swapsWord(s)
}

func readsWord(s Step) bool {
	return writesWord(s) || slices.Contains([]string{"WakeW1", "WakeW4", "SearchE1", "Counts"}, s.Name)
}

func swapsWord(s Step) bool {
	return (s.Name == "SearchE2" || s.Name == "WakeW4CAS") && s.Args[2] == true
}

// middle returns the step in the middle of those that fit, so that a good part of the
// run is explained before it. None fits: -1.
func middle(s []Step, fits func(i int) bool) int {
	var all []int
	for i := range len(s) - 1 {
		if fits(i) {
			all = append(all, i)
		}
	}
	if len(all) == 0 {
		return -1
	}
	return all[len(all)/2]
}

func named(s []Step, name string) func(int) bool {
	return func(i int) bool { return s[i].Name == name }
}

// follower returns the next step of the thread of step i, 0 if there is none.
func follower(s []Step, i int) int {
	if i < 0 {
		return 0
	}
	j := slices.IndexFunc(s[i+1:], func(x Step) bool { return x.Thread == s[i].Thread })
	return i + 1 + j
}

// last returns the last step before i that fits, -1 if none does.
func last(s []Step, i int, fits func(int) bool) int {
	for j := i - 1; j >= 0; j-- {
		if fits(j) {
			return j
		}
	}
	return -1
}

// another is another worker: there are at least two.
func another(worker string) string {
	if worker == name(0) {
		return name(1)
	}
	return name(0)
}

func without(s []Step, i int) []Step {
	if i < 0 {
		return nil
	}
	return slices.Delete(slices.Clone(s), i, i+1)
}

// with puts step j of from before step i.
func with(s []Step, i int, from []Step, j int) []Step {
	if i <= 0 || j < 0 {
		return nil
	}
	return slices.Insert(slices.Clone(s), i, from[j])
}

func swapped(s []Step, i int) []Step {
	if i < 0 {
		return nil
	}
	s = slices.Clone(s)
	s[i], s[i+1] = s[i+1], s[i]
	return s
}

// moved puts step i before step j, which is before it.
func moved(s []Step, i, j int) []Step {
	if i < 0 || j < 0 {
		return nil
	}
	return slices.Insert(without(s, i), j, s[i])
}

func changed(s []Step, i int, change func(*Step)) ([]Step, int) {
	if i < 0 {
		return nil, -1
	}
	s = slices.Clone(s)
	s[i].Args = slices.Clone(s[i].Args)
	change(&s[i])
	return s, i
}
