package loom

import (
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// of fills in what the test t tells about its exploration.
func (c *config) of(t testing.TB) {
	c.name = t.Name()
	if !t.Failed() { // a failure from before says nothing about this run
		c.failed = t.Failed
	}
}

// tag names the exploration in a token, in a few letters.
func (c config) tag() string {
	h := fnv.New32a()
	h.Write([]byte(c.name))
	return strconv.FormatUint(uint64(h.Sum32()), 36)
}

// command returns the shell command that runs the execution of token again, in
// the test called name of the package whose directory this process works in.
func command(name, token string) string {
	if token == "" {
		return ""
	}
	parts := strings.Split(name, "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	run := strings.ReplaceAll(strings.Join(parts, "/"), "'", `'\''`)
	return fmt.Sprintf("LOOM_REPLAY=%s go test -tags loom -run '%s' %s", token, run, packagePath())
}

// packagePath returns the package under test as go test takes it in the root of
// its module. A test binary starts in the directory of its package.
func packagePath() string {
	dir, err := os.Getwd()
	if err != nil {
		return "."
	}
	for root := dir; ; root = filepath.Dir(root) {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
			rel, err := filepath.Rel(root, dir)
			if err != nil {
				return "."
			}
			return "./" + filepath.ToSlash(rel)
		}
		if root == filepath.Dir(root) {
			return "."
		}
	}
}
