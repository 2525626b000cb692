package hook

import (
	"reflect"
	"strings"

	"github.com/filch-sched/filch/loom/internal/machine"
)

// Circle is what is known of a loop that the caller is in.
type Circle struct{ circle machine.Circle }

// Explored reports whether the caller is a thread of an exploration.
func Explored() bool { return machine.Current() != nil }

// Round stands before a runtime.Gosched or time.Sleep in a loop, in an
// exploration: it is the one numbered at, and the variables by these names have
// these values. It is a wait if going on can only repeat what has been.
func (c *Circle) Round(at int, names string, values ...any) {
	t := machine.Current()
	for i, v := range values {
		values[i] = plainValue(v)
	}
	if t.Endless() {
		if why := c.changing(names); why != "" {
			t.Circling("the loop at " + here() + " " + why)
		}
	}
	t.Round(&c.circle, machine.Lap{At: at, Values: values})
}

// changing says what keeps the loop from being a wait, "" if nothing does.
func (c *Circle) changing(names string) string {
	list := c.circle.Changing()
	if len(list) == 0 {
		return ""
	}
	all := strings.Fields(names)
	var differ []string
	for _, i := range list {
		differ = append(differ, all[i])
	}
	return "has another value of " + strings.Join(differ, ", ") + " in each round, so that it may end without a change by others, and does not wait for one"
}

// incomparable is a value that is equal to none: a pointer to something new.
type incomparable struct{ _ *int }

// plainValue returns v as something that == takes. What cannot be told apart is
// taken to be different.
func plainValue(v any) any {
	r := reflect.ValueOf(v)
	if !r.IsValid() {
		return nil
	}
	switch r.Kind() {
	case reflect.Slice:
		return [3]any{r.UnsafePointer(), r.Len(), r.Cap()}
	case reflect.Map:
		return r.UnsafePointer()
	case reflect.Func:
		if r.IsNil() {
			return nil
		}
		return &incomparable{new(int)}
	}
	if !r.Comparable() {
		return &incomparable{new(int)}
	}
	return v
}
