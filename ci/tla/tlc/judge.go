package tlc

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/filch-sched/filch/tla"
)

// JudgeEnd returns what is wrong with how the run ended: nothing if it ended as
// the manifest says of the model. Specs is the folder of the specifications.
func JudgeEnd(m tla.Model, out Output, specs string) (complaints []string) {
	violated, err := resolve(m, out, specs)
	if err != nil {
		return []string{err.Error()}
	}
	if out.Result != m.Result || violated != m.Violates {
		return []string{fmt.Sprintf("want %s, got %s", end(m.Result, m.Violates), end(out.Result, violated))}
	}
	return nil
}

// JudgeCounts returns which counts are not those of the manifest.
func JudgeCounts(m tla.Model, out Output) (complaints []string) {
	for _, c := range []struct {
		what      string
		want, got int
	}{
		{"states generated", m.Generated, out.Generated},
		{"distinct states", m.Distinct, out.Distinct},
		{"depth", m.Depth, out.Depth},
	} {
		if c.got != c.want {
			complaints = append(complaints, fmt.Sprintf("want %s %d, got %d", c.what, c.want, c.got))
		}
	}
	return complaints
}

// end says how a run ended, or should have.
func end(r tla.Result, violated string) string {
	switch r {
	case tla.Success:
		return "no violation"
	case tla.Invariant, tla.Property:
		return fmt.Sprintf("%s %s violated", r, violated)
	}
	return string(r)
}

// resolve gives what was violated the name that the manifest uses: TLC says
// only where the violated part of a property is, and nothing at all of a
// liveness property; a model that can violate one has no second.
func resolve(m tla.Model, out Output, specs string) (string, error) {
	if module, line, ok := strings.Cut(out.Violated, ":"); ok {
		n, err := strconv.Atoi(line)
		if err != nil {
			return "", fmt.Errorf("tlc: %q is no place", out.Violated)
		}
		definition, err := definitionAt(filepath.Join(specs, module+".tla"), n)
		return module + "!" + definition, err
	}
	if out.Result == tla.Property && out.Violated == "" {
		properties, err := properties(filepath.Join(specs, filepath.FromSlash(m.Config)))
		if err != nil {
			return "", err
		}
		if len(properties) != 1 {
			return "", fmt.Errorf("tlc: a liveness property is violated and %s has %d", m.Config, len(properties))
		}
		return properties[0], nil
	}
	return out.Violated, nil
}

var definition = regexp.MustCompile(`^(\w+)(\([^)]*\))?\s*==`)

// definitionAt returns the name of the definition that line n of the module is
// part of.
func definitionAt(module string, n int) (string, error) {
	text, err := os.ReadFile(module)
	if err != nil {
		return "", fmt.Errorf("tlc: %w", err)
	}
	lines := strings.Split(string(text), "\n")
	for i := min(n, len(lines)) - 1; i >= 0; i-- {
		if m := definition.FindStringSubmatch(lines[i]); m != nil {
			return m[1], nil
		}
	}
	return "", fmt.Errorf("tlc: no definition at %s:%d", module, n)
}

var property = regexp.MustCompile(`(?m)^PROPERT(?:Y|IES)((?:\s+\w+)+?)\s*(?:$|\n[A-Z]+\b)`)

// properties returns the temporal properties that a .cfg names.
func properties(config string) ([]string, error) {
	text, err := os.ReadFile(config)
	if err != nil {
		return nil, fmt.Errorf("tlc: %w", err)
	}
	var all []string
	for _, m := range property.FindAllStringSubmatch(string(text), -1) {
		all = append(all, strings.Fields(m[1])...)
	}
	return all, nil
}

// Untaken returns the actions of a module that none of the outputs took, and
// how many it has. A model in which an action is never taken says nothing about
// it. Only outputs that looked at every state tell.
func Untaken(module string, outputs []Output) (untaken []string, actions int) {
	taken := map[string]int{}
	for _, out := range outputs {
		if out.Result != tla.Success {
			continue
		}
		for action, n := range out.Taken {
			if strings.HasPrefix(action, module+"!") {
				taken[action] += n
			}
		}
	}
	for action, n := range taken {
		if n == 0 {
			untaken = append(untaken, action)
		}
	}
	slices.Sort(untaken)
	return untaken, len(taken)
}
