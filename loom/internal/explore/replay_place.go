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
	sites := make([]machine.Site, 0, len(e.Trace)+2)
	for i := range e.Trace {
		sites = append(sites, e.Trace[i].Site)
	}
	if f := e.Failure; f != nil {
		sites = append(sites, f.Site, f.OtherSite)
	}
	for _, s := range sites {
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

// place is how reports write a place in the source: file and line, and the
// directory only if it is needed to tell files apart.
func (e *Execution) place(s machine.Site) string {
	dir, name := filepath.Split(s.File)
	if !e.twice[name] {
		return s.String()
	}
	return fmt.Sprintf("%s/%s:%d", filepath.Base(dir), name, s.Line)
}
