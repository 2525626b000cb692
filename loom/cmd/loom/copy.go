package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/filch-sched/filch/loom/cmd/loom/internal/load"
	"github.com/filch-sched/filch/loom/cmd/loom/internal/rewrite"
)

// maxCopy is how large a module may be that is copied.
const maxCopy = 1 << 30

// copies makes a copy of the user's modules with the rewritten source in it, and
// returns where in it to run go test and with what flags. Line directives make
// the files of the copy go by the names of the user's.
func (j *job) copies() (dir string, flags []string, err error) {
	if slices.ContainsFunc(j.build, func(f string) bool { return strings.Contains(f, "modfile") }) {
		return "", nil, errors.New("loom: -backend=copy and -modfile exclude each other")
	}
	moved := map[string]string{} // module directories
	for _, u := range j.program.Units {
		if from := u.Module.Dir; moved[from] == "" {
			to := filepath.Join(j.temp, fmt.Sprint("module", len(moved)+1))
			if err := copyModule(from, to); err != nil {
				return "", nil, err
			}
			moved[from] = to
		}
	}
	if err := j.place(moved); err != nil {
		return "", nil, err
	}
	rest := replacements{}
	for from, to := range j.user {
		if target := within(moved, from); target == "" {
			rest[from] = to
		} else if err := replaceFile(target, to); err != nil {
			return "", nil, err
		}
	}
	for path, text := range j.files {
		if err := os.WriteFile(within(moved, path), text, 0o600); err != nil {
			return "", nil, fmt.Errorf("loom: %w", err)
		}
	}
	if err := j.moduleFiles(moved); err != nil {
		return "", nil, err
	}
	// With the name of the copy in it, the program, which a saved search is of, would
	// be another in each copy.
	flags = []string{j.tagsFlag(), "-trimpath"}
	if len(rest) > 0 {
		name, err := rest.write(j.temp)
		if err != nil {
			return "", nil, err
		}
		flags = append(flags, "-overlay="+name)
	}
	here := absolute(j.dir, ".")
	if !slices.ContainsFunc(j.goFlags, func(f string) bool { return strings.Contains(f, "outputdir") }) {
		flags = append(flags, "-outputdir="+here)
	}
	if dir = within(moved, here); dir == "" {
		return "", nil, fmt.Errorf("loom: -backend=copy: %s is in none of the modules to be copied", here)
	}
	return dir, flags, nil
}

// within returns where a path is in the copies, "" if it is in none.
func within(moved map[string]string, path string) string {
	best := ""
	for from := range moved {
		if rel, err := filepath.Rel(from, path); err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) && len(from) > len(best) {
			best = from
		}
	}
	if best == "" {
		return ""
	}
	rel, _ := filepath.Rel(best, path)
	return filepath.Join(moved[best], rel)
}

// copyModule copies a module without what git keeps and the modules in it.
func copyModule(from, to string) error {
	size := int64(0)
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return fmt.Errorf("loom: %w", err)
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return fmt.Errorf("loom: %w", err)
		}
		if d.IsDir() {
			if rel != "." && d.Name() == ".git" || rel != "." && exists(filepath.Join(path, "go.mod")) {
				return filepath.SkipDir
			}
			return os.MkdirAll(filepath.Join(to, rel), 0o700)
		}
		info, err := os.Stat(path) // what a link points at
		if err != nil || !info.Mode().IsRegular() {
			return nil // a broken link, a socket: no source
		}
		if size += info.Size(); size > maxCopy {
			return fmt.Errorf("loom: -backend=copy: %s has more than %d bytes", from, maxCopy)
		}
		return replaceFile(filepath.Join(to, rel), path)
	})
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// replaceFile makes the file to a copy of the file from; "" removes it.
func replaceFile(to, from string) error {
	if from == "" {
		return os.RemoveAll(to)
	}
	in, err := os.Open(from)
	if err != nil {
		return fmt.Errorf("loom: %w", err)
	}
	defer in.Close()
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return fmt.Errorf("loom: %w", err)
	}
	out, err := os.Create(to)
	if err != nil {
		return fmt.Errorf("loom: %w", err)
	}
	if _, err = io.Copy(out, in); err != nil {
		out.Close()
		return fmt.Errorf("loom: %w", err)
	}
	return out.Close()
}

// place adds the files that are not rewritten, with the directive that names
// them.
func (j *job) place(moved map[string]string) error {
	for _, u := range j.program.Units {
		for _, f := range u.Files {
			if _, done := j.files[f.Path]; !done && within(moved, f.Path) != "" {
				text, err := rewrite.Named(j.program.Fset, f)
				if err != nil {
					return err
				}
				j.files[f.Path] = text
			}
		}
	}
	return nil
}

// moduleFiles makes the paths of replaced modules absolute in the copied go.mod,
// and makes a go.work of the copies if the user has one.
func (j *job) moduleFiles(moved map[string]string) error {
	g := load.Go{Dir: j.dir}
	out, err := g.Output("env", "GOWORK")
	if err != nil {
		return err
	}
	for from, to := range moved {
		if exists(filepath.Join(from, "vendor", "modules.txt")) {
			continue // which must agree with go.mod, and is all that is needed
		}
		if err := absoluteReplacements(from, filepath.Join(to, "go.mod"), "mod", load.Go{Dir: to}); err != nil {
			return err
		}
	}
	work := strings.TrimSpace(string(out))
	if work == "" || work == "off" {
		return nil
	}
	j.work = filepath.Join(j.temp, "go.work")
	if err := replaceFile(j.work, work); err != nil {
		return err
	}
	if sum := work + ".sum"; exists(sum) {
		if err := replaceFile(j.work+".sum", sum); err != nil {
			return err
		}
	}
	if err := absoluteReplacements(filepath.Dir(work), j.work, "work", g); err != nil {
		return err
	}
	return moveUses(g, filepath.Dir(work), j.work, moved)
}

// absoluteReplacements makes the local paths of replace directives absolute.
func absoluteReplacements(from, file, kind string, g load.Go) error {
	out, err := g.Output(kind, "edit", "-json", file)
	if err != nil {
		return err
	}
	var parsed struct {
		Replace []struct {
			Old, New struct{ Path, Version string }
		}
	}
	if err := json.Unmarshal(out, &parsed); err != nil {
		return fmt.Errorf("loom: %s: %w", file, err)
	}
	for _, r := range parsed.Replace {
		if r.New.Version != "" || filepath.IsAbs(r.New.Path) {
			continue
		}
		old := r.Old.Path
		if r.Old.Version != "" {
			old += "@" + r.Old.Version
		}
		if _, err := g.Output(kind, "edit", "-replace="+old+"="+absolute(from, filepath.FromSlash(r.New.Path)), file); err != nil {
			return err
		}
	}
	return nil
}

// moveUses makes a go.work use the copies.
func moveUses(g load.Go, from, file string, moved map[string]string) error {
	out, err := g.Output("work", "edit", "-json", file)
	if err != nil {
		return err
	}
	var parsed struct{ Use []struct{ DiskPath string } }
	if err := json.Unmarshal(out, &parsed); err != nil {
		return fmt.Errorf("loom: %s: %w", file, err)
	}
	for _, u := range parsed.Use {
		dir := absolute(from, filepath.FromSlash(u.DiskPath))
		if to := moved[dir]; to != "" {
			dir = to
		}
		if _, err := g.Output("work", "edit", "-dropuse="+u.DiskPath, file); err != nil {
			return err
		}
		if _, err := g.Output("work", "edit", "-use="+dir, file); err != nil {
			return err
		}
	}
	return nil
}
