package fuzz

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"

	"github.com/filch-sched/filch/loom/cmd/loom/hook"
)

// place is the directory of the package whose test runs, as a path from the root of its
// module, "." if that is the root or there is no module. A test starts in the directory of
// its package.
func place() string {
	dir, err := os.Getwd()
	if err != nil {
		return "."
	}
	for root := dir; ; root = filepath.Dir(root) {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
			if at, err := filepath.Rel(root, dir); err == nil {
				return filepath.ToSlash(at)
			}
			return "."
		}
		if root == filepath.Dir(root) {
			return "."
		}
	}
}

// inModule is a file below the directory of the package as a path from the root of the
// module, where the commands that are printed are to be run.
func inModule(file string) string { return path.Join(place(), filepath.ToSlash(file)) }

// pkg is the package whose test runs as go test takes it anywhere in its module: by its
// import path, which is that of the test binary without its ending. Without one it is a
// path from the root of the module.
func pkg() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		if path, ok := strings.CutSuffix(info.Path, ".test"); ok && path != "" && path != "command-line-arguments" {
			return path
		}
	}
	if at := place(); at != "." {
		return "./" + at
	}
	return "."
}

// goTest is go test for this build: through the command loom if that runs it.
func goTest() string {
	if hooked := hook.Command(); hooked != "" {
		return hooked
	}
	return "go test" + tags()
}

// testCommand runs the target of a name, and nothing else, in this build.
func testCommand(target string) string {
	return fmt.Sprintf("%s -count=1 -run '^%s$' %s", goTest(), target, pkg())
}

// savedCommand runs the programs that the target has saved and none of its inputs, and
// says what came of it, which go test does not of what passes.
func savedCommand(target string) string {
	return fmt.Sprintf("%s -v -count=1 -run '^%s$/%s' %s", goTest(), target, noInput, pkg())
}

// loomCommand fuzzes the target under the tag loom.
func loomCommand(target string) string {
	return fmt.Sprintf("go test -tags loom -run '^$' -fuzz '^%s$' %s", target, pkg())
}

// pattern is what -run takes for the test of a name alone.
func pattern(name string) string {
	parts := strings.Split(name, "/")
	for i, part := range parts {
		parts[i] = "^" + regexp.QuoteMeta(part) + "$"
	}
	return "'" + strings.Join(parts, "/") + "'"
}
