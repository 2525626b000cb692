package load

import (
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// File is a file of the user's.
type File struct {
	Path string // absolute: what go takes as the file's name
	Src  []byte
	AST  *ast.File
	Cgo  bool
}

// Unit is one compilation of a package of the user's: the package itself, the
// package with its tests, or the package of its external tests.
type Unit struct {
	*Package
	Files []*File
	Types *types.Package
	Info  *types.Info
}

// Program is what a go command is about.
type Program struct {
	Fset  *token.FileSet
	All   []*Package // dependencies first
	Units []*Unit    // the user's, dependencies first

	byPath map[string]*Package
	files  map[string]*File // by path: units share files
}

// Package returns the package with the import path, as go list has it; nil if
// there is none.
func (p *Program) Package(path string) *Package { return p.byPath[path] }

// Load lists, parses and checks. skip tells which of the user's packages are to
// be taken for others'. The files of overlay, by path, are read in place of what
// the disk has.
func Load(g Go, patterns []string, overlay map[string]string, skip func(*Package) bool) (*Program, error) {
	all, err := g.List(patterns)
	if err != nil {
		return nil, err
	}
	p := &Program{Fset: token.NewFileSet(), All: all, byPath: map[string]*Package{}, files: map[string]*File{}}
	var others []string
	for _, pkg := range all {
		p.byPath[pkg.ImportPath] = pkg
		switch {
		case pkg.Own() && !skip(pkg):
			p.Units = append(p.Units, &Unit{Package: pkg})
		case pkg.ImportPath != "unsafe" && !pkg.testMain() && pkg.ForTest == "":
			others = append(others, pkg.ImportPath)
		}
	}
	exports, err := g.exports(others)
	if err != nil {
		return nil, err
	}
	c := checker{Program: p, exports: exports, done: map[string]*types.Package{}}
	c.gc = importer.ForCompiler(p.Fset, "gc", c.export)
	for _, u := range p.Units {
		if err := c.check(u, overlay); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// checker checks the units in order.
type checker struct {
	*Program
	exports map[string]string
	done    map[string]*types.Package // units, by import path as go list has it
	gc      types.Importer
	unit    *Unit
}

func (c *checker) export(path string) (io.ReadCloser, error) {
	file := c.exports[path]
	if file == "" {
		return nil, fmt.Errorf("loom: no export data of %s", path)
	}
	return os.Open(file)
}

// Import is part of types.Importer.
func (c *checker) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if mapped := c.unit.ImportMap[path]; mapped != "" {
		path = mapped
	}
	if pkg := c.done[path]; pkg != nil {
		return pkg, nil
	}
	if c.exports[path] == "" { // a package of others', compiled anew because it imports what is tested
		path, _, _ = strings.Cut(path, " ")
	}
	return c.gc.Import(path)
}

// parse returns the files of a unit, each parsed once.
func (c *checker) parse(u *Unit, overlay map[string]string) error {
	var errs []error
	for _, name := range slices.Concat(u.GoFiles, u.CgoFiles) {
		path := name
		if !filepath.IsAbs(path) {
			path = filepath.Join(u.Dir, name)
		}
		f := c.files[path]
		if f == nil {
			from := path
			if replaced := overlay[path]; replaced != "" {
				from = replaced
			}
			src, err := os.ReadFile(from)
			if err != nil {
				return fmt.Errorf("loom: %w", err)
			}
			parsed, err := parser.ParseFile(c.Fset, path, src, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				errs = append(errs, err)
				continue
			}
			f = &File{Path: path, Src: src, AST: parsed, Cgo: slices.Contains(u.CgoFiles, name)}
			c.files[path] = f
		}
		u.Files = append(u.Files, f)
	}
	return errors.Join(errs...)
}

// check parses and checks a unit.
func (c *checker) check(u *Unit, overlay map[string]string) error {
	if err := c.parse(u, overlay); err != nil {
		return err
	}
	u.Info = &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{},
		Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
		Implicits: map[ast.Node]types.Object{}, Scopes: map[ast.Node]*types.Scope{},
		Instances: map[*ast.Ident]types.Instance{},
	}
	var errs []error
	conf := types.Config{
		Importer: c, FakeImportC: true, Sizes: types.SizesFor("gc", build.Default.GOARCH),
		Error: func(err error) {
			if len(errs) < 10 {
				errs = append(errs, err)
			}
		},
	}
	if u.Module.GoVersion != "" {
		conf.GoVersion = "go" + u.Module.GoVersion
	}
	asts := make([]*ast.File, len(u.Files))
	for i, f := range u.Files {
		asts[i] = f.AST
	}
	c.unit = u
	u.Types, _ = conf.Check(u.Path(), c.Fset, asts, u.Info)
	c.done[u.ImportPath] = u.Types
	return errors.Join(errs...)
}
