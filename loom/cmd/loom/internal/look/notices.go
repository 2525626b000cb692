package look

import (
	"cmp"
	"go/token"
	"maps"
	"slices"

	"github.com/filch-sched/filch/loom/cmd/loom/internal/load"
	"github.com/filch-sched/filch/loom/cmd/loom/internal/rewrite"
)

// Notice is something that an exploration does not check, or not as the user may
// expect.
type Notice struct {
	Pos  token.Position
	What string
}

// Notices returns what the explorations of the tests do not see, each once, by
// place. If plain memory is tracked that is not the plain memory, but the accesses
// to it that could not be watched.
func (g *Graph) Notices(tests []*Test, tracked bool, unwatched []token.Pos) []Notice {
	found := map[Notice]bool{}
	note := func(pos token.Pos, what string) { found[Notice{g.prog.Fset.Position(pos), what}] = true }
	foreign := map[string]Fact{}
	for _, t := range tests {
		if !t.Explore {
			continue
		}
		reached := g.reach(t.node)
		for n := range reached {
			for _, f := range n.facts {
				switch f.Kind {
				case Blocks:
					note(f.Pos, f.What+"; an exploration that comes here is refused")
				case Unseen:
					note(f.Pos, f.What)
				case Foreign:
					if old, seen := foreign[f.Path]; !seen || f.Pos < old.Pos {
						foreign[f.Path] = f
					}
				}
			}
		}
		for _, p := range g.shared(reached) {
			if p.State || !tracked {
				note(p.Write, p.describe())
			}
		}
		for _, pos := range unwatched {
			if covers(reached, pos) {
				note(pos, "this store is not watched for races: give what it stores a name first")
			}
		}
	}
	for path, f := range foreign {
		if what := g.foreign(path); what != "" {
			note(f.Pos, what)
		}
	}
	return slices.SortedFunc(maps.Keys(found), func(a, b Notice) int {
		return cmp.Or(cmp.Compare(a.Pos.Filename, b.Pos.Filename), cmp.Compare(a.Pos.Line, b.Pos.Line),
			cmp.Compare(a.Pos.Column, b.Pos.Column), cmp.Compare(a.What, b.What))
	})
}

// covers reports whether a place is in one of the functions.
func covers(reached map[*node]bool, pos token.Pos) bool {
	for n := range reached {
		if n.from <= pos && pos < n.to {
			return true
		}
	}
	return false
}

func (p Plain) describe() string {
	if p.State {
		return p.Name + " keeps its value from one execution to the next, and is not reset"
	}
	return p.Name + " is plain memory that threads may share: not watched for races, and its accesses are no steps"
}

// foreign says what a package of others, or one that it imports, has that an
// exploration does not see; "" if nothing.
func (g *Graph) foreign(path string) string {
	pkg := g.prog.Package(path)
	if pkg == nil || pkg.Standard || pkg.Own() {
		return ""
	}
	for _, dep := range append([]string{path}, pkg.Deps...) {
		d := g.prog.Package(dep)
		if d == nil || d.Standard || d.Own() {
			continue
		}
		if imported := imports(d); imported != "" {
			what := "package " + path + " is not of this module, and not rewritten: "
			if dep != path {
				what += dep + ", which it needs, "
			} else {
				what += "it "
			}
			return what + "imports " + imported + ", and what it does there are no steps"
		}
	}
	return ""
}

// Synchronizes reports whether a package of others, or one of its module that it
// needs, imports sync or sync/atomic: whether the order of calls of it may matter.
func (g *Graph) Synchronizes(path string) bool {
	pkg := g.prog.Package(path)
	if pkg == nil || pkg.Standard || pkg.Own() || pkg.Module == nil || pkg.Module.Path == rewrite.Module {
		return false
	}
	for _, dep := range append([]string{path}, pkg.Deps...) {
		d := g.prog.Package(dep)
		if d != nil && d.Module != nil && d.Module.Path == pkg.Module.Path && imports(d) != "" {
			return true
		}
	}
	return false
}

// imports returns which of sync and sync/atomic a package imports, "" if none.
func imports(p *load.Package) string {
	for _, imported := range p.Imports {
		if imported == "sync" || imported == "sync/atomic" {
			return imported
		}
	}
	return ""
}
