package tla_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// action is one action of RingQueue, with what its name and its comment say.
type action struct {
	name      string   // as PushP1Again
	operation string   // as Push
	step      string   // as P1
	functions []string // as Ring.pushFull
	text      string   // what the step is, in words
}

var (
	actionName    = regexp.MustCompile(`^(Push|Pop|Batch|Steal)([A-Z]\d)[A-Za-z]*$`)
	actionComment = regexp.MustCompile(`^((?:Ring|Stealer)\.\w+(?: and Ring\.\w+)?), ([A-Z]\d): (.*?)\.(?: |$)`)
	commentBefore = regexp.MustCompile(`(?m)((?:^\(\*.*\*\)\n)+)(\w+)\(w\) ==$`)
)

// actions returns the actions of RingQueue, the disjuncts of Step.
func actions(t *testing.T) []action {
	spec := load(t, "RingQueue")
	step := regexp.MustCompile(`(?s)\nStep\(w\) ==\n(.*?)\n\n`).FindStringSubmatch(spec.text)
	require.NotNil(t, step)
	comments := map[string]string{}
	for _, c := range commentBefore.FindAllStringSubmatch(spec.text, -1) {
		comments[c[2]] = strings.Join(strings.Fields(strings.NewReplacer("(*", "", "*)", "").Replace(c[1])), " ")
	}
	var all []action
	for _, name := range regexp.MustCompile(`\w+\(w\)`).FindAllString(step[1], -1) {
		name = strings.TrimSuffix(name, "(w)")
		parts := actionName.FindStringSubmatch(name)
		require.NotNil(t, parts, "action %s is not named after an operation and a step", name)
		says := actionComment.FindStringSubmatch(comments[name])
		require.NotNil(t, says, "action %s has no comment \"Type.function, step: ...\" but %q", name, comments[name])
		require.Equal(t, parts[2], says[2], "step of action %s", name)
		all = append(all, action{name, parts[1], parts[2], strings.Split(says[1], " and "), says[3]})
	}
	return all
}

// steps returns the steps of each operation as the package documentation of
// queue has them.
func steps(t *testing.T) map[string][]string {
	doc := regexp.MustCompile(`(?s)// # The order of steps\n.*?//\n((?://\t.*?\n)+)//\n`).FindStringSubmatch(read(t, "../queue/doc.go"))
	require.NotNil(t, doc)
	all := map[string][]string{}
	operation := ""
	for _, line := range strings.Split(strings.TrimSpace(doc[1]), "\n") {
		line = strings.TrimPrefix(line, "//\t")
		if word, _, _ := strings.Cut(line, " "); word != "" {
			operation = word
		}
		for _, label := range regexp.MustCompile(`\b[A-Z]\d\b`).FindAllString(line, -1) {
			if !slices.Contains(all[operation], label) {
				all[operation] = append(all[operation], label)
			}
		}
	}
	return all
}

// TestActionsAreTheStepsOfTheDocumentation, in both directions, so that the
// two cannot drift apart. Inject has a specification of its own.
func TestActionsAreTheStepsOfTheDocumentation(t *testing.T) {
	documented := steps(t)
	require.Contains(t, documented, "Inject")
	delete(documented, "Inject")
	modelled := map[string][]string{}
	for _, a := range actions(t) {
		if !slices.Contains(modelled[a.operation], a.step) {
			modelled[a.operation] = append(modelled[a.operation], a.step)
		}
	}
	require.Equal(t, documented, modelled)
}

// methods returns the methods of a package, as Type.Name, and its functions.
func methods(t *testing.T, dir string) map[string]bool {
	files, err := filepath.Glob("../" + dir + "/*.go")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	functions := map[string]bool{}
	for _, name := range files {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		for _, d := range f.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv != nil {
				functions[receiver(f)+"."+f.Name.Name] = true
			}
		}
	}
	return functions
}

func TestActionsNameFunctionsOfPackageQueue(t *testing.T) {
	functions := methods(t, "queue")
	for _, a := range actions(t) {
		for _, f := range a.functions {
			require.True(t, functions[f], "action %s names %s, which is no function of package queue", a.name, f)
		}
	}
}

// TestCommentsNameFunctions: the comment before an action begins with the function
// that takes the step, and, where the package documentation has labels of steps,
// with the label that ends the action's name or is part of it.
func TestCommentsNameFunctions(t *testing.T) {
	comment := regexp.MustCompile(`(?m)^\(\* ((?:\w+\.\w+ and )?\w+\.\w+)(?:, ([A-Z]\d))?(?:[:,. ].*\*\)| +\*\))\n(?:\(\*.*\*\)\n)*(\w+)(?:\([a-z, ]+\))? ==$`)
	for _, c := range []struct {
		module, dir string
		labels      bool
		least       int
	}{{"Park", "park", true, 15}, {"Inject", "queue", true, 11}, {"Idle", "idle", true, 18}, {"Sched", "sched", false, 11}, {"SchedWork", "sched", false, 14}} {
		functions, found := methods(t, c.dir), 0
		if c.dir == "sched" {
			for name := range methods(t, "park") {
				functions[name] = true
			}
		}
		for _, m := range comment.FindAllStringSubmatch(load(t, c.module).text, -1) {
			found++
			for _, f := range strings.Split(m[1], " and ") {
				require.True(t, functions[f], "action %s of %s names %s, which is no function of package %s", m[3], c.module, f, c.dir)
			}
			if c.labels && !strings.HasSuffix(m[3], "Call") {
				require.Contains(t, m[3], m[2], "%s: the step of action %s", c.module, m[3])
			}
		}
		require.GreaterOrEqual(t, found, c.least, "%s: actions with a comment that begins with a function", c.module)
	}
}

// receiver returns the name of a method's receiver type.
func receiver(f *ast.FuncDecl) (name string) {
	ast.Inspect(f.Recv.List[0].Type, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && name == "" {
			name = id.Name
		}
		return name == ""
	})
	return name
}
