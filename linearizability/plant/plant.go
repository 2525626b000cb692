// Package plant plants bugs. A [Mutant] is one known-bad version of one file of
// production code, kept as text in ci/mutants; a [Patch] is a unified diff of
// anybody's own. Either is laid over the source with the -overlay flag of the
// go command, so that a checker can be run on wrong code while the tree stays
// as it is.
//
// # Format
//
// A mutant is a file NAME.txt:
//
//	# One or two sentences: what is wrong and what it does.
//	file: queue/ring.go
//	claim: NoSlotRace NoLostTask
//	from: charm++ #1345
//	kill: loom thief-meets-first-push
//	kill: linearizability
//	-- old --
//	<whole lines that occur exactly once in the file>
//	-- new --
//	<the lines that take their place, or none>
//
// The prose comes first, then the keys, then one or more pairs of old and new.
// file, claim and at least one kill are required. file is a source file of a
// production package. claim lists what the bug violates; from is where such a
// bug was once seen. kill names a layer that must catch the bug and, for the
// layers that run scenarios, which ones must; each layer at most once. The layer
// graph has claims in their place: all must be violated on closed graphs, one with
// a tilde behind it by a run without an end. There is
// nothing else: an unknown key, an empty line among the keys or a missing
// newline at the end is an error with line and column.
package plant

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Mutant is one planted bug.
type Mutant struct {
	Name   string   // the file's name without .txt
	Doc    string   // what is wrong, in prose, on one line
	File   string   // path of the edited source file, from the module's root, with slashes
	Claims []string // the claims it violates, at least one
	From   string   // where it comes from, or ""
	Kills  []Kill   // the layers that must catch it, at least one
	Edits  []Edit   // applied in order, at least one
}

// Kill is a layer that must catch a mutant.
type Kill struct {
	Layer     string   // one of Layers
	Scenarios []string // names from model/scenarios; empty for the layers without
	Claims    []string // of the layer graph: what it must see violated, of the mutant's claims
}

// Endless ends a claim of [Kill].Claims that a run without an end must violate.
const Endless = "~"

// Edit replaces Old, whole lines that occur exactly once, by New.
type Edit struct{ Old, New string }

// Layers are the names of the layers of checking, in the order from cheap to
// dear.
var Layers = []string{
	"unit", "race", "rapid", "fuzz", "linearizability", "loom",
	"graph", "bond", "tla", "proof", "counters",
}

// Production lists the packages whose source a mutant or patch may change.
var Production = []string{"queue", "idle", "park", "sched"}

// Part returns what of production a source file belongs to: ring, inject, park, idle or
// sched, the last also if it is none. file is relative to the root of the module, with
// slashes.
func Part(file string) string {
	switch dir := path.Dir(file); {
	case file == "queue/inject.go":
		return "inject"
	case dir == "queue":
		return "ring"
	case dir == "park", dir == "idle":
		return dir
	}
	return "sched"
}

// AuditTarget returns the target of the audit that drives a source file most directly.
// The audit has none of its own for idle, which a scheduler drives.
func AuditTarget(file string) string {
	if part := Part(file); part != "idle" {
		return part
	}
	return "sched"
}

// Load reads every mutant in dir, sorted by name. A directory without any is an
// error, and so is one file that does not parse.
func Load(dir string) ([]Mutant, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil {
		return nil, fmt.Errorf("plant: %w", err)
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("plant: no mutants (*.txt) in %s", dir)
	}
	slices.Sort(paths)
	all := make([]Mutant, 0, len(paths))
	for _, path := range paths {
		m, err := read(path)
		if err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return all, nil
}

// Find reads the mutant called name in dir. If there is none the error names
// those that there are.
func Find(dir, name string) (Mutant, error) {
	if !isName(name) {
		return Mutant{}, fmt.Errorf("plant: %q is not a mutant's name (a-z, 0-9 and single hyphens)", name)
	}
	m, err := read(filepath.Join(dir, name+".txt"))
	if !errors.Is(err, fs.ErrNotExist) {
		return m, err
	}
	all, err := Load(dir)
	if err != nil {
		return Mutant{}, err
	}
	names := make([]string, len(all))
	for i, m := range all {
		names[i] = m.Name
	}
	return Mutant{}, fmt.Errorf("plant: no mutant %q; there are %s", name, strings.Join(names, ", "))
}

func read(path string) (Mutant, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return Mutant{}, fmt.Errorf("plant: %w", err)
	}
	m, err := Parse(strings.TrimSuffix(filepath.Base(path), ".txt"), string(text))
	if err != nil {
		return Mutant{}, fmt.Errorf("plant: %s:%w", path, err)
	}
	return m, nil
}

// isName reports whether s is words of a-z and 0-9 joined by single hyphens.
func isName(s string) bool {
	for word := range strings.SplitSeq(s, "-") {
		if word == "" || strings.Trim(word, "abcdefghijklmnopqrstuvwxyz0123456789") != "" {
			return false
		}
	}
	return true
}

// isSource reports whether path names a non-test Go file of a production
// package.
func isSource(path string) bool {
	dir, base, ok := strings.Cut(path, "/")
	return ok && slices.Contains(Production, dir) && !strings.ContainsAny(base, `/\`) &&
		strings.HasSuffix(base, ".go") && !strings.HasSuffix(base, "_test.go") && base != ".go"
}
