package trace

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"hash"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Source knows in which function a place is.
type Source struct {
	functions map[string][]function // by the base name of the file
	sum       hash.Hash             // of all that was read
}

type function struct {
	name     string // Type.Method, or the name of a function
	from, to int    // lines
}

// Source reads the subject's files in the module in the folder root. Overlay has, for
// files that were compiled in another version, by path where that is.
func (of *Subject) Source(root string, overlay map[string]string) (Source, error) {
	s := Source{map[string][]function{}, sha256.New()}
	for _, pattern := range of.files {
		names, err := fs.Glob(os.DirFS(root), pattern)
		if err != nil {
			return s, fmt.Errorf("trace: %w", err)
		}
		if len(names) == 0 {
			return s, fmt.Errorf("trace: there is no %s in %s", pattern, root)
		}
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			if err := s.read(filepath.Join(root, filepath.FromSlash(name)), overlay); err != nil {
				return s, err
			}
		}
	}
	return s, nil
}

func (s Source) read(name string, overlay map[string]string) error {
	text := name
	if abs, err := filepath.Abs(name); err == nil && overlay[abs] != "" {
		text = overlay[abs]
	}
	source, err := os.ReadFile(text)
	if err != nil {
		return fmt.Errorf("trace: %w", err)
	}
	fmt.Fprintf(s.sum, "%s %d\n%s", filepath.Base(name), len(source), source)
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, source, parser.SkipObjectResolution)
	if err != nil {
		return fmt.Errorf("trace: %w", err)
	}
	var all []function
	for _, d := range file.Decls {
		if f, is := d.(*ast.FuncDecl); is {
			all = append(all, function{nameOf(f), set.Position(f.Pos()).Line, set.Position(f.End()).Line})
		}
	}
	base := filepath.Base(name)
	if len(s.functions[base]) > 0 && len(all) > 0 {
		return fmt.Errorf("trace: two files with functions are called %s, and a place has no more than that", base)
	}
	if len(all) > 0 {
		s.functions[base] = all
	}
	return nil
}

// nameOf is the name of a function, after that of its receiver's type.
func nameOf(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	t := f.Recv.List[0].Type
	for {
		switch of := t.(type) {
		case *ast.StarExpr:
			t = of.X
		case *ast.IndexExpr:
			t = of.X
		case *ast.Ident:
			return of.Name + "." + f.Name.Name
		default:
			return f.Name.Name
		}
	}
}

// Sum is the SHA-256 of the files, in base 16. Places are of one version of them.
func (s Source) Sum() string { return hex.EncodeToString(s.sum.Sum(nil)) }

// Function returns the function that a place is in; empty if that is in no file of
// the subject.
func (s Source) Function(place string) (string, error) {
	file, digits, _ := strings.Cut(place, ":")
	functions := s.functions[file]
	if functions == nil {
		return "", nil
	}
	line, err := strconv.Atoi(digits)
	if err != nil {
		return "", fmt.Errorf("%q is no place", place)
	}
	at := slices.IndexFunc(functions, func(f function) bool { return f.from <= line && line <= f.to })
	if at < 0 {
		return "", fmt.Errorf("%s is in no function: the record is of another version of the source", place)
	}
	return functions[at].name, nil
}
