// Package load finds the packages that a go command is about, and parses and
// type-checks those of the user's own modules.
package load

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
)

// Module is a module as go list prints it.
type Module struct {
	Path, Dir, GoMod, GoVersion string
	Main                        bool
}

// Package is a package as go list prints it. One that is compiled anew for a
// test has an ImportPath that ends in " [path.test]".
type Package struct {
	Dir, ImportPath, Name, ForTest string
	Standard, DepOnly              bool
	Module                         *Module
	GoFiles, CgoFiles              []string
	ImportMap                      map[string]string
	Imports, Deps                  []string
	Export                         string
}

// Path returns the import path without the mark of a test variant.
func (p *Package) Path() string {
	path, _, _ := strings.Cut(p.ImportPath, " ")
	return path
}

// Own reports whether the package is of one of the user's own modules.
func (p *Package) Own() bool { return p.Module != nil && p.Module.Main && !p.testMain() }

// testMain reports whether the package is the generated main of a test.
func (p *Package) testMain() bool {
	return p.Name == "main" && strings.HasSuffix(p.ImportPath, ".test")
}

// Go runs go commands where the user would.
type Go struct {
	Dir   string   // working directory, "" for that of the process
	Env   []string // nil for that of the process
	Flags []string // build flags, for every command that builds or lists
}

// errGo is the failure of a go command, with what it printed.
type errGo struct {
	command string
	text    string
}

func (e *errGo) Error() string { return fmt.Sprintf("%s: %s", e.command, e.text) }

// Text returns what a failed go command printed, if err is about one.
func Text(err error) (string, bool) {
	var e *errGo
	if errors.As(err, &e) {
		return e.text, true
	}
	return "", false
}

// Output runs go with the arguments, without g.Flags, and returns what it
// printed to its standard output.
func (g Go) Output(args ...string) ([]byte, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Env = g.Dir, g.Env
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			return nil, fmt.Errorf("loom: cannot run the go command: %w", err)
		}
		return nil, &errGo{"go " + args[0], strings.TrimSpace(errs.String())}
	}
	return out.Bytes(), nil
}

const fields = "-json=Dir,ImportPath,Name,ForTest,Standard,DepOnly,Module,GoFiles,CgoFiles,ImportMap,Imports,Deps,Export"

// List lists the packages that match the patterns, with their tests and all that
// they need, dependencies first.
func (g Go) List(patterns []string) ([]*Package, error) {
	args := append([]string{"list", "-deps", "-test", fields}, g.Flags...)
	return g.list(append(append(args, "--"), patterns...))
}

// exports returns the files with the export data of packages, by import path.
// It builds what is not in the build cache.
func (g Go) exports(paths []string) (map[string]string, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	args := append([]string{"list", "-export", "-deps", fields}, g.Flags...)
	all, err := g.list(append(append(args, "--"), paths...))
	if err != nil {
		return nil, err
	}
	files := make(map[string]string, len(all))
	for _, p := range all {
		files[p.ImportPath] = p.Export
	}
	return files, nil
}

func (g Go) list(args []string) ([]*Package, error) {
	out, err := g.Output(args...)
	if err != nil {
		return nil, err
	}
	var all []*Package
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		p := new(Package)
		switch err := dec.Decode(p); err {
		case nil:
			all = append(all, p)
		case io.EOF:
			return all, nil
		default:
			return nil, fmt.Errorf("loom: the output of go list: %w", err)
		}
	}
}
