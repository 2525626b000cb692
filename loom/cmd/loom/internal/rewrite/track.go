package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// This file has the accesses to plain memory watched: a load of x.f becomes
// (*hook.R(&x.f)), a store to it *hook.W(&x.f). Threads switch only at steps, so
// the moment at which an access is recorded is that of the access itself unless
// there is a step between the two. There can be one in x.f = g(): then the record
// is a statement of its own, behind.

// tracker watches the accesses of a file.
type tracker struct {
	*rewriter
	use  *usage
	list map[ast.Stmt]bool // statements that another can follow
}

// track watches the accesses of a function.
func (r *rewriter) track(body *ast.BlockStmt) {
	t := tracker{rewriter: r, use: r.plan.usage(r.unit), list: map[ast.Stmt]bool{}}
	t.node(body)
}

// node watches what is in a node that is no expression.
func (t *tracker) node(root ast.Node) {
	ast.Inspect(root, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			t.follow(n.List)
		case *ast.CaseClause:
			t.follow(n.Body)
		case *ast.CommClause:
			t.follow(n.Body)
		case *ast.AssignStmt:
			t.assign(n)
			return false
		case *ast.IncDecStmt:
			t.store(n.X)
			return false
		case *ast.RangeStmt:
			t.ranging(n)
			t.node(n.Body)
			return false
		case *ast.ValueSpec:
			for _, v := range n.Values {
				t.load(v)
			}
			return false
		case *ast.LabeledStmt:
			t.node(n.Stmt)
			return false
		case *ast.BranchStmt:
			return false
		case ast.Expr:
			t.load(n)
			return false
		}
		return true
	})
}

func (t *tracker) follow(list []ast.Stmt) {
	for _, s := range list {
		t.list[s] = true
	}
}

// assign watches an assignment.
func (t *tracker) assign(a *ast.AssignStmt) {
	for _, e := range a.Rhs {
		t.load(e)
	}
	calls := false
	for _, e := range a.Rhs {
		calls = calls || t.calls(e)
	}
	for _, l := range a.Lhs {
		id, plain := l.(*ast.Ident)
		switch {
		case plain && id.Name == "_":
		case plain && a.Tok == token.DEFINE:
			if t.unit.Info.Defs[id] == nil && t.watched(l) {
				t.behind(a, l)
			}
		case !calls || !t.watched(l) && !t.isMap(l):
			t.store(l)
		case t.pure(l) && !t.moved(a, l):
			t.place(l)
			t.behind(a, l)
		default:
			t.plan.unwatched(l.Pos())
			t.place(l)
		}
	}
}

// behind records a store behind its statement.
func (t *tracker) behind(a *ast.AssignStmt, l ast.Expr) {
	if !t.list[a] {
		t.plan.unwatched(l.Pos())
		return
	}
	if t.isMap(l) {
		t.insert(a.End(), "; _ = "+t.call("MW")+"("+oneLine(t.text(ast.Unparen(l).(*ast.IndexExpr).X))+")", 20)
		return
	}
	t.insert(a.End(), "; "+t.call("W")+"(&"+oneLine(t.text(l))+")", 20)
}

// moved reports whether the assignment changes what l means: it assigns to a
// variable in it.
func (t *tracker) moved(a *ast.AssignStmt, l ast.Expr) bool {
	moved := false
	for _, other := range a.Lhs {
		id, ok := ast.Unparen(other).(*ast.Ident)
		if !ok {
			moved = moved || other != l && len(a.Lhs) > 1 // a pointer in l may be what it assigns to
			continue
		}
		obj := t.unit.Info.ObjectOf(id)
		ast.Inspect(l, func(n ast.Node) bool {
			if in, ok := n.(*ast.Ident); ok && other != l && t.unit.Info.Uses[in] == obj {
				moved = true
			}
			return true
		})
	}
	return moved
}

// pure reports whether e can be evaluated once more, with the same result.
func (t *tracker) pure(e ast.Expr) bool {
	if tv := t.unit.Info.Types[e]; tv.Value != nil {
		return true
	}
	switch e := e.(type) {
	case *ast.Ident:
		return true
	case *ast.ParenExpr:
		return t.pure(e.X)
	case *ast.SelectorExpr:
		return t.pure(e.X)
	case *ast.StarExpr:
		return t.pure(e.X)
	case *ast.IndexExpr:
		return t.pure(e.X) && t.pure(e.Index)
	case *ast.BinaryExpr:
		return t.pure(e.X) && t.pure(e.Y)
	}
	return false
}

// calls reports whether evaluating e may take a step: it calls something, or
// receives.
func (t *tracker) calls(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			tv := t.unit.Info.Types[n.Fun]
			found = found || !tv.IsType() && !tv.IsBuiltin()
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		}
		return !found
	})
	return found
}

// ranging watches the operand of a range clause, and the elements of a slice.
func (t *tracker) ranging(n *ast.RangeStmt) {
	typ := t.typeOf(n.X)
	if typ == nil {
		return
	}
	switch u := typ.Underlying().(type) {
	case *types.Map:
		t.wrapIn("MR", n.X)
	case *types.Slice:
		if n.Value == nil || isBlank(n.Value) || !t.plan.iterates(t.unit) || safeType(u.Elem()) {
			t.load(n.X)
			return
		}
		t.wrapIn("Elements", n.X)
	default:
		t.load(n.X)
	}
}

func isBlank(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == "_"
}

// wrapIn makes e, which is loaded, an argument of a function of package hook.
func (t *tracker) wrapIn(function string, e ast.Expr) {
	t.insert(e.Pos(), t.call(function)+"(", 0)
	t.load(e)
	t.insert(e.End(), ")", 0)
}

// isMap reports whether e is an element of a map.
func (t *tracker) isMap(e ast.Expr) bool {
	x, ok := ast.Unparen(e).(*ast.IndexExpr)
	if !ok {
		return false
	}
	typ := t.typeOf(x.X)
	if typ == nil {
		return false
	}
	_, ok = typ.Underlying().(*types.Map)
	return ok
}

// safeType reports whether a type is not watched: it synchronizes by itself.
func safeType(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		if p := t.Obj().Pkg(); p != nil {
			path := p.Path()
			return path == "sync" || path == "sync/atomic" || strings.HasPrefix(path, Module+"/loom/")
		}
	case *types.Array:
		return safeType(t.Elem())
	}
	return false
}
