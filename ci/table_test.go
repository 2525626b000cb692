package ci_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/filch-sched/filch/linearizability/plant"
	"github.com/filch-sched/filch/model"
	"github.com/stretchr/testify/require"
)

// loomCounts returns for each claim how many scenarios guard it and how many
// traces those have: the cell of the README's column loom.
func loomCounts(t *testing.T) map[string]string {
	corpus, err := model.Corpus()
	require.NoError(t, err)
	scenarios, traces := map[string]int{}, map[string]int{}
	for _, s := range corpus {
		for _, c := range s.Claims {
			scenarios[string(c)]++
			traces[string(c)] += int(s.Traces)
		}
	}
	cells := map[string]string{}
	for c, n := range scenarios {
		cells[c] = fmt.Sprintf("%d / %s", n, thousands(traces[c]))
	}
	return cells
}

// tlaCounts returns for each claim how many models have it as an invariant: the
// cell of the README's column tla.
func tlaCounts(t *testing.T) map[string]string {
	files, err := filepath.Glob(filepath.Join(root, "tla", "models", "*.cfg"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	models := map[string]int{}
	for _, f := range files {
		text, err := os.ReadFile(f)
		require.NoError(t, err)
		for _, name := range regexp.MustCompile(`[A-Z]\w+`).FindAllString(string(text), -1) {
			if isClaim(name) {
				models[name]++
			}
		}
	}
	cells := map[string]string{}
	for c, n := range models {
		cells[c] = fmt.Sprint(n)
	}
	return cells
}

// graphCounts returns for each claim how many planted bugs the closed graphs must
// show to violate it: the cell of the README's column graph. Linearizable has no row: it is
// those of the others that say what operations answer, taken together.
func graphCounts(t *testing.T) map[string]string {
	mutants, err := plant.Load(filepath.Join(root, "ci", "mutants"))
	require.NoError(t, err)
	bugs := map[string]map[string]bool{}
	for _, m := range mutants {
		for _, k := range m.Kills {
			for _, c := range k.Claims {
				c = strings.TrimSuffix(c, plant.Endless)
				if bugs[c] == nil {
					bugs[c] = map[string]bool{}
				}
				bugs[c][m.Name] = true
			}
		}
	}
	delete(bugs, string(model.Linearizable))
	cells := map[string]string{}
	for c, names := range bugs {
		cells[c] = fmt.Sprint(len(names))
	}
	return cells
}

// thousands writes 12345 as 12,345.
func thousands(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// TestClaimsTableHasTheCounts compares the counts in the README's table with
// the scenarios and the models; -update writes them into it.
func TestClaimsTableHasTheCounts(t *testing.T) {
	counts := map[string]map[string]string{"loom": loomCounts(t), "graph": graphCounts(t), "tla": tlaCounts(t)}
	if *update {
		text := read(t, "README.md")
		require.NoError(t, os.WriteFile(filepath.Join(root, "README.md"), []byte(retable(text, counts)), 0o644))
	}
	for claim, row := range claimTable(t) {
		for layer, cells := range counts {
			want := cells[claim]
			if want == "" {
				want = "-"
			}
			require.Equal(t, want, row[layer], "README.md, %s, column %s; go test ./ci -run %s -update writes it",
				claim, layer, t.Name())
		}
	}
	for layer, cells := range counts {
		for claim := range cells {
			require.Contains(t, claimTable(t), claim, "%s checks a claim that is not in README.md", layer)
		}
	}
}

// retable returns the README with the counted cells of its table renewed.
func retable(text string, counts map[string]map[string]string) string {
	var heads []string
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		if !strings.HasPrefix(line, "|") {
			heads = nil
			continue
		}
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		for j := range cells {
			cells[j] = strings.TrimSpace(cells[j])
		}
		if heads == nil {
			heads = cells
			continue
		}
		if heads[0] != "claim" || strings.HasPrefix(cells[0], "-") {
			continue
		}
		for layer, of := range counts {
			if j := slices.Index(heads, layer); j >= 0 {
				cells[j] = "-"
				if c := of[cells[0]]; c != "" {
					cells[j] = c
				}
			}
		}
		lines[i] = "| " + strings.Join(cells, " | ") + " |\n"
	}
	return strings.Join(lines, "")
}
