package look

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

const (
	loomPath = "github.com/filch-sched/filch/loom"
	hereNow  = "in an exploration no time passes"
)

// known are functions of the standard library and of the best known package
// beside it that an exploration does not see through, by their full names.
var known = map[string]Fact{
	"time.AfterFunc":            {Kind: Blocks, What: "time.AfterFunc: its timer runs in real time"},
	"time.NewTimer":             {Kind: Blocks, What: "time.NewTimer: its timer runs in real time"},
	"time.NewTicker":            {Kind: Blocks, What: "time.NewTicker: its timer runs in real time"},
	"time.Tick":                 {Kind: Blocks, What: "time.Tick: its timer runs in real time"},
	"time.After":                {Kind: Blocks, What: "time.After: its timer runs in real time"},
	"time.Sleep":                {Kind: Unseen, What: "time.Sleep: " + hereNow + ", so it returns at once; what it was to wait for may come later"},
	"time.Now":                  {Kind: Unseen, What: "time.Now: " + hereNow},
	"time.Since":                {Kind: Unseen, What: "time.Since: " + hereNow},
	"time.Until":                {Kind: Unseen, What: "time.Until: " + hereNow},
	"context.WithTimeout":       {Kind: Unseen, What: "context.WithTimeout: its deadline is one of real time"},
	"context.WithTimeoutCause":  {Kind: Unseen, What: "context.WithTimeoutCause: its deadline is one of real time"},
	"context.WithDeadline":      {Kind: Unseen, What: "context.WithDeadline: its deadline is one of real time"},
	"context.WithDeadlineCause": {Kind: Unseen, What: "context.WithDeadlineCause: its deadline is one of real time"},
	"context.AfterFunc":         {Kind: Blocks, What: "context.AfterFunc: it starts a goroutine that cannot be followed"},
	"io.Pipe":                   {Kind: Blocks, What: "io.Pipe: its ends wait for each other"},
	"runtime.SetFinalizer":      {Kind: Unseen, What: "runtime.SetFinalizer: finalizers run when the garbage collector pleases"},
	"runtime.AddCleanup":        {Kind: Unseen, What: "runtime.AddCleanup: cleanups run when the garbage collector pleases"},
	"runtime.NumGoroutine":      {Kind: Unseen, What: "runtime.NumGoroutine: threads of an exploration are other goroutines than the program's"},

	"testing/synctest.Test": {Kind: Blocks, What: "testing/synctest: its bubble and an exploration exclude each other"},
	"testing/synctest.Run":  {Kind: Blocks, What: "testing/synctest: its bubble and an exploration exclude each other"},

	"(*golang.org/x/sync/errgroup.Group).Go":    {Kind: Blocks, What: "errgroup: its goroutines cannot be followed"},
	"(*golang.org/x/sync/errgroup.Group).TryGo": {Kind: Blocks, What: "errgroup: its goroutines cannot be followed"},
}

// unseenPackages are packages of the standard library whose every function makes
// an execution depend on more than its schedule, or waits for the world outside.
var unseenPackages = map[string]string{
	"math/rand":    "random numbers: executions that differ in them are refused",
	"math/rand/v2": "random numbers: executions that differ in them are refused",
	"crypto/rand":  "random numbers: executions that differ in them are refused",
	"net":          "the network: loom does not see who waits for it",
	"net/http":     "the network: loom does not see who waits for it",
	"os/exec":      "other processes: loom does not see who waits for them",
	"os/signal":    "signals: loom does not see who waits for them",
}

// call notes what a call does.
func (g *Graph) call(n *node, c *ast.CallExpr) {
	info := n.unit.Info
	if id, ok := ast.Unparen(c.Fun).(*ast.Ident); ok {
		if b, ok := info.Uses[id].(*types.Builtin); ok && b.Name() == "close" {
			n.fact(Blocks, c.Pos(), "close of a channel")
		}
		return
	}
	sel, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr)
	if !ok {
		return
	}
	f, ok := info.Uses[sel.Sel].(*types.Func)
	if ok && f.FullName() == "(*sync.WaitGroup).Go" && len(c.Args) == 1 {
		n.fact(Starts, c.Pos(), "WaitGroup.Go")
		g.thread(n, c.Args[0])
	}
}

// selector notes a field, or a function or variable of another package.
func (g *Graph) selector(n *node, s *ast.SelectorExpr, write bool) {
	info := n.unit.Info
	if sel := info.Selections[s]; sel != nil && sel.Kind() == types.FieldVal {
		if v, ok := sel.Obj().(*types.Var); ok {
			n.access = append(n.access, access{obj: v.Origin(), pos: s.Sel.Pos(), write: write})
		}
		return
	}
	if id, ok := s.X.(*ast.Ident); ok {
		if p, ok := info.Uses[id].(*types.PkgName); ok && p.Imported().Path() == "C" {
			n.fact(Unseen, s.Pos(), "cgo: what C does is no step, and its memory is not watched")
		}
	}
}

// ident notes the use of a function or a variable.
func (g *Graph) ident(n *node, id *ast.Ident, write bool) {
	switch obj := n.unit.Info.Uses[id].(type) {
	case *types.Func:
		n.mention(obj.Origin(), id.Pos())
	case *types.Var:
		if obj.IsField() || obj.Pkg() == nil {
			return
		}
		captured := n.lit != nil && (obj.Pos() < n.lit.Pos() || obj.Pos() > n.lit.End())
		if global(obj) || captured || write {
			n.access = append(n.access, access{obj: obj, pos: id.Pos(), write: write, captured: captured})
		}
	}
}

// mention notes that n mentions a function.
func (n *node) mention(f *types.Func, pos token.Pos) {
	n.calls = append(n.calls, f)
	if f.Pkg() == nil {
		return
	}
	path := f.Pkg().Path()
	if fact, ok := known[f.FullName()]; ok {
		n.fact(fact.Kind, pos, fact.What)
	} else if what := unseenPackages[path]; what != "" {
		n.fact(Unseen, pos, path+"."+f.Name()+": "+what)
	} else if path == loomPath && f.Name() != "Choose" && f.Name() != "Yield" {
		n.fact(Checks, pos, f.Name())
	} else if first, _, _ := strings.Cut(path, "/"); strings.Contains(first, ".") {
		n.facts = append(n.facts, Fact{Foreign, pos, f.Name(), path})
	}
}

// global reports whether v is a variable of a package.
func global(v *types.Var) bool { return v.Parent() == v.Pkg().Scope() }
