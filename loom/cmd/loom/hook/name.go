package hook

import "github.com/filch-sched/filch/loom/internal/machine"

// Name says what reports call what p points to. It is no step.
func Name(p any, name string) {
	if t := machine.Current(); t != nil && t.Tracing() {
		t.Name(p, name)
	}
}

// globals are the variables of packages, with their names. They are complete
// before the first test.
var globals []struct {
	p    any
	name string
}

// Global is Name for a variable of a package, in every execution.
func Global(p any, name string) {
	globals = append(globals, struct {
		p    any
		name string
	}{p, name})
}

// nameGlobals gives the variables of packages their names.
func nameGlobals(t *machine.Thread) {
	if t.Tracing() {
		for _, g := range globals {
			t.Name(g.p, g.name)
		}
	}
}
