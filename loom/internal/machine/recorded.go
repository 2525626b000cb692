package machine

import (
	"encoding/json"
	"io"
	"strings"
)

// WriteTrace writes the trace of an execution as LOOM_MODE=record writes what happens
// outside of explorations. The number of the execution is in the place of that of the
// process, and those of threads, from 0, in the place of goroutines.
func WriteTrace(w io.Writer, execution int, trace []Event) error {
	lines := json.NewEncoder(w)
	for i := range trace {
		e := event{
			PID: execution, Seq: uint64(i + 1), Goroutine: uint64(trace[i].Thread), Kind: trace[i].Kind.String(),
			Object: uint32(trace[i].Effect.Object + 1), Op: trace[i].Code.String(), Place: trace[i].Site.String(),
		}
		if trace[i].Code == CellLoad || trace[i].Code == CellStore { // cells have numbers of their own
			e.Object = uint32(trace[i].Other + 1)
		}
		e.In, e.Out = trace[i].values()
		if err := lines.Encode(e); err != nil {
			return err
		}
	}
	return nil
}

// values returns what the operation was given and what it returned, as Done is told.
func (e *Event) values() (in, out string) {
	switch e.Code {
	case CompareAndSwap:
		in, _, failed := strings.Cut(e.Text, " fails, is ")
		return in, map[bool]string{true: "false", false: "true"}[failed]
	case Store, CellStore:
		return e.Text, ""
	}
	in, out, both := strings.Cut(e.Text, " = ")
	if !both {
		in, out = "", strings.TrimPrefix(e.Text, "= ")
	}
	return in, out
}
