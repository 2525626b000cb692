//go:build !loom && !race

package main_test

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// command builds the command for directories in which there is no module to run
// it as a tool of.
var command = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "loom-test-")
	if err != nil {
		return "", err
	}
	name := filepath.Join(dir, "loom.exe")
	out, err := exec.Command("go", "build", "-o", name, ".").CombinedOutput()
	if err != nil {
		return "", &exec.ExitError{Stderr: out}
	}
	return name, nil
})

func TestMain(m *testing.M) {
	status := m.Run()
	if name, err := command(); err == nil {
		os.RemoveAll(filepath.Dir(name))
	}
	os.Exit(status)
}

// TestErrors: every way to use the command wrongly is answered in a sentence.
func TestErrors(t *testing.T) {
	name, err := command()
	require.NoError(t, err)
	const simple = "package try\n\nimport \"testing\"\n\nfunc TestX(t *testing.T) { go func() {}() }\n"
	for _, c := range []struct {
		name  string
		files files
		args  string
		want  []string
	}{
		{"no module", files{"x_test.go": simple, "go.mod": ""}, "go test .",
			[]string{"loom: there is no go.mod here"}},
		{"filch is no tool", files{"x_test.go": simple, "go.mod": "module example.com/try\n\ngo 1.26\n"}, "go test .",
			[]string{"loom: this module does not have filch among its tools: go get -tool github.com/filch-sched/filch/loom/cmd/loom"}},
		{"another command", files{}, "go build .", []string{`loom: "go build .": only go test can be run`}},
		{"no command", files{}, "", []string{"usage: go tool loom"}},
		{"another backend", files{}, "-backend=magic go test", []string{`loom: -backend "magic": there are overlay and copy`}},
		{"a negative bound", files{}, "-for=-1s go test", []string{"loom: -for -1s is negative"}},
		{"a bad expression", files{}, "-explore=( go test", []string{"loom: -explore: error parsing regexp"}},
		{"a flag without its value", files{}, "go test -tags", []string{"loom: flag -tags needs a value"}},
		{"no such package", files{"x_test.go": simple}, "go test ./none", []string{"none: directory not found"}},
		{"no overlay", files{"x_test.go": simple}, "go test -overlay none.json .", []string{"loom: -overlay:"}},
		{"dot import", files{"x_test.go": "package try\n\nimport . \"sync/atomic\"\n\nvar X Int32\n"}, "go test .",
			[]string{"x_test.go:3:8: loom: a dot import of sync/atomic cannot be followed: name the package"}},
		{"syntax error", files{"x_test.go": "package try\n\nfunc TestX(\n"}, "go test .", []string{"x_test.go:3:"}},
		{"type error", files{"x_test.go": strings.Replace(simple, "go func", "undefined(); go func", 1)}, "go test .",
			[]string{"loom: this does not build:", "x_test.go:5:28: undefined: undefined"}},
		{"nothing to explore", files{"x_test.go": strings.Replace(simple, "go func() {}()", "", 1)}, "go test .",
			[]string{"loom: NOTHING WAS EXPLORED"}},
		{"no test of that name", files{"x_test.go": simple}, "-explore=Nope go test .", []string{"loom: NOTHING WAS EXPLORED"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := module(t, c.files)
			if text, given := c.files["go.mod"]; given && text == "" {
				require.NoError(t, os.Remove(filepath.Join(dir, "go.mod")))
			}
			r := run(t, dir, nil, name, strings.Fields(c.args)...)
			require.NotZero(t, r.status, "%s", r.all())
			for _, want := range c.want {
				require.Contains(t, r.err, want)
			}
		})
	}
}

// TestBuildFailureIsToldInTheUsersFiles: a mutex that is handed to a package
// which cannot be rewritten has another type.
func TestBuildFailureIsToldInTheUsersFiles(t *testing.T) {
	for _, backend := range []string{"overlay", "copy"} {
		t.Run(backend, func(t *testing.T) {
			dir := module(t, files{
				"other/go.mod":   "module example.com/other\n\ngo 1.26\n",
				"other/other.go": "package other\n\nimport \"sync\"\n\nfunc Do(mu *sync.Mutex) { mu.Lock(); mu.Unlock() }\n",
				"inner/try.go": "package inner\n\nimport (\n\t\"sync\"\n\n\t\"example.com/other\"\n)\n\n" +
					"func Do() {\n\tvar mu sync.Mutex; other.Do(&mu)\n}\n",
				"inner/try_test.go": "package inner\n\nimport \"testing\"\n\nfunc TestX(t *testing.T) { go Do() }\n",
			}, "require example.com/other v0.0.0", "replace example.com/other => ./other")
			r := fails(t, dir, "-backend="+backend, "go", "test", "./...")
			require.Contains(t, r.err, "inner/try.go:10:30: cannot use &mu")
			require.Contains(t, r.err, "loom: the rewritten source does not build")
			require.NotContains(t, r.all(), "/loom-", "no name of a temporary file")
		})
	}
}

