package machine

import (
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"unsafe"
)

// Site is a place in the source, with the function that it is in and the place of
// the call of that function, if it is not the shim that calls it.
type Site struct {
	File       string
	Line       int
	Func       string
	CallerFile string
	CallerLine int
}

// Caller returns the place of the call of the function that s is in.
func (s Site) Caller() Site { return Site{File: s.CallerFile, Line: s.CallerLine} }

// String returns the base name of the file and the line.
func (s Site) String() string {
	if s.File == "" {
		return "-"
	}
	return fmt.Sprintf("%s:%d", filepath.Base(s.File), s.Line)
}

// Event is a step as a report shows it.
type Event struct {
	Thread int
	Code   Code
	Kind   Kind
	Effect Effect // Object is -1 for what is not scheduled
	Name   string // of the object, if the program has given it one
	Text   string // values read and written
	Site   Site
	Choice int // outcome of Choose or Signal, -1 if there was none
	Other  int // Start: the started thread; Join: the joined; Woken: the signaller; CellLoad, CellStore: the cell; else -1
}

// modulePath is a prefix of the names of the functions that stand between the
// code under check and the machine.
const modulePath = "github.com/filch-sched/filch/loom"

// inside reports whether a function belongs to the shim or the machine.
func inside(function string) bool {
	rest, ok := strings.CutPrefix(function, modulePath)
	if !ok {
		return false
	}
	for _, p := range []string{".", "/atomic.", "/sync.", "/cell.", "/time.", "/internal/machine.", "/internal/explore.", "/cmd/loom/hook.", "/cmd/loom/hook/"} {
		if strings.HasPrefix(rest, p) {
			return true
		}
	}
	return false
}

// caller returns the innermost place outside the shim. It is dear, and called
// only while tracing.
func caller() Site {
	var pcs [32]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	for {
		f, more := frames.Next()
		if strings.HasPrefix(f.Function, "iter.") {
			return Site{} // the bottom of a coroutine: the shim itself does this
		}
		if !inside(f.Function) && !strings.HasPrefix(f.Function, "runtime.") {
			s := Site{File: f.File, Line: f.Line, Func: f.Function}
			if by, _ := frames.Next(); more && !inside(by.Function) && !outer(by.Function) {
				s.CallerFile, s.CallerLine = by.File, by.Line
			}
			return s
		}
		if !more {
			return Site{}
		}
	}
}

// outer reports whether a function is one that calls user code without being any.
func outer(function string) bool {
	return function == "" || strings.HasPrefix(function, "iter.") || strings.HasPrefix(function, "runtime.") || strings.HasPrefix(function, "testing.")
}

// here is caller for a thread. A method of the shim that was itself given to Go
// has no other place than that where this was done.
func (t *Thread) here() Site {
	if s := caller(); s != (Site{}) {
		return s
	}
	return t.origin
}

// event appends an event of t and returns it to be filled in.
func (m *Machine) event(t *Thread, code Code, o *object, mode Mode) *Event {
	e := Event{Thread: t.id, Code: code, Effect: Effect{-1, mode}, Choice: -1, Other: -1}
	if o != nil {
		e.Effect.Object, e.Kind, e.Name = o.id, o.kind, m.nameOf(o.ref)
	}
	m.Trace = append(m.Trace, e)
	return &m.Trace[len(m.Trace)-1]
}

// Saw completes the event of the step that t has just done with what the
// operation took and gave. It must be called only while tracing.
func (t *Thread) Saw(format string, args ...any) {
	m := t.m
	if n := len(m.Trace); n > 0 && m.Trace[n-1].Thread == t.id {
		m.Trace[n-1].Text = fmt.Sprintf(format, args...)
		m.tell()
	}
}

func (m *Machine) tell() {
	if m.Tell != nil {
		m.Tell()
	}
}

// says reports whether Saw follows the event of a step.
func (c Code) says() bool {
	switch c {
	case Lock, Unlock, RLock, RUnlock, Acquire, Wait, GroupWait, OnceEnter, OnceDone, Fire:
		return false
	}
	return c >= Load
}

// Tracing reports whether the running execution is recorded.
func (t *Thread) Tracing() bool { return t.m.Tracing }

// Name is how reports call a thread.
func Name(id int) string {
	if id == 0 {
		return "body"
	}
	return fmt.Sprintf("thread %d", id)
}

// SawPlain is Saw for a value of any type: what is not a plain number, string or
// boolean is shown by its type, since addresses differ from run to run.
func (t *Thread) SawPlain(verb string, v any) { t.Saw("%s%s", verb, Plain(v)) }

// Plain prints a value of any type as SawPlain shows it.
func Plain(v any) string {
	switch k := reflect.ValueOf(v).Kind(); {
	case k >= reflect.Bool && k <= reflect.Complex128 && k != reflect.Uintptr, k == reflect.String:
		return fmt.Sprint(v)
	default:
		return fmt.Sprintf("(%T)", v)
	}
}

// Pointer names a pointer by the order in which the trace meets it: addresses
// differ from run to run.
func (t *Thread) Pointer(p unsafe.Pointer) string {
	if p == nil {
		return "nil"
	}
	m := t.m
	for i, q := range m.pointers {
		if p == q {
			return fmt.Sprintf("p%d", i+1)
		}
	}
	m.pointers = append(m.pointers, p)
	return fmt.Sprintf("p%d", len(m.pointers))
}
