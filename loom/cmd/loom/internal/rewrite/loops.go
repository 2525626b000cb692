package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
)

// waits finds the loops of a function that do nothing but wait: going round once
// more, they do the same unless something shared has changed. Such a loop has no
// init and no post statement, and carries nothing from one round to the next: it
// never gives a variable from outside of it a value that depends on one that it
// assigns. What its calls do to memory, the exploration itself sees.
func (r *rewriter) waits(body ast.Node) {
	ast.Inspect(body, func(n ast.Node) bool {
		loop, ok := n.(*ast.ForStmt)
		if !ok || loop.Init != nil || loop.Post != nil || !r.forgetful(loop) {
			return true
		}
		r.mark(loop)
		if len(loop.Body.List) == 0 {
			r.insert(loop.Body.Lbrace+1, " "+r.call("Await")+"() ", 0)
		}
		return true
	})
}

// forgetful reports whether a loop carries nothing from round to round.
func (r *rewriter) forgetful(loop *ast.ForStmt) bool {
	assigned := map[types.Object]bool{}
	carries := false
	outside := func(e ast.Expr) types.Object {
		id, ok := ast.Unparen(e).(*ast.Ident)
		if !ok {
			return nil // memory, which the exploration sees
		}
		obj := r.unit.Info.ObjectOf(id)
		if obj == nil || obj.Pos() >= loop.Pos() && obj.Pos() < loop.End() {
			return nil
		}
		return obj
	}
	ast.Inspect(loop, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				if obj := outside(l); obj != nil {
					assigned[obj] = true
					carries = carries || n.Tok != token.ASSIGN && n.Tok != token.DEFINE
				}
			}
		case *ast.IncDecStmt:
			carries = carries || outside(n.X) != nil
		case *ast.RangeStmt:
			carries = carries || n.Tok == token.ASSIGN
		}
		return !carries
	})
	if carries {
		return false
	}
	ast.Inspect(loop, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok {
			for _, e := range a.Rhs {
				ast.Inspect(e, func(n ast.Node) bool {
					if id, ok := n.(*ast.Ident); ok && assigned[r.unit.Info.Uses[id]] {
						carries = true
					}
					return !carries
				})
			}
		}
		return !carries
	})
	return !carries
}

// mark notes the calls of runtime.Gosched and time.Sleep whose innermost loop is
// loop.
func (r *rewriter) mark(loop *ast.ForStmt) {
	ast.Inspect(loop.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt, *ast.RangeStmt, *ast.FuncLit:
			return false
		case *ast.SelectorExpr:
			r.waiting[n] = true
		}
		return true
	})
}