// TestLinesOfGeneratedCode: what a line directive of the user's says holds.
func TestLinesOfGeneratedCode(t *testing.T) {
	dir := module(t, files{"gen_test.go": `package try

import (
	"sync/atomic"
	"testing"
)

//line grammar.y:100
func TestX(t *testing.T) {
	var n atomic.Int32
	go func() { n.Add(1) }()
	if n.Load() == 1 {
		t.Errorf("it is one")
	}
}
`})
	r := fails(t, dir, "go", "test", ".")
	require.Contains(t, r.out, "grammar.y:104: it is one")
	require.Regexp(t, `grammar\.y:102 .* Add \+1 = 1`, r.out)
}

// TestConcurrentRuns do not disturb each other, and leave nothing behind.
func TestConcurrentRuns(t *testing.T) {
	dir := module(t, counter)
	temp := t.TempDir()
	var wg sync.WaitGroup
	results := make([]result, 3)
	passes(t, dir, "go", "test", "-run", "Good", ".") // builds the tool
	for i := range results {
		wg.Go(func() {
			results[i] = run(t, dir, []string{"TMPDIR=" + temp, "TMP=" + temp, "TEMP=" + temp}, "go", "tool", "loom", "go", "test", "-run", "Good", ".")
		})
	}
	wg.Wait()
	for _, r := range results {
		require.Zero(t, r.status, "%s", r.all())
		require.Contains(t, r.err, "loom: exhausted TestGood")
	}
	left, err := filepath.Glob(filepath.Join(temp, "loom-*"))
	require.NoError(t, err)
	require.Empty(t, left)
}

// TestVendor: a module with its dependencies beside it.
func TestVendor(t *testing.T) {
	dir := module(t, counter)
	vendored := run(t, dir, nil, "go", "mod", "vendor")
	require.Zero(t, vendored.status, "%s", vendored.all())
	require.FileExists(t, filepath.Join(dir, "vendor", "github.com", "filch-sched", "filch", "loom", "internal", "machine", "machine.go"))
	for _, backend := range []string{"overlay", "copy"} {
		r := fails(t, dir, "-backend="+backend, "go", "test", "./...")
		require.Contains(t, r.out, "counter_test.go:20: counted 1", "%s", r.err)
		require.Contains(t, r.err, "loom: exhausted TestGood")
	}
}

// TestWorkspace: all modules of a workspace are the user's.
func TestWorkspace(t *testing.T) {
	lib := maps.Clone(counter)
	delete(lib, "counter_test.go")
	use := strings.NewReplacer("package try", "package use", "(*Counter)", "(*try.Counter)", "*Counter", "*try.Counter", "var c Counter", "var c try.Counter",
		"\"testing\"", "\"testing\"\n\n\t\"example.com/try\"").Replace(counter["counter_test.go"])
	all := files{
		"go.work":         "go 1.26\n\nuse ./lib\n\nuse ./use\n",
		"go.mod":          "",
		"lib/go.mod":      "module example.com/try\n\ngo 1.26\n",
		"lib/counter.go":  lib["counter.go"],
		"use/go.mod":      goMod(t, "example.com/use"),
		"use/use_test.go": use,
	}
	dir := module(t, all)
	require.NoError(t, os.Remove(filepath.Join(dir, "go.mod")))
	for _, backend := range []string{"overlay", "copy"} {
		t.Run(backend, func(t *testing.T) {
			r := fails(t, filepath.Join(dir, "use"), "-backend="+backend, "go", "test", "./...")
			require.Contains(t, r.out, "counted 1", "%s", r.err)
			require.Regexp(t, `counter\.go:9 .* Load = 0`, r.out, "the library is explored, too")
			require.Contains(t, r.err, "loom: exhausted TestGood")
			replay(t, filepath.Join(dir, "use"), r)
		})
	}
}

// TestFilchItself can be tested with its own command: what the command stands on
// is not rewritten.
func TestFilchItself(t *testing.T) {
	name, err := command()
	require.NoError(t, err)
	r := run(t, "../../..", nil, name, "go", "test", "-count=1", "-run", "^TestToken", "./park")
	require.Contains(t, r.out, "ok  \tgithub.com/filch-sched/filch/park", "%s", r.all())
}
