package explore

import "fmt"

// Table draws an execution, a column for each thread.
func Table(e Execution) string {
	out := ""
	for i, ev := range e.Trace {
		out += fmt.Sprintf("%3d %d %v %s#%d %s %v\n", i, ev.Thread, ev.Code, ev.Kind, ev.Effect.Object, ev.Text, ev.Site)
	}
	return out
}
