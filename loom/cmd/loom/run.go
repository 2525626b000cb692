package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"

	"github.com/filch-sched/filch/loom/cmd/loom/hook"
	"github.com/filch-sched/filch/loom/cmd/loom/internal/load"
	"github.com/filch-sched/filch/loom/cmd/loom/internal/look"
	"github.com/filch-sched/filch/loom/cmd/loom/internal/rewrite"
	"github.com/filch-sched/filch/loom/internal/root"
)

// job is one run of the command.
type job struct {
	*arguments
	stdout, stderr io.Writer

	temp    string       // directory for all that is written
	user    replacements // the user's own overlay
	flags   []string     // build flags for every go command
	program *load.Program
	tests   []*look.Test
	files   map[string][]byte // rewritten source, by path
	notices []look.Notice
	work    string // the go.work to use; "" for the user's
}

// run does what the command line asks for. The error is that of go test if it
// ran.
func run(a *arguments, stdout, stderr io.Writer) error {
	temp, err := os.MkdirTemp("", "loom-")
	if err != nil {
		return fmt.Errorf("loom: %w", err)
	}
	defer os.RemoveAll(temp)
	// An interrupt is for go test, which gets it too; this process stays to
	// clean up.
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(interrupts)

	j := &job{arguments: a, stdout: stdout, stderr: stderr, temp: temp}
	if err := j.read(); err != nil {
		return err
	}
	if err := j.rewrite(); err != nil {
		return err
	}
	j.announce()
	return j.test(interrupts)
}

// read finds, parses and checks the packages.
func (j *job) read() error {
	var err error
	if j.user, err = readOverlay(j.overlay, j.dir); err != nil {
		return err
	}
	g := load.Go{Dir: j.dir}
	tags, err := j.allTags(g)
	if err != nil {
		return err
	}
	j.flags = append(slices.Clone(j.build), "-tags="+strings.Join(tags, ","))
	g.Flags = j.flags
	if j.overlay != "" {
		g.Flags = append(slices.Clone(g.Flags), "-overlay="+absolute(j.dir, j.overlay))
	}
	if err := j.requireFilch(g); err != nil {
		return err
	}
	j.program, err = load.Load(g, j.patterns, j.user, ours)
	if text, ok := load.Text(err); ok {
		return errors.New(text) // go's own words about the user's files
	}
	if err != nil {
		return fmt.Errorf("loom: this does not build:\n%w", err)
	}
	if len(j.program.Units) == 0 {
		return fmt.Errorf("loom: no package of your own module matches %s", strings.Join(j.patterns, " "))
	}
	return nil
}

// ours reports whether a package is one that rewritten source imports, or that
// one of these needs: in the module of loom itself they are not rewritten.
func ours(p *load.Package) bool {
	return p.Path() == rewrite.Module+"/loom" || strings.HasPrefix(p.Path(), rewrite.Module+"/loom/")
}

// allTags returns the user's build tags, and loom.
func (j *job) allTags(g load.Go) ([]string, error) {
	tags := j.tags
	if tags == nil { // given on the command line they replace those of GOFLAGS
		out, err := g.Output("env", "GOFLAGS")
		if err != nil {
			return nil, err
		}
		for _, f := range strings.Fields(string(out)) {
			if value, ok := strings.CutPrefix(strings.TrimLeft(f, "-"), "tags="); ok {
				tags = strings.Split(value, ",")
			}
		}
	}
	if !slices.Contains(tags, "loom") {
		tags = append(slices.Clone(tags), "loom")
	}
	return tags, nil
}

// requireFilch sees to it that the packages that rewritten source imports can be
// imported.
func (j *job) requireFilch(g load.Go) error {
	_, err := g.Output(append(append([]string{"list"}, g.Flags...), rewrite.Hook)...)
	text, ok := load.Text(err)
	switch {
	case err == nil:
		return nil
	case !ok:
		return err
	case strings.Contains(text, "go.mod file not found"):
		return fmt.Errorf("loom: there is no go.mod here: go tool loom works on a module (go mod init makes one)\n%s", text)
	default:
		return fmt.Errorf("loom: this module does not have filch among its tools: go get -tool %s/loom/cmd/loom\n%s", rewrite.Module, text)
	}
}

