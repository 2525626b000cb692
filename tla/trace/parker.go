package trace

import (
	"errors"
	"fmt"
	"strings"
)

var parkerNames = []string{
	"ParkK1", "ParkK0", "ParkK3", "ParkK3Swap", "ParkK4", "ParkK5", "ParkLock", "ParkUnlock",
	"UnparkU1", "UnparkU2", "UnparkU2Unlock", "UnparkU3", "CloseC1", End,
}

// parkerMapped has for each operation of package park the step that it is. That a
// sleeper was woken is no operation of its own: it locks next.
var parkerMapped = map[string]string{
	"Parker.ready CompareAndSwap": "ParkK1", "Parker.ready Load": "ParkK0", "Parker.Park Lock": "ParkLock",
	"Parker.sleep CompareAndSwap": "ParkK3", "Parker.sleep Swap": "ParkK3Swap", "Parker.Park CompareAndSwap": "ParkK5",
	"Parker.Park Wait": "ParkK4", "Parker.Park Unlock": "ParkUnlock", "Parker.Unpark Swap": "UnparkU1",
	"Parker.Unpark Lock": "UnparkU2", "Parker.Unpark Unlock": "UnparkU2Unlock", "Parker.Unpark Signal": "UnparkU3",
	"Parker.Close Store": "CloseC1", "Parker.Park woken": "",
}

// parkers knows who is who: the first is the owner, and the others are numbered as they
// come.
type parkers struct {
	threads map[uint64]string
	steps   []Step
	word    uint32 // the object that state is
}

// translateParker returns the run that a record is of: one parker, and its owner is the
// only one who parks.
func translateParker(record []Event, s Source) (Trace, error) {
	x := &parkers{threads: map[uint64]string{}}
	for _, e := range record {
		if where, err := s.Function(e.Place); err == nil && where == "Parker.ready" {
			x.threads[e.Goroutine] = name(0)
			break
		}
	}
	if len(x.threads) == 0 {
		return Trace{}, errors.New("trace: the record has nobody who parks")
	}
	if err := each(record, s, x.translate); err != nil {
		return Trace{}, err
	}
	return Trace{Workers: len(x.threads), Steps: x.steps}, nil
}

func (x *parkers) translate(e Event, what string) error {
	step, known := parkerMapped[what]
	if !known {
		return unknown(e, what)
	}
	if step == "" || step == "ParkK4" && e.Kind != "cond" { // a drawn sleeper's turn to be woken
		return nil
	}
	if x.threads[e.Goroutine] == "" {
		x.threads[e.Goroutine] = name(len(x.threads))
	}
	if e.Kind == stateKind && (e.Op == "Load" || e.Op == "Store") { // as no right parker does
		step = e.Op + "State"
	}
	args, err := x.args(e)
	x.steps = append(x.steps, Step{e.Line, step, x.threads[e.Goroutine], args})
	return err
}

// args is what the operation has read and written.
func (x *parkers) args(e Event) (args []any, err error) {
	if e.Kind == stateKind {
		if x.word == 0 {
			x.word = e.Object
		}
		if x.word != e.Object {
			return nil, fmt.Errorf("object %d is the state of another parker", e.Object)
		}
	}
	switch e.Op {
	case "CompareAndSwap":
		old, to, ok, err := swap(e)
		return []any{int(old), int(to), ok}, err
	case "Swap":
		to, err := number(e.In)
		old, bad := number(e.Out)
		return []any{int(to), int(old)}, errors.Join(err, bad)
	case "Load", "Store":
		if e.Kind == stateKind {
			return nil, nil
		}
		if v := e.In + e.Out; v != "true" && v != "false" {
			return nil, fmt.Errorf("%q is no flag", v)
		}
		return []any{strings.Contains(e.In+e.Out, "true")}, nil
	}
	return nil, nil
}

func parkerDefinitions(runs []Trace) string {
	all := strings.TrimPrefix(workers(runs), "{"+quote(name(0)))
	return fmt.Sprintf("TraceWakers == {%s\n", strings.TrimPrefix(all, ", "))
}

var parkerCorruptions = []corruption{
	theEndIsMissing,
	{"a load of closed is dropped", func(s []Step) ([]Step, int) {
		i := middle(s, func(i int) bool { return s[i].Name == "ParkK0" && follower(s, i) > 0 })
		return without(s, i), follower(s, i) - 1
	}},
	{"a swap is doubled", func(s []Step) ([]Step, int) {
		i := middle(s, func(i int) bool { return s[i].Name == "UnparkU1" && s[i].Args[1] != 2 })
		return with(s, i+1, s, i), i + 1
	}},
	{"a token was there that was not", func(s []Step) ([]Step, int) {
		return altered(s, func(i int) bool { return s[i].Name == "ParkK1" && s[i].Args[2] == false }, 2, func(any) any { return true })
	}},
	{"a swap has read another word", func(s []Step) ([]Step, int) {
		return altered(s, named(s, "UnparkU1"), 1, func(v any) any { return (v.(int) + 1) % 3 })
	}},
	{"the lock is taken before it is given back", func(s []Step) ([]Step, int) {
		i := middle(s, func(i int) bool { return s[i].Name == "ParkUnlock" && locker(s, i) > 0 })
		if i < 0 {
			return nil, -1
		}
		return moved(s, locker(s, i), i), i
	}},
	{"a sleeper goes on without a signal", func(s []Step) ([]Step, int) {
		i := middle(s, func(i int) bool {
			return s[i].Name == "UnparkU3" && s[i+1].Name == "ParkLock" && unsignalled(s, i)
		})
		return swapped(s, i), i
	}},
	{"another waker has signalled", func(s []Step) ([]Step, int) {
		return changed(s, middle(s, named(s, "UnparkU3")), func(x *Step) { x.Thread = name(0) })
	}},
}

// unsignalled reports whether before step i the owner has begun to wait and has not been
// signalled since: what it does next is begin to wake by step i.
func unsignalled(s []Step, i int) bool {
	for j := i - 1; j >= 0 && s[j].Name != "UnparkU3"; j-- {
		if s[j].Thread == name(0) && s[j].Name != "ParkUnlock" {
			return s[j].Name == "ParkK4"
		}
	}
	return false
}

// locker returns the next step that takes the lock after step i gave it back, if it is
// of another, who has done nothing in between; else 0.
func locker(s []Step, i int) int {
	for j := i + 1; j < len(s); j++ {
		if s[j].Name != "UnparkU2" && s[j].Name != "ParkLock" {
			continue
		}
		for _, x := range s[i:j] {
			if x.Thread == s[j].Thread {
				return 0
			}
		}
		return j
	}
	return 0
}
