//go:build loom

package bond_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/tla"
	"github.com/filch-sched/filch/tla/bond"
)

// TestReadmeLeadsFromActionsToLines: for each action that is an operation on an atomic
// word or a lock, the README of the specifications has the line of Go that takes it
// when the code is led there, and the function that it is in.
func TestReadmeLeadsFromActionsToLines(t *testing.T) {
	manifest, err := tla.Load(specs)
	require.NoError(t, err)
	modules := map[string]string{}
	for _, m := range manifest.Models {
		// the specification of the rings is RingQueue, its bond RingBond
		modules[m.Name] = strings.Replace(strings.TrimSuffix(m.Module, "Bond"), "Ring", "RingQueue", 1)
	}
	rows := map[string]bool{}
	for _, b := range bond.Bonds() {
		golden, err := bond.Load(specs, b.Model)
		require.NoError(t, err)
		for action, path := range ways(golden.Graph) {
			rows[fmt.Sprintf("| %s | %s | %s |\n", modules[b.Model], action, line(t, b, path))] = true
		}
	}
	require.Greater(t, len(rows), 50)
	text, err := os.ReadFile(specs + "/README.md")
	require.NoError(t, err)
	var want []string
	for row := range rows {
		want = append(want, row)
	}
	slices.Sort(want)
	table := "| module | action | function | line |\n|---|---|---|---|\n" + strings.Join(want, "")
	if !strings.Contains(strings.ReplaceAll(string(text), "\r\n", "\n"), table) {
		t.Errorf("README.md is to have this table, if TestCodeIsTheSpecification passes:\n%s", table)
	}
}

// operation returns the action of an edge that is its operation: a call is none, and
// those after it are accesses to plain memory.
func operation(e bond.Edge) string {
	for _, action := range strings.Split(e.Action, "+") {
		if !strings.HasSuffix(action, "Call") {
			return action
		}
	}
	return ""
}

// ways returns a shortest path to each action, that ends with it.
func ways(g *bond.Graph) map[string][]bond.Edge {
	paths, all := make([][]bond.Edge, len(g.Out)), map[string][]bond.Edge{}
	met := map[int]bool{0: true}
	for queue := []int{0}; len(queue) > 0; queue = queue[1:] {
		n := queue[0]
		for _, e := range g.Out[n] {
			path := append(slices.Clone(paths[n]), e)
			if action := operation(e); action != "" && all[action] == nil {
				all[action] = path
			}
			if !met[e.To] {
				met[e.To], paths[e.To] = true, path
				queue = append(queue, e.To)
			}
		}
	}
	return all
}

var place = regexp.MustCompile(`(?m)^ *\d+  (\S+):(\d+) +(.*)$`)

var function = regexp.MustCompile(`(?m)^func (?:\(\w+ \*?(\w+)(?:\[\w+\])?\) )?(\w+)`)

// enclosing returns the function that the last of these lines of a file is in, as
// Type.Method.
func enclosing(t *testing.T, lines []string) string {
	all := function.FindAllStringSubmatch(strings.Join(lines, "\n"), -1)
	require.NotEmpty(t, all)
	last := all[len(all)-1]
	return strings.TrimPrefix(last[1]+"."+last[2], ".")
}

// line returns where the code takes the operation of the last step of a path: the
// function, the file, and the line in words, as two cells of a table.
func line(t *testing.T, b bond.Bond, path []bond.Edge) string {
	before := place.FindAllStringSubmatch(b.Steps(path[:len(path)-1]), -1)
	after := place.FindAllStringSubmatch(b.Steps(path), -1)
	require.Greater(t, len(after), len(before), "the code of %s cannot go the way of the golden graph, as TestCodeIsTheSpecification tells: %v", b.Model, path)
	for _, row := range after[len(before):] {
		if strings.HasPrefix(row[3], "Choose") {
			continue
		}
		for _, dir := range []string{"queue", "park", "idle", "tla/bond"} {
			f := dir + "/" + filepath.Base(row[1])
			text, err := os.ReadFile("../../" + f)
			if os.IsNotExist(err) || !strings.HasSuffix(f, "/"+row[1]) && !strings.HasPrefix(row[1], dir+"/") {
				continue
			}
			require.NoError(t, err)
			n, err := strconv.Atoi(row[2])
			require.NoError(t, err)
			lines := strings.Split(string(text), "\n")[:n]
			code, _, _ := strings.Cut(lines[n-1], "//")
			function := enclosing(t, lines)
			if dir == "tla/bond" {
				function = "bond." + function
			}
			return fmt.Sprintf("%s | %s: `%s`%s", function, f, strings.ReplaceAll(strings.TrimSpace(code), "|", `\|`), which(string(text), n))
		}
		require.Failf(t, "no such file", "%s", row[0])
	}
	require.Failf(t, "no operation", "%s %v", b.Model, path)
	return ""
}

// which says which of its like line n of a text is in its function, "" if the
// only one.
func which(text string, n int) string {
	lines := strings.Split(text, "\n")
	first, last := n-1, n-1
	for ; !strings.HasPrefix(lines[first], "func "); first-- {
	}
	for ; lines[last] != "}"; last++ {
	}
	this, all := 0, 0
	for i := first; i < last; i++ {
		if strings.TrimSpace(lines[i]) != strings.TrimSpace(lines[n-1]) {
			continue
		}
		all++
		if i < n {
			this++
		}
	}
	if all == 1 {
		return ""
	}
	return fmt.Sprintf(", no. %d of %d", this, all)
}
