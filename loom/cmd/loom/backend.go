package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
)

// backends makes the rewritten source available to go test, and returns the
// directory to run it in and the flags that it needs.
func (j *job) backends() (dir string, flags []string, err error) {
	if j.cover && j.backend == "overlay" {
		// The go command measures the coverage of the source on the disk.
		fmt.Fprintln(j.stderr, "loom: coverage is not measured through an overlay: -backend=copy")
		j.backend = "copy"
	}
	if j.backend == "copy" {
		return j.copies()
	}
	all := maps.Clone(j.user)
	n := 0
	for _, path := range slices.Sorted(maps.Keys(j.files)) {
		text := j.files[path]
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

// command returns what runs go test through this command, for replays, up to the
// flag -run.
func (j *job) command() string {
	words := []string{"go", "tool", "loom"}
	if !j.track {
		words = append(words, "-track=false")
	}
	if j.backend != "overlay" {
		words = append(words, "-backend="+j.backend)
	}
	words = append(words, "go", "test")
	if len(j.tags) > 0 {
		words = append(words, "-tags="+strings.Join(j.tags, ","))
	}
	if j.overlay != "" {
		words = append(words, "-overlay="+absolute(j.dir, j.overlay))
	}
	words = append(words, j.kept...)
	for i, w := range words {
		words[i] = quoted(w)
	}
	return strings.Join(words, " ")
}

// quoted returns a word as a shell takes it.
func quoted(w string) string {
	if strings.ContainsFunc(w, func(r rune) bool {
		return !strings.ContainsRune("-_=./,:@+%", r) && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}) {
		return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
	}
	return w
}
