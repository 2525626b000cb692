package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"syscall"

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
		return "", errors.New("-plant needs the go command and must be run inside filch's source tree")
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

// targetOf returns the target that drives a file of production code most
// directly.
func targetOf(file string) string {
	switch dir := path.Dir(file); {
	case file == "queue/inject.go":
		return "inject"
	case dir == "queue":
		return "ring"
	case dir == "park":
		return "park"
	}
	return "sched"
}

// runPlant builds the audit again with a planted bug laid over the source, and
// runs it with the same flags.
func (c config) runPlant(stdout, stderr io.Writer) (int, error) {
	root, err := moduleRoot()
	if err != nil {
		return 0, err
	}
	m, err := plant.Find(filepath.Join(root, "ci", "mutants"), c.plant)
	if err != nil {
		return 0, err
	}
	if !c.chosen {
		c.targets = []string{targetOf(m.File)}
	}
	tmp, err := os.MkdirTemp("", "filch-plant-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(tmp)
	overlay, err := m.Overlay(root, tmp)
	if err != nil {
		return 0, err
	}
	exe := filepath.Join(tmp, "audit.exe")
	build := exec.Command("go", "build", "-overlay", overlay, "-o", exe, "./linearizability/audit")
	build.Dir = root
	build.Stdout, build.Stderr = stderr, stderr
	if err := build.Run(); err != nil {
		return 0, fmt.Errorf("the audit with %s does not build: %w", m.Name, err)
	}
	fmt.Fprintf(stdout, "planted %s in %s, which breaks %s\n", m.Name, m.File, strings.Join(m.Claims, " "))
	stop, done := stopped()
	defer done()
	run := exec.CommandContext(stop, exe, withoutPlant(c.flags())...)
	run.Cancel = func() error { return run.Process.Signal(syscall.SIGTERM) } // so that it ends its child
	run.WaitDelay = patience
	run.Env = append(os.Environ(), plantVar+"="+m.Name)
	run.Stdout, run.Stderr = stdout, stderr
	err = run.Run()
	if run.ProcessState == nil {
		return 0, err
	}
	return run.ProcessState.ExitCode(), nil
}
