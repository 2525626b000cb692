// Package look finds out, from the source of a program, which tests start
// goroutines and what of what they do package loom cannot see.
package look

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/filch-sched/filch/loom/cmd/loom/internal/load"
)

// Kind says what a [Fact] is about.
type Kind int

// The kinds of facts.
const (
	Starts  Kind = iota // a goroutine that an exploration follows
	Blocks              // something that an exploration would wait for in vain
	Unseen              // something that an exploration does not see
	Foreign             // a call into a package of others
	Checks              // a call of package loom itself
)

// Fact is something that a function does.
type Fact struct {
	Kind Kind
	Pos  token.Pos
	What string
	Path string // Foreign: the package
}

// node is a function: a declared one or a literal.
type node struct {
	unit    *load.Unit
	obj     *types.Func  // of a declared function
	lit     *ast.FuncLit // of a literal
	from    token.Pos
	to      token.Pos
	facts   []Fact
	calls   []*types.Func // functions that it mentions
	lits    []*node       // literals in it
	threads []*node       // literals in it that become threads
	starts  []*types.Func // declared functions that become threads
	unknown bool          // it starts function values
	access  []access
}

// Graph is the functions of a program and who mentions whom. A function that
// mentions another is taken to call it, and a method of an interface is taken for
// all of the user's methods of that name.
type Graph struct {
	prog    *load.Program
	funcs   map[*types.Func]*node
	methods map[string][]*node
	owner   map[*types.Var]string // of fields: the type that has them
}

// New looks at all functions of the program.
func New(prog *load.Program) *Graph {
	g := &Graph{prog: prog, funcs: map[*types.Func]*node{}, methods: map[string][]*node{}, owner: map[*types.Var]string{}}
	for _, u := range prog.Units {
		g.owners(u)
		for _, f := range u.Files {
			for _, d := range f.AST.Decls {
				fn, ok := d.(*ast.FuncDecl)
				if !ok || fn.Body == nil {
					continue
				}
				obj, ok := u.Info.Defs[fn.Name].(*types.Func)
				if !ok {
					continue
				}
				n := &node{unit: u, obj: obj, from: fn.Pos(), to: fn.End()}
				g.funcs[obj] = n
				if fn.Recv != nil {
					g.methods[obj.Name()] = append(g.methods[obj.Name()], n)
				}
				g.walk(n, fn.Body)
			}
		}
	}
	return g
}

// owners notes which type has which field.
func (g *Graph) owners(u *load.Unit) {
	for _, name := range u.Types.Scope().Names() {
		tn, ok := u.Types.Scope().Lookup(name).(*types.TypeName)
		if !ok || tn.IsAlias() {
			continue
		}
		if s, ok := tn.Type().Underlying().(*types.Struct); ok {
			for i := range s.NumFields() {
				g.owner[s.Field(i)] = tn.Name()
			}
		}
	}
}

// walk notes what a body does, and makes nodes of the literals in it.
func (g *Graph) walk(n *node, body ast.Node) {
	writes := map[ast.Expr]bool{}
	ast.Inspect(body, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.FuncLit:
			g.literal(n, x)
			return false
		case *ast.GoStmt:
			n.fact(Starts, x.Pos(), "go statement")
			g.thread(n, x.Call.Fun)
		case *ast.SendStmt:
			n.fact(Blocks, x.Pos(), "send on a channel")
		case *ast.SelectStmt:
			n.fact(Blocks, x.Pos(), "select")
		case *ast.UnaryExpr:
			if x.Op == token.ARROW {
				n.fact(Blocks, x.Pos(), "receive from a channel")
			}
			if x.Op == token.AND {
				mark(writes, x.X)
			}
		case *ast.RangeStmt:
			if t := n.unit.Info.TypeOf(x.X); t != nil {
				if _, ok := t.Underlying().(*types.Chan); ok {
					n.fact(Blocks, x.Pos(), "range over a channel")
				}
			}
			if x.Tok == token.ASSIGN {
				mark(writes, x.Key)
				mark(writes, x.Value)
			}
		case *ast.AssignStmt:
			for _, l := range x.Lhs {
				mark(writes, l) // what := declares is no use of it
			}
		case *ast.IncDecStmt:
			mark(writes, x.X)
		case *ast.CallExpr:
			g.call(n, x)
		case *ast.SelectorExpr:
			g.selector(n, x, writes[x])
		case *ast.Ident:
			g.ident(n, x, writes[x])
		case *ast.StarExpr:
			if writes[x] {
				n.access = append(n.access, access{pos: x.Pos(), write: true, text: "*" + types.ExprString(x.X)})
			}
		}
		return true
	})
}

// literal makes a node of a literal in n.
func (g *Graph) literal(n *node, lit *ast.FuncLit) *node {
	for _, m := range n.lits {
		if m.lit == lit {
			return m
		}
	}
	m := &node{unit: n.unit, lit: lit, from: lit.Pos(), to: lit.End()}
	n.lits = append(n.lits, m)
	g.walk(m, lit.Body)
	return m
}

// thread notes that n starts fun as a thread.
func (g *Graph) thread(n *node, fun ast.Expr) {
	switch fun := ast.Unparen(fun).(type) {
	case *ast.FuncLit:
		n.threads = append(n.threads, g.literal(n, fun))
		return
	case *ast.Ident:
		if f, ok := n.unit.Info.Uses[fun].(*types.Func); ok {
			n.starts = append(n.starts, f.Origin())
			return
		}
	case *ast.SelectorExpr:
		if f, ok := n.unit.Info.Uses[fun.Sel].(*types.Func); ok {
			n.starts = append(n.starts, f.Origin())
			return
		}
	}
	n.unknown = true
}

func (n *node) fact(k Kind, pos token.Pos, what string) {
	n.facts = append(n.facts, Fact{Kind: k, Pos: pos, What: what})
}

// next returns the nodes that n may call, start or contain.
func (g *Graph) next(n *node) []*node {
	all := slices.Clone(n.lits)
	for _, f := range n.calls {
		all = append(all, g.targets(f)...)
	}
	return all
}

// targets returns what a call of f may run.
func (g *Graph) targets(f *types.Func) []*node {
	if sig, ok := f.Type().(*types.Signature); ok && sig.Recv() != nil && types.IsInterface(sig.Recv().Type()) {
		return g.methods[f.Name()]
	}
	if n := g.funcs[f]; n != nil {
		return []*node{n}
	}
	return nil
}

// reach returns the nodes that can be reached from some, themselves included.
func (g *Graph) reach(from ...*node) map[*node]bool {
	seen := map[*node]bool{}
	for len(from) > 0 {
		n := from[len(from)-1]
		from = from[:len(from)-1]
		if n == nil || seen[n] {
			continue
		}
		seen[n] = true
		from = append(from, g.next(n)...)
	}
	return seen
}

// threads returns what runs on threads other than the first, of what can be
// reached.
func (g *Graph) threads(reached map[*node]bool) map[*node]bool {
	var roots []*node
	unknown := false
	for n := range reached {
		roots = append(roots, n.threads...)
		for _, f := range n.starts {
			roots = append(roots, g.targets(f)...)
		}
		unknown = unknown || n.unknown
	}
	if unknown {
		// Which functions those values are is not known: any literal may be one.
		for n := range reached {
			roots = append(roots, n.lits...)
		}
	}
	return g.reach(roots...)
}

// isTest reports whether a name is that of a test.
func isTest(name string) bool {
	rest, ok := strings.CutPrefix(name, "Test")
	return ok && (rest == "" || rest[0] < 'a' || rest[0] > 'z')
}
