package explore

import (
	"fmt"
	"path/filepath"

	"github.com/filch-sched/filch/loom/internal/machine"
)

// ambiguous returns the names of files that an execution has in more than one
// directory.
func ambiguous(e Execution) map[string]bool {
	var twice map[string]bool
	dirs := map[string]string{}
	for _, s := range e.sites() {
		dir, name := filepath.Split(s.File)
		if d, seen := dirs[name]; seen && d != dir {
			if twice == nil {
				twice = map[string]bool{}
			}
			twice[name] = true
		}
		dirs[name] = dir
	}
	return twice
}

// sites returns the places of an execution, and of the calls.
func (e *Execution) sites() (all []machine.Site) {
	add := func(s machine.Site) {
		all = append(all, s)
		if s.CallerFile != "" {
			all = append(all, s.Caller())
		}
	}
	for i := range e.Trace {
		add(e.Trace[i].Site)
	}
	if f := e.Failure; f != nil {
		add(f.Site)
		add(f.OtherSite)
		for i := range f.Waits {
			add(f.Waits[i].Site)
		}
	}
	return all
}

// helpersOf returns the functions of an execution that are helpers, see place.
func helpersOf(e Execution) map[string]bool {
	lines, calls := map[string]map[int]bool{}, map[string]map[machine.Site]bool{}
	for _, s := range e.sites() {
		if s.CallerFile == "" {
			continue
		}
		if lines[s.Func] == nil {
			lines[s.Func], calls[s.Func] = map[int]bool{}, map[machine.Site]bool{}
		}
		lines[s.Func][s.Line], calls[s.Func][s.Caller()] = true, true
	}
	helpers := map[string]bool{}
	for f := range lines {
		helpers[f] = len(lines[f]) == 1 && len(calls[f]) > 1
	}
	return helpers
}

// place is how reports write a place in the source: file and line, and the
// directory only if it is needed to tell files apart.
//
// Of a helper, in which one line is all that an execution does there and several
// places call it, the line says nothing: the place of the call follows.
func (e *Execution) place(s machine.Site) string {
	text := e.bare(s)
	switch {
	case !e.helpers[s.Func] || s.CallerFile == "":
		return text
	case s.CallerFile == s.File:
		return fmt.Sprintf("%s < :%d", text, s.CallerLine)
	}
	return text + " < " + e.bare(s.Caller())
}

// bare is place without the call.
func (e *Execution) bare(s machine.Site) string {
	dir, name := filepath.Split(s.File)
	if !e.twice[name] {
		return s.String()
	}
	return fmt.Sprintf("%s/%s:%d", filepath.Base(dir), name, s.Line)
}
