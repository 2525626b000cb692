package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"

	"github.com/filch-sched/filch/linearizability/internal/crew"
	"github.com/filch-sched/filch/linearizability/plant"
)

// layer is what ci/mutants calls the audit.
const layer = "linearizability"

// moduleRoot returns the directory of filch's source, which holds this one.
func moduleRoot() (string, error) {
	cmd := exec.Command("go", "list", "-m", "-f", "{{.Path}} {{.Dir}}")
	cmd.Env = append(os.Environ(), "GOWORK=off")
	out, err := cmd.Output()
	module, dir, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
	if err != nil || module != "github.com/filch-sched/filch" {
		return "", errors.New("-plant and -perturb need the go command and must be run inside filch's source tree")
	}
	return dir, nil
}

// listPlants prints the planted bugs that the audit is to find.
func listPlants(w io.Writer) (int, error) {
	root, err := moduleRoot()
	if err != nil {
		return 0, err
	}
	all, err := plant.Load(filepath.Join(root, "ci", "mutants"))
	if err != nil {
		return 0, err
	}
	for _, m := range all {
		for _, k := range m.Kills {
			if k.Layer == layer {
				fmt.Fprintf(w, "%-28s %-44s %s\n", m.Name, strings.Join(m.Claims, " "), m.Doc)
			}
		}
	}
	return exitClean, nil
}

// runRebuilt builds the audit again, with a planted bug laid over the source or
// with the build tag loom or both, and runs it with the same flags.
func (c config) runRebuilt(stdout, stderr io.Writer) (int, error) {
	root, err := moduleRoot()
	if err != nil {
		return 0, err
	}
	tmp, err := os.MkdirTemp("", "filch-audit-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(tmp)
	exe := filepath.Join(tmp, "audit.exe")
	args := []string{"build", "-o", exe}
	env := os.Environ()
	if c.plant != "" {
		m, err := plant.Find(filepath.Join(root, "ci", "mutants"), c.plant)
		if err != nil {
			return 0, err
		}
		if !c.chosen {
			c.targets = []string{plant.AuditTarget(m.File)}
		}
		overlay, err := m.Overlay(root, tmp)
		if err != nil {
			return 0, err
		}
		args = append(args, "-overlay", overlay)
		env = append(env, plantVar+"="+m.Name)
		fmt.Fprintf(stdout, "planted %s in %s, which breaks %s\n", m.Name, m.File, strings.Join(m.Claims, " "))
	}
	if c.perturb {
		args = append(args, "-tags", "loom")
		env = append(env, c.delays()...)
	}
	build := exec.Command("go", append(args, "./linearizability/audit")...)
	build.Dir = root
	build.Stdout, build.Stderr = stderr, stderr
	if err := build.Run(); err != nil {
		return 0, fmt.Errorf("go %s: %w", strings.Join(build.Args[1:], " "), err)
	}
	return c.runChild(exe, env, stdout, stderr)
}

// delays is the environment in which the shim delays operations at random.
func (c config) delays() []string {
	return []string{"LOOM_MODE=perturb", fmt.Sprintf("LOOM_SEED=%d", c.seed)}
}

// runChild runs another build of the audit to its end.
func (c config) runChild(exe string, env []string, stdout, stderr io.Writer) (int, error) {
	stop, done := stopped()
	defer done()
	run := exec.CommandContext(stop, exe, ofBuild(c.flags())...)
	run.Cancel = func() error { return run.Process.Signal(syscall.SIGTERM) } // so that it ends its child
	run.WaitDelay = crew.Patience
	run.Env = env
	run.Stdout, run.Stderr = stdout, stderr
	if err := startTied(run, filepath.Dir(exe)); err != nil {
		return 0, err
	}
	if err := run.Wait(); run.ProcessState == nil {
		return 0, err
	}
	return run.ProcessState.ExitCode(), nil
}

// tagged reports whether this is a build with the tag loom, whose shim can delay
// operations.
func tagged() bool {
	info, ok := debug.ReadBuildInfo()
	return ok && slices.ContainsFunc(info.Settings, func(s debug.BuildSetting) bool {
		return s.Key == "-tags" && slices.Contains(strings.Split(s.Value, ","), "loom")
	})
}

// perturbed reports whether this process runs with such delays.
func perturbed() bool { return tagged() && os.Getenv("LOOM_MODE") == "perturb" }

// ofBuild is a command line for another build: without -plant and -perturb,
// which it has built in.
func ofBuild(flags []string) (out []string) {
	for i := 0; i < len(flags); i++ {
		switch flags[i] {
		case "-plant":
			i++
		case "-perturb":
		default:
			out = append(out, flags[i])
		}
	}
	return out
}
