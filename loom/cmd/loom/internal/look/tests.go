package look

import (
	"go/ast"
	"go/token"
	"go/types"
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
	Why      string // why it is not explored; "" if it is, or if -explore does not name it
	Because  token.Pos
	Try      bool // -explore may get past that

	node *node
}

// NoGoroutine is why most tests are not explored: there is one way to run them.
const NoGoroutine = "it starts no goroutine"

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
	own := g.first(g.itself(t.node), Blocks)
	switch {
	case checks != nil:
		t.Why, t.Because = "it uses package loom itself: "+checks.What, checks.Pos
	case c.Named != nil:
		t.Explore = true
	case starts == nil && blocks != nil:
		t.Why, t.Because = "it starts no goroutine that loom can follow, but: "+blocks.What, blocks.Pos
	case starts == nil && g.hands(reached) != nil:
		f := g.hands(reached)
		t.Why, t.Because = "it starts no goroutine that loom can follow, but calls "+f.What+" of package "+f.Path+", which is not rewritten and may start some", f.Pos
	case starts == nil:
		t.Why = NoGoroutine
	case own != nil:
		t.Why, t.Because, t.Try = own.What, own.Pos, true
	default:
		t.Explore = true
	}
	t.Subtests = t.Explore && g.hasSubtests(t)
}

// itself returns n and the literals in it: what surely belongs to a test.
func (g *Graph) itself(n *node) map[*node]bool {
	all := map[*node]bool{}
	var add func(*node)
	add = func(n *node) {
		all[n] = true
		for _, l := range n.lits {
			add(l)
		}
	}
	add(n)
	return all
}

// hands returns the first call of a package that is not rewritten and
// synchronizes, nil if there is none.
func (g *Graph) hands(reached map[*node]bool) *Fact {
	var found *Fact
	for n := range reached {
		for i := range n.facts {
			if f := &n.facts[i]; f.Kind == Foreign && (found == nil || f.Pos < found.Pos) && g.Synchronizes(f.Path) {
				found = f
			}
		}
	}
	return found
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
