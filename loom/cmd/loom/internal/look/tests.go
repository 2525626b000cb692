package look

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/filch-sched/filch/loom/cmd/loom/internal/load"
	"github.com/filch-sched/filch/loom/cmd/loom/internal/rewrite"
)

// Test is a test function of the user's and what becomes of it.
type Test struct {
	Name    string
	Package string // import path of what it tests
	Decl    *ast.FuncDecl
	Pos     token.Pos

	Explore  bool   // explored, as a whole or its subtests
	Subtests bool   // it has subtests, which are explored one by one
	Why      string // why it is not explored; "" if it starts no goroutine
	Because  token.Pos

	node *node
}

// Choice is which tests to explore.
type Choice struct {
	Run   *regexp.Regexp // the others are not run at all; nil: all are
	Named *regexp.Regexp // nil: those that start goroutines and can be explored
}

// Tests returns the tests of the packages under test, and decides which are to
// be explored.
func (g *Graph) Tests(c Choice) []*Test {
	var all []*Test
	for _, u := range g.prog.Units {
		if u.ForTest == "" || u.Path() != u.ForTest && u.Path() != u.ForTest+"_test" {
			continue
		}
		for _, f := range u.Files {
			if !strings.HasSuffix(f.Path, "_test.go") {
				continue
			}
			for _, d := range f.AST.Decls {
				fn, ok := d.(*ast.FuncDecl)
				if !ok || fn.Recv != nil || fn.Body == nil || !isTest(fn.Name.Name) || !takesT(u, fn) ||
					c.Run != nil && !c.Run.MatchString(fn.Name.Name) {
					continue
				}
				obj, _ := u.Info.Defs[fn.Name].(*types.Func)
				t := &Test{Name: fn.Name.Name, Package: u.ForTest, Decl: fn, Pos: fn.Pos(), node: g.funcs[obj]}
				g.decide(t, c)
				all = append(all, t)
			}
		}
	}
	return all
}

// takesT reports whether fn takes a *testing.T and nothing else.
func takesT(u *load.Unit, fn *ast.FuncDecl) bool {
	params := fn.Type.Params
	return params.NumFields() == 1 && fn.Type.TypeParams == nil && fn.Type.Results.NumFields() == 0 &&
		rewrite.IsT(u.Info.TypeOf(params.List[0].Type))
}

// decide decides whether t is to be explored.
func (g *Graph) decide(t *Test, c Choice) {
	if t.node == nil || c.Named != nil && !c.Named.MatchString(t.Name) {
		return
	}
	reached := g.reach(t.node)
	starts, checks := g.first(reached, Starts), g.first(reached, Checks)
	blocks := g.first(reached, Blocks)
	switch {
	case checks != nil:
		t.Why, t.Because = "it uses package loom itself: "+checks.What, checks.Pos
	case c.Named != nil:
		t.Explore = true
	case starts == nil && blocks == nil:
	case starts == nil:
		t.Why, t.Because = "it starts no goroutine that loom can follow, but: "+blocks.What, blocks.Pos
	case blocks != nil:
		t.Why, t.Because = blocks.What, blocks.Pos
	default:
		t.Explore = true
	}
	t.Subtests = t.Explore && g.hasSubtests(t)
}

// first returns the first fact of a kind, by place; nil if there is none.
func (g *Graph) first(reached map[*node]bool, k Kind) *Fact {
	var found *Fact
	for n := range reached {
		for i := range n.facts {
			if f := &n.facts[i]; f.Kind == k && (found == nil || f.Pos < found.Pos) {
				found = f
			}
		}
	}
	return found
}

// hasSubtests reports whether t calls Run and starts no goroutine outside of
// functions that it gives to Run.
func (g *Graph) hasSubtests(t *Test) bool {
	runs := false
	inside := map[*ast.FuncLit]bool{}
	ast.Inspect(t.Decl.Body, func(n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		sel, ok := c.Fun.(*ast.SelectorExpr)
		if !ok || sel.Sel.Name != "Run" || len(c.Args) != 2 {
			return true
		}
		if typ := t.node.unit.Info.TypeOf(sel.X); typ == nil || !rewrite.IsT(typ) {
			return true
		}
		runs = true
		if lit, ok := c.Args[1].(*ast.FuncLit); ok {
			inside[lit] = true
		}
		return true
	})
	if !runs {
		return false
	}
	// The test without the literals that it gives to Run.
	outer := *t.node
	outer.lits = slices.DeleteFunc(slices.Clone(outer.lits), func(n *node) bool { return inside[n.lit] })
	return g.first(g.reach(&outer), Starts) == nil
}

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
				case Blocks, Unseen:
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
		for _, imported := range d.Imports {
			if imported == "sync" || imported == "sync/atomic" {
				what := "package " + path + " is not of this module, and not rewritten: "
				if dep != path {
					what += dep + ", which it needs, "
				} else {
					what += "it "
				}
				return what + "imports " + imported + ", and what it does there are no steps"
			}
		}
	}
	return ""
}
