// Package root finds the module that a test belongs to, and the files that the
// environment names.
package root

import (
	"os"
	"path/filepath"
)

// Module returns the working directory and the one above it, or itself, that is
// the root of a module, "" if there is none. A test binary starts in the directory
// of its package.
func Module() (dir, root string) {
	dir, err := os.Getwd()
	if err != nil {
		return "", ""
	}
	return dir, Above(dir)
}

// Above returns the directory above dir, or dir itself, that is the root of a
// module, "" if there is none.
func Above(dir string) string {
	for root := dir; ; root = filepath.Dir(root) {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
			return root
		}
		if root == filepath.Dir(root) {
			return ""
		}
	}
}

// File returns the file that a variable of the environment names: its name is
// relative to the root of the module, since the tests of one command run in the
// directories of many packages. A slash at its end is kept.
func File(name string) string {
	if name == "" || filepath.IsAbs(name) {
		return name
	}
	if _, root := Module(); root != "" {
		return root + string(filepath.Separator) + name
	}
	return name
}
