package rewrite

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// This file gives the variables of tests, and those of packages, their names in
// reports. From them the rest is named: by fields, elements and what pointers
// point to.

// names names the variables that a function of a test file declares.
func (r *rewriter) names(fn *ast.FuncDecl) {
	if r.file.Cgo || !strings.HasSuffix(r.file.Path, "_test.go") || nosplit(fn) {
		return
	}
	use := r.plan.usage(r.unit)
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		var list []ast.Stmt
		switch n := n.(type) {
		case *ast.BlockStmt:
			list = n.List
		case *ast.CaseClause:
			list = n.Body
		}
		for _, s := range list {
			for _, id := range declares(s) {
				v, ok := r.unit.Info.Defs[id].(*types.Var)
				if !ok || id.Name == "_" {
					continue
				}
				if p := r.pointerTo(v, use); p != "" {
					r.insert(s.End(), fmt.Sprintf("; %s(%s, %q)", r.call("Name"), p, id.Name), 30)
				}
			}
		}
		return true
	})
}

// declares returns what a statement declares.
func declares(s ast.Stmt) []*ast.Ident {
	var all []*ast.Ident
	switch s := s.(type) {
	case *ast.AssignStmt:
		if s.Tok == token.DEFINE {
			for _, l := range s.Lhs {
				if id, ok := l.(*ast.Ident); ok {
					all = append(all, id)
				}
			}
		}
	case *ast.DeclStmt:
		if d, ok := s.Decl.(*ast.GenDecl); ok && d.Tok == token.VAR {
			for _, spec := range d.Specs {
				all = append(all, spec.(*ast.ValueSpec).Names...)
			}
		}
	}
	return all
}

// pointerTo returns what names a variable: its address if threads may share it,
// and if not itself if it is a pointer; "" if there is nothing to name. A variable
// whose address nobody else takes stays on its stack.
func (r *rewriter) pointerTo(v *types.Var, use *usage) string {
	switch u := v.Type().Underlying().(type) {
	case *types.Signature, *types.Interface, *types.Chan:
		return ""
	case *types.Pointer:
		if !use.captured[v] || !use.written[v] {
			if _, basic := u.Elem().Underlying().(*types.Basic); basic && !use.captured[v] || IsT(v.Type()) {
				return ""
			}
			return v.Name()
		}
	case *types.Basic:
		if !use.written[v] || !use.addressed[v] && !use.captured[v] {
			return ""
		}
	default:
		if !use.addressed[v] && !use.captured[v] {
			return ""
		}
	}
	return "&" + v.Name()
}

// globals returns declarations, to stand after the end of the source, that name
// the variables of the package which the file declares.
func (r *rewriter) globals() string {
	if r.file.Cgo {
		return ""
	}
	use := r.plan.usage(r.unit)
	var calls []string
	for _, d := range r.file.AST.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.VAR {
			continue
		}
		for _, spec := range g.Specs {
			for _, id := range spec.(*ast.ValueSpec).Names {
				v, ok := r.unit.Info.Defs[id].(*types.Var)
				if !ok || id.Name == "_" || !use.written[v] && !use.addressed[v] && !safeType(v.Type()) {
					continue
				}
				if _, is := v.Type().Underlying().(*types.Interface); !is {
					calls = append(calls, fmt.Sprintf("%s(&%s, %q)", r.call("Global"), id.Name, id.Name))
				}
			}
		}
	}
	if len(calls) == 0 {
		return ""
	}
	return "\nfunc init() { " + strings.Join(calls, "; ") + " }\n"
}