// rewrite decides about the tests and rewrites the files.
func (j *job) rewrite() error {
	graph := look.New(j.program)
	choice := look.Choice{Named: j.explore}
	if top, _, _ := strings.Cut(j.arguments.run, "/"); top != "" {
		re, err := regexp.Compile(top)
		if err != nil {
			return fmt.Errorf("loom: -run: %w", err)
		}
		choice.Run = re
	}
	j.tests = graph.Tests(choice)
	plan := &rewrite.Plan{
		Explored: map[*ast.FuncDecl]bool{}, Subtests: map[*ast.FuncDecl]bool{},
		Track: j.track, Own: map[*types.Package]bool{}, Foreign: graph.Synchronizes,
	}
	for _, u := range j.program.Units {
		plan.Own[u.Types] = true
	}
	for _, t := range j.tests {
		if t.Explore {
			plan.Explored[t.Decl] = !t.Subtests
			plan.Subtests[t.Decl] = t.Subtests
		}
	}
	j.files = map[string][]byte{}
	// The last unit that has a file knows most about it.
	for _, u := range slices.Backward(j.program.Units) {
		for _, f := range u.Files {
			if _, done := j.files[f.Path]; done {
				continue
			}
			text, err := rewrite.File(j.program.Fset, u, f, plan)
			if err != nil {
				return err
			}
			j.files[f.Path] = text
		}
	}
	maps.DeleteFunc(j.files, func(_ string, text []byte) bool { return text == nil })
	j.notices = graph.Notices(j.tests, j.track, plan.Unwatched)
	return nil
}

// test runs go test on the rewritten source.
func (j *job) test(interrupts <-chan os.Signal) error {
	dir, flags, err := j.backends()
	if err != nil {
		return err
	}
	results := filepath.Join(j.temp, "results")
	s := hook.Settings{For: j.bound, Strict: j.explore != nil, Results: results, Command: j.command()}
	args := append([]string{"test"}, flags...)
	args = append(append(append(args, j.goFlags...), j.patterns...), j.rest...)
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), s.Environment())
	if j.work != "" {
		cmd.Env = append(cmd.Env, "GOWORK="+j.work)
	}
	cmd.Env = append(cmd.Env, j.named()...)
	build := &watcher{out: j.stdout, needle: "[build failed]"}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, build, j.stderr
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("loom: %w", err)
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	for {
		select {
		case s := <-interrupts:
			_ = cmd.Process.Signal(s) // go test passes it on
		case err := <-done:
			if build.found {
				fmt.Fprint(j.stderr, buildFailed)
			}
			if sum := j.summary(results); err == nil {
				err = sum
			}
			return err
		}
	}
}

// named returns the variables of the environment that name files, relative to the
// user's module and not to the copy of it in which the tests may run.
func (j *job) named() (env []string) {
	top := absolute(j.dir, ".")
	if above := root.Above(top); above != "" {
		top = above
	}
	for _, name := range []string{"LOOM_PAGE", "LOOM_CHECKPOINT", "LOOM_REPORT", "LOOM_RECORD", "LOOM_PROGRESS"} {
		file := os.Getenv(name)
		if file == "" || filepath.IsAbs(file) || name == "LOOM_PROGRESS" && (file == "0" || file == "1") {
			continue
		}
		env = append(env, name+"="+top+string(filepath.Separator)+file) // a slash at its end stays
	}
	return env
}

const buildFailed = `loom: the rewritten source does not build. The places above are those of your files, in which sync
and sync/atomic are now packages of loom/cmd/loom/hook. Most often a type of sync is handed to a
package outside of your module, which cannot be rewritten; or your own source fails in the same
way under go test -tags loom.
`
