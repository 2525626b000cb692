package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
)

// backends makes the rewritten source available to go test, and returns the
// directory to run it in and the flags that it needs.
func (j *job) backends() (dir string, flags []string, err error) {
	if j.backend == "copy" {
		return j.copies()
	}
	all := maps.Clone(j.user)
	n := 0
	for path, text := range j.files {
		n++
		to := filepath.Join(j.temp, fmt.Sprint(n), filepath.Base(path))
		if err := os.Mkdir(filepath.Dir(to), 0o700); err != nil {
			return "", nil, fmt.Errorf("loom: %w", err)
		}
		if err := os.WriteFile(to, text, 0o600); err != nil {
			return "", nil, fmt.Errorf("loom: %w", err)
		}
		all[path] = to
	}
	name, err := all.write(j.temp)
	if err != nil {
		return "", nil, err
	}
	return j.dir, []string{j.tagsFlag(), "-overlay=" + name}, nil
}

// tagsFlag returns the flag with all build tags.
func (j *job) tagsFlag() string { return j.flags[len(j.flags)-1] }

// command returns what runs go test through this command, for replays.
func (j *job) command() string {
	c := "go tool loom go test"
	if len(j.tags) > 0 {
		c += " -tags=" + strings.Join(j.tags, ",")
	}
	return c
}
