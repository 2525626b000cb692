package look

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// access is a use of plain memory.
type access struct {
	obj   *types.Var // a field or a variable; nil: what a pointer points at
	pos   token.Pos
	write bool
	text  string // without obj: the expression

	captured bool // a local variable of an enclosing function
}

// mark notes what an assignment to e writes.
func mark(writes map[ast.Expr]bool, e ast.Expr) {
	for e != nil {
		switch x := e.(type) {
		case *ast.ParenExpr:
			e = x.X
		case *ast.IndexExpr: // an element: of the variable as a whole
			e = x.X
		case *ast.SliceExpr:
			e = x.X
		case *ast.SelectorExpr:
			writes[x] = true
			writes[x.Sel] = true
			return
		default:
			writes[e] = true
			return
		}
	}
}

// Plain is plain memory that threads may share.
type Plain struct {
	Name  string
	Write token.Pos // where it is written
	Where token.Pos // where another thread may use it
	State bool      // a variable of a package, which keeps its value
}

// shared returns the plain memory that is used on threads, or by methods of
// types that synchronize, and written. It knows nothing of who holds what lock:
// that is for -track, or for a cell.
func (g *Graph) shared(reached map[*node]bool) []Plain {
	threads := g.threads(reached)
	used := map[*types.Var]token.Pos{}
	var all []Plain
	for n := range reached {
		if !threads[n] && !g.synchronizes(n) {
			continue
		}
		for _, a := range n.access {
			switch {
			case a.obj == nil:
				all = append(all, Plain{Name: a.text, Write: a.pos, Where: a.pos})
			case safe(a.obj.Type()) || local(a.obj) && !a.captured:
			case used[a.obj] == 0 || a.pos < used[a.obj]:
				used[a.obj] = a.pos
			}
		}
	}
	written := map[*types.Var]token.Pos{}
	for n := range reached {
		for _, a := range n.access {
			if a.write && (written[a.obj] == 0 || a.pos < written[a.obj]) {
				written[a.obj] = a.pos
			}
		}
	}
	for v, where := range used {
		if at := written[v]; at != 0 {
			state := !v.IsField() && global(v)
			if state {
				at = v.Pos()
			}
			all = append(all, Plain{Name: g.name(v), Write: at, Where: where, State: state})
		}
	}
	return append(all, g.states(reached)...)
}

// local reports whether v is a variable of a function.
func local(v *types.Var) bool { return !v.IsField() && !global(v) }

// states returns the synchronized variables of packages, which keep their values
// from one execution to the next.
func (g *Graph) states(reached map[*node]bool) []Plain {
	first := map[*types.Var]token.Pos{}
	for n := range reached {
		for _, a := range n.access {
			if v := a.obj; v != nil && !v.IsField() && global(v) && safe(v.Type()) && g.own(v) && (first[v] == 0 || a.pos < first[v]) {
				first[v] = a.pos
			}
		}
	}
	var all []Plain
	for v, at := range first {
		all = append(all, Plain{Name: g.name(v), Write: v.Pos(), Where: at, State: true})
	}
	return all
}

// own reports whether v is a variable of the user's.
func (g *Graph) own(v *types.Var) bool {
	for _, u := range g.prog.Units {
		if u.Types == v.Pkg() {
			return true
		}
	}
	return false
}

// synchronizes reports whether n is a method of a type with a field that
// synchronizes.
func (g *Graph) synchronizes(n *node) bool {
	if n.obj == nil {
		return false
	}
	recv := n.obj.Type().(*types.Signature).Recv()
	if recv == nil {
		return false
	}
	t := recv.Type()
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for i := range s.NumFields() {
		if safe(s.Field(i).Type()) {
			return true
		}
	}
	return false
}

// safe reports whether a type does its own synchronization: it is of sync or
// sync/atomic, or made of nothing else.
func safe(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		if p := t.Obj().Pkg(); p != nil {
			switch path := p.Path(); path {
			case "sync", "sync/atomic", loomPath + "/atomic", loomPath + "/sync", loomPath + "/cell":
				return true
			}
		}
		if s, ok := t.Underlying().(*types.Struct); ok {
			return safeStruct(s)
		}
	case *types.Array:
		return safe(t.Elem())
	case *types.Struct:
		return safeStruct(t)
	}
	return false
}

func safeStruct(s *types.Struct) bool {
	for i := range s.NumFields() {
		if s.Field(i).Name() != "_" && !safe(s.Field(i).Type()) {
			return false
		}
	}
	return s.NumFields() > 0
}

// name is what a notice calls a variable.
func (g *Graph) name(v *types.Var) string {
	switch {
	case v.IsField() && g.owner[v] != "":
		return "field " + g.owner[v] + "." + v.Name()
	case v.IsField():
		return "field " + v.Name()
	case global(v):
		return "variable " + v.Name() + " of package " + v.Pkg().Name()
	}
	return "variable " + strings.TrimSpace(v.Name())
}
