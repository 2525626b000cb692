package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/filch-sched/filch/loom/cmd/loom/internal/load"
)

// usage is how the functions of a unit use variables.
type usage struct {
	captured  map[types.Object]bool // by a function literal in the function that declares it
	written   map[types.Object]bool // other than by its declaration
	addressed map[types.Object]bool // its address is taken, or that of a part
}

// usageOf looks at all functions of a unit.
func usageOf(u *load.Unit) *usage {
	s := &usage{map[types.Object]bool{}, map[types.Object]bool{}, map[types.Object]bool{}}
	for _, f := range u.Files {
		for _, d := range f.AST.Decls {
			s.walk(u.Info, d, nil)
		}
	}
	return s
}

func (s *usage) walk(info *types.Info, root ast.Node, in *ast.FuncLit) {
	ast.Inspect(root, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			if n != in {
				s.walk(info, n, n)
				return false
			}
		case *ast.Ident:
			if v, ok := info.Uses[n].(*types.Var); ok && in != nil && !v.IsField() && (v.Pos() < in.Pos() || v.Pos() >= in.End()) {
				s.captured[v] = true
			}
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				s.write(info, l)
			}
		case *ast.IncDecStmt:
			s.write(info, n.X)
		case *ast.RangeStmt:
			if n.Tok == token.ASSIGN {
				s.write(info, n.Key)
				s.write(info, n.Value)
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				s.address(info, n.X)
			}
		case *ast.SelectorExpr:
			if pointerMethod(info, n) {
				s.address(info, n.X)
			}
		case *ast.SliceExpr:
			s.address(info, n.X) // of an array
		}
		return true
	})
}

func (s *usage) write(info *types.Info, e ast.Expr) {
	if e == nil {
		return
	}
	if v := root(info, e); v != nil {
		s.written[v] = true
	}
}

func (s *usage) address(info *types.Info, e ast.Expr) {
	if v := root(info, e); v != nil {
		s.addressed[v] = true
		s.written[v] = true
	}
}

// pointerMethod reports whether a selector takes the address of its operand, to
// call a method.
func pointerMethod(info *types.Info, s *ast.SelectorExpr) bool {
	sel := info.Selections[s]
	if sel == nil || sel.Kind() != types.MethodVal {
		return false
	}
	if _, ptr := sel.Recv().Underlying().(*types.Pointer); ptr || types.IsInterface(sel.Recv()) {
		return false
	}
	recv := sel.Obj().Type().(*types.Signature).Recv()
	_, ptr := types.Unalias(recv.Type()).(*types.Pointer)
	return ptr
}

// root returns the variable that e is a part of, nil if e is behind a pointer, a
// slice or a map, or no variable.
func root(info *types.Info, e ast.Expr) types.Object {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.Ident:
			v, _ := info.ObjectOf(x).(*types.Var)
			if v == nil {
				return nil
			}
			return v
		case *ast.SelectorExpr:
			sel := info.Selections[x]
			if sel == nil { // of a package
				v, _ := info.Uses[x.Sel].(*types.Var)
				if v == nil {
					return nil
				}
				return v
			}
			if sel.Indirect() {
				return nil
			}
			e = x.X
		case *ast.IndexExpr:
			t := info.TypeOf(x.X)
			if t == nil {
				return nil
			}
			if _, array := t.Underlying().(*types.Array); !array {
				return nil
			}
			e = x.X
		default:
			return nil
		}
	}
}
