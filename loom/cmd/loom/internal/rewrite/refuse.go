package rewrite

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
)

// This file has an exploration end where it comes to what it cannot follow, and
// has it notice calls of packages that are not rewritten.

// channel has the channel c be refused, which is used as what says, by node.
func (r *rewriter) channel(c ast.Expr, node ast.Node, what string) {
	if r.inside[node] {
		what = "select"
	}
	r.around(c, r.call("Chan")+"(", ", "+strconv.Quote(what)+")")
}

// around puts text before and behind an expression, outside of what is done to the
// parts of it.
func (r *rewriter) around(e ast.Expr, before, after string) {
	r.insert(e.Pos(), before, -5)
	r.insert(e.End(), after, 5)
}

// selects notes what is a case of a select statement. One without cases waits for
// ever.
func (r *rewriter) selects(s *ast.SelectStmt) {
	if len(s.Body.List) == 0 {
		r.insert(s.Pos(), r.call("Select")+"(); ", 0)
	}
	for _, c := range s.Body.List {
		comm := c.(*ast.CommClause).Comm
		if comm == nil {
			continue
		}
		ast.Inspect(comm, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SendStmt:
				r.inside[n] = true
			case *ast.UnaryExpr:
				r.inside[n] = n.Op == token.ARROW
			case *ast.FuncLit:
				return false
			}
			return true
		})
	}
}

// refusedMethods are methods that an exploration cannot follow.
var refusedMethods = map[string]string{
	"(*golang.org/x/sync/errgroup.Group).Go":    "errgroup, whose goroutines",
	"(*golang.org/x/sync/errgroup.Group).TryGo": "errgroup, whose goroutines",
}

// refusedMethod has a method be refused that cannot be followed.
func (r *rewriter) refusedMethod(s *ast.SelectorExpr) {
	f, ok := r.unit.Info.Uses[s.Sel].(*types.Func)
	if !ok || refusedMethods[f.FullName()] == "" {
		return
	}
	r.receiver(s, "RefusedOn", strconv.Quote(refusedMethods[f.FullName()]+" are no threads"))
}

// receiver hands the receiver of a method to a function of package hook. If the
// method takes its address, so does that.
func (r *rewriter) receiver(s *ast.SelectorExpr, function, args string) {
	before := r.call(function) + "("
	if pointerMethod(r.unit.Info, s) {
		before += "&"
	}
	r.around(s.X, before, ", "+args+")")
}

// called has a call be noticed that is of a package which is not rewritten, and
// that of close.
func (r *rewriter) called(c *ast.CallExpr) {
	fun := ast.Unparen(c.Fun)
	if id, ok := fun.(*ast.Ident); ok {
		if b, ok := r.unit.Info.Uses[id].(*types.Builtin); ok && b.Name() == "close" {
			r.channel(c.Args[0], c, "close of a channel")
		}
		return
	}
	name, generic := fun, false
	switch x := fun.(type) {
	case *ast.IndexExpr:
		name = x.X
	case *ast.IndexListExpr:
		name = x.X
	case *ast.SelectorExpr:
		generic = true
	}
	s, ok := ast.Unparen(name).(*ast.SelectorExpr)
	if !ok || r.inside[c] && declared(r.unit.Info, fun) {
		return // or the go statement names the function elsewhere
	}
	f, ok := r.unit.Info.Uses[s.Sel].(*types.Func)
	if !ok || f.Pkg() == nil || r.plan.Foreign == nil || !r.plan.Foreign(f.Pkg().Path()) || refusedMethods[f.FullName()] != "" {
		return
	}
	args := fmt.Sprintf("%q, %q", f.Pkg().Path(), oneLine(r.text(s)))
	sel := r.unit.Info.Selections[s]
	sig := f.Type().(*types.Signature)
	switch {
	case sel != nil && sel.Kind() == types.MethodVal:
		r.receiver(s, "ForeignOn", args)
	case sel != nil: // a method expression: the receiver is an argument
	case generic && sig.TypeParams().Len() > 0:
		// It has no value before its types are known: the first argument that has
		// one stands for it.
		for _, a := range c.Args {
			if tv := r.unit.Info.Types[a]; tv.Value == nil && tv.IsValue() && !tv.IsNil() {
				if _, several := tv.Type.(*types.Tuple); !several && !isFunction(tv.Type) {
					r.around(a, r.call("Foreign")+"(", ", "+args+")")
				}
				return
			}
		}
	default:
		r.around(c.Fun, r.call("Foreign")+"(", ", "+args+")")
	}
}

// isFunction reports whether a type is one of functions, whose value may be an
// uninstantiated one.
func isFunction(t types.Type) bool {
	_, is := t.Underlying().(*types.Signature)
	return is
}
