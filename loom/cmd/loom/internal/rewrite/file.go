package rewrite

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"go/version"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/filch-sched/filch/loom/cmd/loom/internal/load"
)

// The packages of filch that rewritten source imports.
const (
	Module = "github.com/filch-sched/filch"
	Hook   = Module + "/loom/cmd/loom/hook"
)

// swapped are the imports that become others.
var swapped = map[string]string{
	"sync":        Hook + "/sync",
	"sync/atomic": Hook + "/atomic",
}

// Plan says what becomes of the tests of a program.
type Plan struct {
	Explored map[*ast.FuncDecl]bool // tests whose body is explored
	Subtests map[*ast.FuncDecl]bool // tests whose subtests are explored

	// Foreign reports whether a package is one of others that synchronizes: what it
	// does there is no step.
	Foreign func(path string) bool

	// Track has accesses to plain memory watched. Those that cannot be are added
	// to Unwatched.
	Track     bool
	Own       map[*types.Package]bool // the user's packages
	Unwatched []token.Pos

	usages map[*load.Unit]*usage
}

func (p *Plan) usage(u *load.Unit) *usage {
	if p.usages == nil {
		p.usages = map[*load.Unit]*usage{}
	}
	if p.usages[u] == nil {
		p.usages[u] = usageOf(u)
	}
	return p.usages[u]
}

func (p *Plan) unwatched(pos token.Pos) { p.Unwatched = append(p.Unwatched, pos) }

// iterates reports whether the language of a unit has loops over functions.
func (p *Plan) iterates(u *load.Unit) bool {
	return u.Module.GoVersion == "" || version.Compare("go"+u.Module.GoVersion, "go1.23") >= 0
}

// rewriter rewrites one file.
type rewriter struct {
	editor
	plan  *Plan
	unit  *load.Unit
	file  *load.File
	hook  string // how the file calls package hook
	hooks bool   // whether it does
	lost  map[string]string

	waiting map[*ast.SelectorExpr]bool // calls in loops that only wait
	inside  map[ast.Node]bool          // sends and receives that are cases of a select, calls of go statements
	errs    []error
	n       int // names made
}

// File rewrites a file of a unit and returns the new source, nil if nothing
// changes.
func File(fset *token.FileSet, u *load.Unit, f *load.File, plan *Plan) ([]byte, error) {
	r := &rewriter{
		editor: editor{file: fset.File(f.AST.FileStart), fset: fset, src: f.Src},
		plan:   plan, unit: u, file: f, hook: freeName(u, f), lost: map[string]string{},
		waiting: map[*ast.SelectorExpr]bool{}, inside: map[ast.Node]bool{},
	}
	if err := r.imports(); err != nil {
		return nil, err
	}
	for _, d := range f.AST.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
			r.test(fn)
			r.waits(fn.Body)
			r.rounds(fn)
			r.names(fn)
			if plan.Track && !f.Cgo && !nosplit(fn) {
				r.track(fn.Body)
			}
		}
		ast.Inspect(d, r.visit)
	}
	if len(r.errs) > 0 {
		return nil, r.errs[0]
	}
	if len(r.edits) == 0 {
		return nil, nil
	}
	r.named()
	globals := r.globals()
	if r.hooks {
		r.insert(f.AST.Name.End(), fmt.Sprintf("; import %s %q", r.hook, Hook), 0)
	}
	out, err := r.apply()
	if err != nil {
		return nil, err
	}
	return append(out, r.keep()+globals...), nil
}

// named has the source go by the name of the user's file.
func (r *rewriter) named() {
	at := r.file.AST.Package
	if pos := r.fset.Position(at); pos.Filename == r.file.Path {
		r.insert(at, fmt.Sprintf("/*line %s:%d:%d*/", r.file.Path, pos.Line, pos.Column), 0)
	}
}

// Named returns the source of a file, unchanged but for its name: moved to another
// place it goes by the old one.
func Named(fset *token.FileSet, f *load.File) ([]byte, error) {
	r := &rewriter{editor: editor{file: fset.File(f.AST.FileStart), fset: fset, src: f.Src}, file: f}
	r.named()
	return r.apply()
}

// visit rewrites what one node calls for, and reports whether to look inside.
func (r *rewriter) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.GoStmt:
		r.inside[n.Call] = true
		r.goStmt(n)
	case *ast.SelectorExpr:
		r.selector(n)
	case *ast.CallExpr:
		r.arguments(n)
		r.called(n)
	case *ast.SendStmt:
		r.channel(n.Chan, n, "send on a channel")
	case *ast.UnaryExpr:
		if n.Op == token.ARROW {
			r.channel(n.X, n, "receive from a channel")
		}
	case *ast.RangeStmt:
		if t := r.typeOf(n.X); t != nil {
			if _, is := t.Underlying().(*types.Chan); is {
				r.channel(n.X, n, "range over a channel")
			}
		}
	case *ast.SelectStmt:
		r.selects(n)
	case *ast.CompositeLit:
		r.elements(n)
	case *ast.AssignStmt:
		r.assignment(n)
	case *ast.ValueSpec:
		r.values(n)
	}
	return true
}

// imports swaps the imports in place.
func (r *rewriter) imports() error {
	for _, spec := range r.file.AST.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return fmt.Errorf("loom: %v: %w", r.fset.Position(spec.Pos()), err)
		}
		to := swapped[path]
		if to == "" || spec.Name != nil && spec.Name.Name == "_" {
			continue
		}
		if spec.Name != nil && spec.Name.Name == "." {
			return fmt.Errorf("%v: loom: a dot import of %s cannot be followed: name the package", r.fset.Position(spec.Pos()), path)
		}
		r.replace(spec.Path.Pos(), spec.Path.End(), strconv.Quote(to))
	}
	return nil
}

// freeName returns a name that nothing in the file has.
func freeName(u *load.Unit, f *load.File) string {
	used := map[string]bool{}
	ast.Inspect(f.AST, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			used[id.Name] = true
		}
		return true
	})
	for name := "loomhook"; ; name += "_" {
		if !used[name] && u.Types.Scope().Lookup(name) == nil {
			return name
		}
	}
}

// call returns a reference to a function of package hook.
func (r *rewriter) call(name string) string {
	r.hooks = true
	return r.hook + "." + name
}

// name returns a name for a variable that nothing in the file has.
func (r *rewriter) name() string {
	r.n++
	return fmt.Sprintf("%s%d", r.hook, r.n)
}

// text returns the source of a node.
func (r *rewriter) text(n ast.Node) string {
	return string(r.src[r.offset(n.Pos()):r.offset(n.End())])
}

// typeOf returns the type of an expression, nil if it has none.
func (r *rewriter) typeOf(e ast.Expr) types.Type { return r.unit.Info.TypeOf(e) }

// keep returns declarations, to stand after the end of the source, that use the
// imports whose only use an edit may have taken away.
func (r *rewriter) keep() string {
	s := ""
	for _, qualified := range slices.Sorted(maps.Keys(r.lost)) {
		s += "\nvar _ = " + qualified
	}
	if s != "" {
		s += "\n"
	}
	return s
}

// nosplit reports whether a function must not call others.
func nosplit(fn *ast.FuncDecl) bool {
	if fn.Doc == nil {
		return false
	}
	for _, c := range fn.Doc.List {
		if strings.HasPrefix(c.Text, "//go:nosplit") || strings.HasPrefix(c.Text, "//go:norace") {
			return true
		}
	}
	return false
}
