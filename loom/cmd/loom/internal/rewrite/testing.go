package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
)

// test makes the body of a test that is to be explored an argument of hook.Test,
// and marks one whose subtests are.
//
//	func TestX(t *testing.T) { hook.Test(t, func(t *testing.T) { ... }) }
func (r *rewriter) test(fn *ast.FuncDecl) {
	explored, subtests := r.plan.Explored[fn], r.plan.Subtests[fn]
	if !explored && !subtests {
		return
	}
	field := fn.Type.Params.List[0]
	name := r.parameter(field)
	if subtests {
		r.insert(fn.Body.Lbrace+1, " "+r.call("Subtests")+"("+name+");", -100)
		return
	}
	r.insert(fn.Body.Lbrace+1, " "+r.call("Test")+"("+name+", func("+name+" "+oneLine(r.text(field.Type))+") {", -100)
	r.insert(fn.Body.Rbrace, "})", 100)
}

// parameter returns the name of a parameter, and gives it one if it has none.
func (r *rewriter) parameter(field *ast.Field) string {
	if len(field.Names) == 0 {
		name := r.name()
		r.insert(field.Type.Pos(), name+" ", 0)
		return name
	}
	if id := field.Names[0]; id.Name == "_" {
		name := r.name()
		r.replace(id.Pos(), id.End(), name)
		return name
	}
	return field.Names[0].Name
}

// IsT reports whether t is *testing.T.
func IsT(t types.Type) bool {
	ptr, ok := types.Unalias(t).(*types.Pointer)
	if !ok {
		return false
	}
	named, ok := types.Unalias(ptr.Elem()).(*types.Named)
	if !ok {
		return false
	}
	obj := named.Obj()
	return obj.Name() == "T" && obj.Pkg() != nil && obj.Pkg().Path() == "testing"
}

// wrap makes a *testing.T a hook.T, which tells the exploration what the test
// says of itself.
func (r *rewriter) wrap(e ast.Expr) {
	r.insert(e.Pos(), r.call("As")+"(", -10)
	r.insert(e.End(), ")", 10)
}

// selector rewrites x.f.
func (r *rewriter) selector(s *ast.SelectorExpr) {
	if r.unit.Info.Selections[s] != nil {
		if t := r.typeOf(s.X); t != nil && IsT(t) {
			r.wrap(s.X)
		} else {
			r.refusedMethod(s)
		}
		return
	}
	fn, ok := r.unit.Info.Uses[s.Sel].(*types.Func)
	if !ok || fn.Pkg() == nil {
		return
	}
	to := standIns[fn.Pkg().Path()+"."+fn.Name()]
	if to == "" {
		return
	}
	if r.waiting[s] && (to == "Sleep" || to == "Gosched") {
		to = "Await" + to
	}
	r.lost[oneLine(r.text(s))] = to
	r.replace(s.Pos(), s.End(), r.call(to))
}

// standIns are the functions that would make an execution depend on more than
// its schedule, or wait for what is no step, and what of package hook stands in.
var standIns = map[string]string{
	"time.Sleep":      "Sleep",
	"time.Now":        "Now",
	"time.Since":      "Since",
	"time.Until":      "Until",
	"runtime.Gosched": "Gosched",

	// These are refused where an exploration comes to them.
	"time.AfterFunc":        "AfterFunc",
	"time.NewTimer":         "NewTimer",
	"time.NewTicker":        "NewTicker",
	"time.Tick":             "Tick",
	"time.After":            "After",
	"context.AfterFunc":     "ContextAfterFunc",
	"io.Pipe":               "Pipe",
	"testing/synctest.Test": "Bubble",
}

// arguments wraps every *testing.T that a call takes as an interface.
func (r *rewriter) arguments(call *ast.CallExpr) {
	tv := r.unit.Info.Types[call.Fun]
	if tv.IsType() {
		if len(call.Args) == 1 {
			r.convert(call.Args[0], tv.Type)
		}
		return
	}
	sig, ok := types.Unalias(tv.Type).(*types.Signature)
	if tv.Type != nil && !ok {
		sig, ok = tv.Type.Underlying().(*types.Signature)
	}
	if !ok {
		return
	}
	for i, a := range call.Args {
		last := sig.Params().Len() - 1
		switch {
		case sig.Variadic() && i >= last && !call.Ellipsis.IsValid():
			if s, ok := sig.Params().At(last).Type().Underlying().(*types.Slice); ok {
				r.convert(a, s.Elem())
			}
		case i <= last:
			r.convert(a, sig.Params().At(i).Type())
		}
	}
}

// convert wraps e if it is a *testing.T that becomes an interface.
func (r *rewriter) convert(e ast.Expr, to types.Type) {
	from := r.typeOf(e)
	if from == nil || to == nil || !IsT(from) || !types.IsInterface(to) {
		return
	}
	if _, generic := to.(*types.TypeParam); !generic {
		r.wrap(e)
	}
}

// elements is arguments for composite literals.
func (r *rewriter) elements(lit *ast.CompositeLit) {
	t := r.typeOf(lit)
	if t == nil {
		return
	}
	for i, e := range lit.Elts {
		key, value := ast.Expr(nil), e
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			key, value = kv.Key, kv.Value
		}
		switch u := t.Underlying().(type) {
		case *types.Struct:
			if id, ok := key.(*ast.Ident); ok {
				r.convert(value, r.unit.Info.ObjectOf(id).Type())
			} else if key == nil {
				r.convert(value, u.Field(i).Type())
			}
		case *types.Slice:
			r.convert(value, u.Elem())
		case *types.Array:
			r.convert(value, u.Elem())
		case *types.Map:
			r.convert(value, u.Elem())
		}
	}
}

// assignment is arguments for assignments.
func (r *rewriter) assignment(a *ast.AssignStmt) {
	if len(a.Lhs) == len(a.Rhs) && a.Tok == token.ASSIGN {
		for i := range a.Lhs {
			if t := r.typeOf(a.Lhs[i]); t != nil {
				r.convert(a.Rhs[i], t)
			}
		}
	}
}

// values is arguments for declarations of variables with a type.
func (r *rewriter) values(v *ast.ValueSpec) {
	if v.Type == nil {
		return
	}
	for _, e := range v.Values {
		r.convert(e, r.typeOf(v.Type))
	}
}
