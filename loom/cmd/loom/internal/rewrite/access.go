package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
)

// load watches the loads in an expression that is evaluated for its value.
func (t *tracker) load(e ast.Expr) {
	tv, known := t.unit.Info.Types[e]
	if known && (tv.Value != nil || tv.IsType() || tv.IsBuiltin()) {
		return
	}
	switch e := e.(type) {
	case *ast.Ident, *ast.SelectorExpr, *ast.IndexExpr, *ast.StarExpr:
		t.touch(e, "(*"+t.hook+".R(&", "))")
	case *ast.ParenExpr:
		t.load(e.X)
	case *ast.UnaryExpr:
		if e.Op == token.AND {
			t.place(e.X)
		} else {
			t.load(e.X)
		}
	case *ast.BinaryExpr:
		t.load(e.X)
		t.load(e.Y)
	case *ast.CallExpr:
		t.called(e)
	case *ast.CompositeLit:
		t.literal(e)
	case *ast.KeyValueExpr:
		t.load(e.Key)
		t.load(e.Value)
	case *ast.SliceExpr:
		t.sliced(e)
	case *ast.TypeAssertExpr:
		t.load(e.X)
	case *ast.FuncLit:
		t.node(e.Body)
	}
}

// store watches a store to e.
func (t *tracker) store(e ast.Expr) {
	if t.isMap(e) {
		x := ast.Unparen(e).(*ast.IndexExpr)
		t.wrapIn("MW", x.X)
		t.load(x.Index)
		return
	}
	t.touch(ast.Unparen(e), "*"+t.hook+".W(&", ")")
}

// touch watches an access to a place, as the source before and after it says,
// and the loads that finding the place takes.
func (t *tracker) touch(e ast.Expr, before, after string) {
	watched := t.watched(e)
	if watched {
		t.hooks = true
		t.insert(e.Pos(), before, 0)
	}
	t.place(e)
	if watched {
		t.insert(e.End(), after, 0)
	}
}

// place watches the loads that it takes to find a place.
func (t *tracker) place(e ast.Expr) {
	info := t.unit.Info
	switch e := e.(type) {
	case *ast.ParenExpr:
		t.place(e.X)
	case *ast.StarExpr:
		t.load(e.X)
	case *ast.SelectorExpr:
		sel := info.Selections[e]
		switch {
		case sel == nil: // of a package
		case sel.Kind() == types.MethodExpr:
		case pointerMethod(info, e):
			t.place(e.X)
		case sel.Kind() == types.FieldVal && info.Types[e.X].Addressable() && !isPointer(t.typeOf(e.X)):
			t.place(e.X)
		default:
			t.load(e.X)
		}
	case *ast.IndexExpr:
		if tv := info.Types[e.Index]; tv.IsType() {
			return // an instance of a generic function
		}
		typ := t.typeOf(e.X)
		switch typ.Underlying().(type) {
		case *types.Map:
			t.wrapIn("MR", e.X)
		case *types.Array:
			if info.Types[e.X].Addressable() {
				t.place(e.X)
			} else {
				t.load(e.X)
			}
		default:
			t.load(e.X)
		}
		t.load(e.Index)
	case *ast.Ident:
	default:
		t.load(e)
	}
}

func isPointer(t types.Type) bool {
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

// watched reports whether e is a place in plain memory that others may use.
func (t *tracker) watched(e ast.Expr) bool {
	e = ast.Unparen(e)
	info := t.unit.Info
	tv, ok := info.Types[e]
	if id, isIdent := e.(*ast.Ident); isIdent {
		v, isVar := info.Uses[id].(*types.Var)
		if !isVar || v.IsField() || safeType(v.Type()) || v.Pkg() == nil {
			return false
		}
		return t.variable(v)
	}
	if !ok || !tv.Addressable() || safeType(tv.Type) {
		return false
	}
	switch x := e.(type) {
	case *ast.StarExpr:
	case *ast.SelectorExpr:
		if sel := info.Selections[x]; sel != nil && sel.Kind() != types.FieldVal {
			return false
		}
	case *ast.IndexExpr:
		if info.Types[x.Index].IsType() {
			return false
		}
	default:
		return false
	}
	v := root(info, e)
	if v == nil {
		return true // behind a pointer or in a slice
	}
	return t.variable(v.(*types.Var))
}

// variable reports whether a variable is one that threads may share and that
// changes.
func (t *tracker) variable(v *types.Var) bool {
	if v.Parent() != nil && v.Parent() == v.Pkg().Scope() {
		return t.plan.Own[v.Pkg()] && (v.Exported() || t.use.written[v])
	}
	return t.use.written[v] && (t.use.captured[v] || t.use.addressed[v])
}

// called watches a call.
func (t *tracker) called(c *ast.CallExpr) {
	if tv := t.unit.Info.Types[c.Fun]; tv.IsBuiltin() {
		t.builtin(c)
		return
	} else if !tv.IsType() {
		t.load(c.Fun)
	}
	for _, a := range c.Args {
		t.load(a)
	}
}

// builtin watches a call of a function that is part of the language.
func (t *tracker) builtin(c *ast.CallExpr) {
	name := ""
	switch f := ast.Unparen(c.Fun).(type) {
	case *ast.Ident:
		name = f.Name
	case *ast.SelectorExpr:
		name = "unsafe." + f.Sel.Name
	}
	switch name {
	case "unsafe.Sizeof", "unsafe.Offsetof", "unsafe.Alignof":
		return
	case "delete", "clear":
		if _, isMap := t.typeOf(c.Args[0]).Underlying().(*types.Map); isMap {
			t.wrapIn("MW", c.Args[0])
			for _, a := range c.Args[1:] {
				t.load(a)
			}
			return
		}
	case "len":
		if _, isMap := t.typeOf(c.Args[0]).Underlying().(*types.Map); isMap {
			t.wrapIn("MR", c.Args[0])
			return
		}
	}
	for _, a := range c.Args {
		t.load(a)
	}
}

// literal watches the values of a composite literal.
func (t *tracker) literal(lit *ast.CompositeLit) {
	typ := t.typeOf(lit)
	isStruct := false
	if typ != nil {
		if p, ok := typ.Underlying().(*types.Pointer); ok {
			typ = p.Elem() // &T left out
		}
		_, isStruct = typ.Underlying().(*types.Struct)
	}
	for _, e := range lit.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok && isStruct {
			t.load(kv.Value)
		} else {
			t.load(e)
		}
	}
}

// sliced watches a slice expression. Slicing an array takes its address.
func (t *tracker) sliced(s *ast.SliceExpr) {
	if _, array := t.typeOf(s.X).Underlying().(*types.Array); array {
		t.place(s.X)
	} else {
		t.load(s.X)
	}
	for _, e := range []ast.Expr{s.Low, s.High, s.Max} {
		if e != nil {
			t.load(e)
		}
	}
}
