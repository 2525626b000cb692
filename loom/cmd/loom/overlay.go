package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// replacements are the files that go reads in place of others, as the flag
// -overlay of go build takes them.
type replacements map[string]string

// readOverlay returns the overlay that the user has given, empty if none, with
// absolute paths. dir is where the go command runs.
func readOverlay(name, dir string) (replacements, error) {
	all := replacements{}
	if name == "" {
		return all, nil
	}
	text, err := os.ReadFile(absolute(dir, name))
	if err != nil {
		return nil, fmt.Errorf("loom: -overlay: %w", err)
	}
	var file struct{ Replace map[string]string }
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, fmt.Errorf("loom: -overlay %s: %w", name, err)
	}
	for from, to := range file.Replace {
		if to != "" {
			to = absolute(dir, to)
		}
		all[absolute(dir, from)] = to
	}
	return all, nil
}

func absolute(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	if dir == "" {
		dir, _ = os.Getwd()
	}
	return filepath.Join(dir, path)
}

// write writes the overlay into a directory and returns the name of its file.
func (r replacements) write(dir string) (string, error) {
	text, err := json.MarshalIndent(struct{ Replace map[string]string }{r}, "", "\t")
	if err != nil {
		return "", fmt.Errorf("loom: overlay: %w", err)
	}
	name := filepath.Join(dir, "overlay.json")
	return name, os.WriteFile(name, text, 0o600)
}
