package rewrite

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// rounds has runtime.Gosched and time.Sleep be waits also in loops that carry
// values from one round to the next: where the thread has come round with the same
// values before, and has left no trace since, going on repeats what has been. The
// exploration compares them:
//
//	loomhook1 := loomhook.Circle{}; for ... {
//		if loomhook.Explored() { loomhook1.Round(1, "pos n", pos, n) }; runtime.Gosched()
//	}
//
// The values are those of all variables in scope that any of the loops around the
// call, in its function, may change; what they change elsewhere is watched, so it
// takes -track.
func (r *rewriter) rounds(fn *ast.FuncDecl) {
	if !r.plan.Track || r.file.Cgo || nosplit(fn) || jumps(fn) {
		return
	}
	circles := map[ast.Stmt]string{} // outermost loops, and the variables that say what they have carried
	var stack []ast.Node
	n := 0
	ast.Inspect(fn, func(node ast.Node) bool {
		if node == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		stack = append(stack, node)
		call, ok := node.(*ast.ExprStmt)
		if !ok || !r.yields(call) || len(stack) < 2 || !isList(stack[len(stack)-2]) {
			return true
		}
		outer := r.surrounding(stack)
		if outer == nil {
			return true
		}
		vars, ok := r.carried(outer.loop, call.Pos())
		if !ok {
			return true
		}
		name := circles[outer.loop]
		if name == "" {
			name = r.name()
			circles[outer.loop] = name
			r.insert(outer.at, name+" := "+r.call("Circle")+"{}; ", -200)
		}
		n++
		args := fmt.Sprintf("%d, %q", n, strings.Join(vars, " "))
		if len(vars) > 0 {
			args += ", " + strings.Join(vars, ", ")
		}
		r.insert(call.Pos(), fmt.Sprintf("if %s() { %s.Round(%s) }; ", r.call("Explored"), name, args), -150)
		return true
	})
}

// yields reports whether a statement is a call of Gosched or Sleep that is not
// known to be a wait.
func (r *rewriter) yields(s *ast.ExprStmt) bool {
	call, ok := s.X.(*ast.CallExpr)
	if !ok {
		return false
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || r.waiting[sel] {
		return false
	}
	f, ok := r.unit.Info.Uses[sel.Sel].(*types.Func)
	return ok && (f.FullName() == "runtime.Gosched" || f.FullName() == "time.Sleep")
}

// isList reports whether a node has a list of statements.
func isList(n ast.Node) bool {
	switch n.(type) {
	case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
		return true
	}
	return false
}

// outermost is a loop, and where a statement can stand before it.
type outermost struct {
	loop ast.Stmt
	at   token.Pos
}

// surrounding returns the outermost of the loops around a place in its function, nil
// if there is none, or if what they carry is not in variables alone.
func (r *rewriter) surrounding(stack []ast.Node) *outermost {
	var found *outermost
	for i := len(stack) - 1; i > 0; i-- {
		switch n := stack[i].(type) {
		case *ast.FuncLit, *ast.FuncDecl:
			return found
		case *ast.RangeStmt:
			if !r.counts(n) {
				return nil
			}
			found = before(stack, i)
		case *ast.ForStmt:
			found = before(stack, i)
		}
		if found != nil && hides(stack[i]) {
			return nil
		}
	}
	return found
}

// before returns the loop at a place of the stack.
func before(stack []ast.Node, i int) *outermost {
	o := &outermost{loop: stack[i].(ast.Stmt), at: stack[i].Pos()}
	for i--; i > 0; i-- {
		l, ok := stack[i].(*ast.LabeledStmt)
		if !ok {
			break
		}
		o.at = l.Pos()
	}
	return o
}

// counts reports whether the key of a range statement says how far it is.
func (r *rewriter) counts(n *ast.RangeStmt) bool {
	if id, ok := n.Key.(*ast.Ident); !ok || id.Name == "_" {
		return false
	}
	switch u := r.typeOf(n.X).Underlying().(type) {
	case *types.Slice, *types.Array:
		return true
	case *types.Basic:
		return u.Info()&(types.IsInteger|types.IsString) != 0
	case *types.Pointer:
		return true // to an array
	}
	return false
}

// hides reports whether a loop has a statement that keeps something elsewhere than
// in variables.
func hides(loop ast.Node) bool {
	hidden := false
	ast.Inspect(loop, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.DeferStmt:
			hidden = true
		}
		return !hidden
	})
	return hidden
}

// jumps reports whether a function has a goto, which may not jump over the
// declaration that a loop gets.
func jumps(fn *ast.FuncDecl) bool {
	found := false
	ast.Inspect(fn, func(n ast.Node) bool {
		b, ok := n.(*ast.BranchStmt)
		found = found || ok && b.Tok == token.GOTO
		return !found
	})
	return found
}

// carried returns the variables in scope at a place that a loop around it may
// change and that are the function's alone: the stores to others are watched. It
// returns false if one of them cannot be named there, or is changed by what is not
// watched.
func (r *rewriter) carried(loop ast.Stmt, at token.Pos) (vars []string, ok bool) {
	changed, watched := r.changed(loop)
	if !watched {
		return nil, false
	}
	use := r.plan.usage(r.unit)
	known := map[string]bool{}
	for s := r.unit.Types.Scope().Innermost(at); s != nil && s != r.unit.Types.Scope(); s = s.Parent() {
		for _, name := range s.Names() {
			v, isVar := s.Lookup(name).(*types.Var)
			if !isVar || name == "_" || v.Pos() >= at {
				continue
			}
			inside := v.Pos() >= loop.Pos() && v.Pos() < loop.End()
			matters := (inside || changed[v]) && !use.captured[v] && !use.addressed[v]
			if matters && known[name] {
				return nil, false // another one of that name hides it
			}
			known[name] = true
			if matters {
				vars = append(vars, name)
			}
		}
	}
	return vars, true
}

// changed returns the variables that a statement assigns to, and whether all that
// it calls on variables is watched.
func (r *rewriter) changed(loop ast.Stmt) (all map[types.Object]bool, watched bool) {
	all, watched = map[types.Object]bool{}, true
	note := func(e ast.Expr) {
		if e != nil {
			if v := root(r.unit.Info, e); v != nil {
				all[v] = true
			}
		}
	}
	ast.Inspect(loop, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				note(l)
			}
		case *ast.IncDecStmt:
			note(n.X)
		case *ast.RangeStmt:
			note(n.Key)
			note(n.Value)
		case *ast.SelectorExpr:
			if pointerMethod(r.unit.Info, n) {
				p := r.unit.Info.Uses[n.Sel].Pkg()
				watched = watched && (r.plan.Own[p] || p.Path() == "sync" || p.Path() == "sync/atomic")
			}
		}
		return true
	})
	return all, watched
}
