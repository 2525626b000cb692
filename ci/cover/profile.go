package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// module is what the names of files begin with in a profile.
const module = "github.com/filch-sched/filch/"

// block is some statements that run together.
type block struct {
	file       string // from the module's root
	line, last int
}

// profile has, of each block, how many statements it has and whether they ran.
type profile map[block]*counted

type counted struct {
	statements int
	ran        bool
}

var blockRE = regexp.MustCompile(`^(\S+):(\d+)\.\d+,(\d+)\.\d+ (\d+) (\d+)$`)

// parse reads a profile as go test writes it. A block that is there more than once
// ran if it did once.
func parse(text string) (profile, error) {
	p := profile{}
	for i, line := range strings.Split(strings.TrimSpace(text), "\n") {
		if strings.HasPrefix(line, "mode: ") {
			continue
		}
		m := blockRE.FindStringSubmatch(line)
		if m == nil {
			return nil, fmt.Errorf("line %d is none of a profile: %q", i+1, line)
		}
		n := make([]int, 4)
		for k := range n {
			n[k], _ = strconv.Atoi(m[k+2])
		}
		b := block{strings.TrimPrefix(m[1], module), n[0], n[1]}
		c := p[b]
		if c == nil {
			c = &counted{statements: n[2]}
			p[b] = c
		}
		c.ran = c.ran || n[3] > 0
	}
	if len(p) == 0 {
		return nil, fmt.Errorf("the profile is empty")
	}
	return p, nil
}

// share is how many statements of some ran.
type share struct{ ran, all int }

func (s share) percent() float64 { return 100 * float64(s.ran) / float64(max(s.all, 1)) }

func (s share) String() string {
	return fmt.Sprintf("%d of %d statements, %.1f %%", s.ran, s.all, s.percent())
}

// share is that of a package, or of all.
func (p profile) share(pkg string) (s share) {
	for b, c := range p {
		if pkg != "" && filepath.Dir(b.file) != pkg {
			continue
		}
		s.all += c.statements
		if c.ran {
			s.ran += c.statements
		}
	}
	return s
}

// rarely has the functions with statements that no run reaches, or few do, and why.
var rarely = map[string]string{
	"queue.reexport":   "never called: it makes the compiler build an instance",
	"sched.worker":     "of an architecture without gid",
	"sched.GoTask":     "of an architecture without gid",
	"sched.submit":     "of an architecture without gid",
	"sched.onWorker":   "of an architecture without gid",
	"sched.New":        "the options have been checked before",
	"sched.build":      "the options have been checked before",
	"sched.newWorker":  "the options have been checked before",
	"idle.choose":      "needs two who wake at the same time",
	"sched.reap":       "needs two who shut down at the same time; rings that cannot be made",
	"sched.run":        "needs a worker to be quicker than who cancels its tasks",
	"sched.steal":      "needs two thieves at one ring",
	"queue.StealInto":  "needs a thief between the steps of another",
	"queue.pushFull":   "needs a thief between the steps of its victim",
	"sched.PushBatch":  "needs a full ring after Close",
	"sched.Push":       "needs a thief at a full ring",
	"sched.sleep":      "needs the end to come while a worker goes to sleep",
	"sched.drained":    "needs a task to come in while a worker goes to sleep",
	"sched.pending":    "needs a task to come in while a worker goes to sleep",
	"park.ParkTimeout": "needs an Unpark while the owner goes to sleep",
	"park.sleep":       "needs an Unpark while the owner goes to sleep",
	"queue.Len":        "needs an owner between two loads of a thief",
}

// missing lists the statements that did not run, with the functions that they are
// in, whose source is below root.
func (p profile) missing(root string) ([]string, error) {
	var blocks []block
	for b, c := range p {
		if !c.ran {
			blocks = append(blocks, b)
		}
	}
	slices.SortFunc(blocks, func(a, b block) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.line, b.line))
	})
	var out []string
	for _, b := range blocks {
		f, err := function(filepath.Join(root, b.file), b.line)
		if err != nil {
			return nil, err
		}
		name := filepath.Dir(b.file) + "." + f
		why := rarely[name]
		if why != "" {
			why = ": " + why
		}
		out = append(out, fmt.Sprintf("%s:%d %s, %d statements%s", b.file, b.line, name, p[b].statements, why))
	}
	return out, nil
}

// function is the name of the function that a line is in.
func function(file string, line int) (string, error) {
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, file, nil, parser.SkipObjectResolution)
	if err != nil {
		return "", err
	}
	for _, d := range tree.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && set.Position(f.Pos()).Line <= line && line <= set.Position(f.End()).Line {
			return f.Name.Name, nil
		}
	}
	return "", fmt.Errorf("%s:%d is in no function", file, line)
}
