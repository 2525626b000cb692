package rewrite

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// goStmt makes a go statement a call of hook.Go. As the language has it, the
// function value and the arguments are evaluated where the statement is:
//
//	go f(x, 1)        { a, b := f, x; hook.Go(func() { a(b, 1) }) }
//	go func() {...}() hook.Go(func() {...})
//
// Each part stays where it was, since the lines of the source must.
func (r *rewriter) goStmt(g *ast.GoStmt) {
	call := g.Call
	fun := ast.Unparen(call.Fun)
	if lit, ok := fun.(*ast.FuncLit); ok && len(call.Args) == 0 && lit.Type.Results == nil {
		r.replace(g.Go, call.Fun.Pos(), r.call("Go")+"(")
		r.replace(call.Lparen, call.Rparen+1, ")")
		return
	}
	b := binder{rewriter: r}
	target := b.function(call.Fun)
	args := b.arguments(call)
	if b.err != nil {
		r.errs = append(r.errs, b.err)
		return
	}
	start := "{ "
	if len(b.names) > 0 {
		start += strings.Join(b.names, ", ") + " := "
	}
	r.replace(g.Go, call.Fun.Pos(), start)
	end := fmt.Sprintf("%s(func() { %s(%s) }) }", r.call("Go"), target, strings.Join(args, ", "))
	if len(b.names) > 0 {
		end = "; " + end
	}
	r.replace(call.Rparen, call.Rparen+1, end)
	b.cut(call)
}

// binder gives names to the parts of a call that are evaluated before it.
type binder struct {
	*rewriter
	names []string
	bound []bool // the function, then the arguments: whether they have a name
	err   error
}

func (b *binder) bind(n int) []string {
	var names []string
	for range n {
		names = append(names, b.name())
	}
	b.names = append(b.names, names...)
	return names
}

// function returns what to call. A declared function needs no name.
func (b *binder) function(fun ast.Expr) string {
	tv := b.unit.Info.Types[fun]
	if declared(b.unit.Info, fun) || tv.IsBuiltin() {
		b.bound = append(b.bound, false)
		return b.text(fun)
	}
	b.bound = append(b.bound, true)
	return b.bind(1)[0]
}

// declared reports whether an expression names a function, not a variable or a
// method of a value.
func declared(info *types.Info, e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		_, ok := info.Uses[e].(*types.Func)
		return ok
	case *ast.SelectorExpr:
		if info.Selections[e] != nil {
			return false
		}
		_, ok := info.Uses[e.Sel].(*types.Func)
		return ok
	case *ast.IndexExpr:
		return declared(info, e.X)
	case *ast.IndexListExpr:
		return declared(info, e.X)
	}
	return false
}

// arguments returns the arguments to call with. Constants and types need no
// name, and with one could have another type.
func (b *binder) arguments(call *ast.CallExpr) []string {
	var args []string
	for i, a := range call.Args {
		tv := b.unit.Info.Types[a]
		switch tuple, several := tv.Type.(*types.Tuple); {
		case several && b.bound[0]:
			b.err = fmt.Errorf("%v: loom: a go statement whose function is a value and whose arguments are the results of one call cannot be followed: give the results names",
				b.fset.Position(call.Pos()))
			return nil
		case several:
			b.bound = append(b.bound, true)
			args = append(args, b.bind(tuple.Len())...)
		case tv.Value != nil || tv.IsNil() || tv.IsType():
			b.bound = append(b.bound, false)
			args = append(args, oneLine(b.text(a)))
		case isNamedBool(tv.Type) && comparison(a):
			b.bound = append(b.bound, false)
			b.err = fmt.Errorf("%v: loom: a go statement with a comparison as an argument of type %v cannot be followed: give it a name",
				b.fset.Position(a.Pos()), tv.Type)
			return nil
		default:
			b.bound = append(b.bound, true)
			name := b.bind(1)[0]
			if call.Ellipsis.IsValid() && i == len(call.Args)-1 {
				args = append(args, name+"...")
			} else {
				args = append(args, name)
			}
		}
	}
	return args
}

// oneLine returns the source of a constant without its line breaks. There is
// nothing in a constant that needs one but a raw string.
func oneLine(s string) string {
	if strings.Contains(s, "`") {
		return s
	}
	return strings.Join(strings.Fields(s), " ")
}

func isNamedBool(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	_, plain := t.(*types.Basic)
	return ok && !plain && b.Info()&types.IsBoolean != 0
}

// comparison reports whether e is an untyped boolean, as comparisons are.
func comparison(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.BinaryExpr:
		return true
	case *ast.UnaryExpr:
		return comparison(e.X)
	}
	return false
}

// cut turns what stands between the parts of the call into the commas of an
// assignment, and removes the parts without a name.
func (b *binder) cut(call *ast.CallExpr) {
	parts := append([]ast.Expr{call.Fun}, call.Args...)
	for i, part := range parts {
		end := call.Rparen
		if i+1 < len(parts) {
			end = parts[i+1].Pos()
		}
		switch {
		case !b.bound[i]:
			b.replace(part.Pos(), end, "")
		case slices.Contains(b.bound[i+1:], true):
			b.replace(part.End(), end, ", ") // before a line break, which would end the statement
		default:
			b.replace(part.End(), end, "")
		}
	}
}
