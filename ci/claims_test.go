package ci_test

import (
	"go/ast"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/filch-sched/filch/linearizability/plant"
	"github.com/filch-sched/filch/model"
	"github.com/stretchr/testify/require"
)

// isClaim reports whether name is a claim of the model.
func isClaim(name string) bool { return slices.Contains(model.Claims(), model.Claim(name)) }

// claimed returns the claims that the package comments of production list under
// the heading "Claims".
func claimed(t *testing.T) map[string]string {
	section := regexp.MustCompile(`(?s)\n# Claims\n\n(.*?)\n\n`)
	all := map[string]string{}
	for _, s := range sources(t) {
		if s.path != s.dir+"/doc.go" || !ships(s.dir) {
			continue
		}
		m := section.FindStringSubmatch(s.ast.Doc.Text() + "\n\n")
		require.NotNil(t, m, "%s has no section Claims", s.path)
		for _, name := range strings.Fields(m[1]) {
			require.True(t, isClaim(name), "%s: %q is no claim of package model", s.path, name)
			require.Empty(t, all[name], "%s is claimed twice", name)
			all[name] = s.path
		}
	}
	return all
}

// TestEveryClaimIsInTheTableAndTheOtherWayRound compares the README's table with
// the package comments.
func TestEveryClaimIsInTheTableAndTheOtherWayRound(t *testing.T) {
	table := claimTable(t)
	for name, doc := range claimed(t) {
		require.Contains(t, table, name, "claimed in %s, not in README.md", doc)
	}
	for name := range table {
		require.Contains(t, claimed(t), name, "in README.md, claimed by no package")
	}
}

// claimTable returns the rows of the README's table of claims, by the name in
// their first column: the other columns by their heading.
func claimTable(t *testing.T) map[string]map[string]string {
	rows := map[string]map[string]string{}
	var heads []string
	for line := range strings.Lines(read(t, "README.md")) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		for i := range cells {
			cells[i] = strings.Trim(strings.TrimSpace(cells[i]), "`")
		}
		switch {
		case !strings.HasPrefix(line, "|"):
			heads = nil
		case heads == nil:
			heads = cells
		case len(heads) > 0 && heads[0] == "claim" && !strings.HasPrefix(cells[0], "-"):
			require.Len(t, cells, len(heads), "README.md: %s", line)
			for _, name := range strings.Split(cells[0], ", ") {
				require.True(t, isClaim(name), "README.md: %q is no claim of package model", name)
				rows[name] = map[string]string{}
				for i, head := range heads {
					rows[name][head] = cells[i]
				}
			}
		}
	}
	require.NotEmpty(t, rows, "README.md has no table whose first heading is claim")
	return rows
}

// layerFiles are the files in which a layer, by the heading of its column, names
// the claims that it checks.
var layerFiles = map[string]*regexp.Regexp{
	"unit":  regexp.MustCompile(`^(queue|idle|park|sched)/.*_test\.go$|^model/(scenarios/.*\.txt|[^/]*\.go)$`),
	"race":  regexp.MustCompile(`^(queue|idle|park|sched)/.*_test\.go$|^model/(scenarios/.*\.txt|[^/]*\.go)$`),
	"rapid": regexp.MustCompile(`^fuzz/.*\.go$|^model/[^/]*\.go$`),
	"fuzz":  regexp.MustCompile(`^fuzz/.*\.go$|^model/[^/]*\.go$`),
	"audit": regexp.MustCompile(`^linearizability/.*\.go$|^model/[^/]*\.go$`),
	"loom":  regexp.MustCompile(`^model/scenarios/.*\.txt$`),
	"tla":   regexp.MustCompile(`^tla/.*\.(tla|cfg)$`),
}

// TestEveryLayerNamesTheClaimsThatItChecks: a cell of the README's table that is
// not empty or a dash says that the layer of its column checks the claim.
func TestEveryLayerNamesTheClaimsThatItChecks(t *testing.T) {
	words := map[string]map[string]bool{}
	walk(t, func(name string, text []byte) {
		for layer, files := range layerFiles {
			if files.MatchString(name) && name != "model/claims.go" {
				if words[layer] == nil {
					words[layer] = map[string]bool{}
				}
				for _, word := range regexp.MustCompile(`[A-Z]\w+`).FindAllString(string(text), -1) {
					words[layer][word] = true
				}
			}
		}
	})
	columns := 0
	for name, row := range claimTable(t) {
		for layer, files := range layerFiles {
			if cell := row[layer]; cell != "" && cell != "-" && cell != "–" {
				columns++
				require.True(t, words[layer][name], "README.md says that %s checks %s; no file %s names it", layer, name, files)
			}
		}
	}
	require.Positive(t, columns, "README.md names no layer in the heading of its table of claims")
}

// TestWrongVersionsAreMutants: where a comment tells the wrong version, it has
// to be planted and caught.
func TestWrongVersionsAreMutants(t *testing.T) {
	mutants, err := plant.Load("mutants")
	require.NoError(t, err)
	names := map[string]bool{}
	for _, m := range mutants {
		names[m.Name] = true
	}
	mention := regexp.MustCompile(`ci/mutants/([\w-]+)\.txt`)
	mentions := 0
	for _, s := range sources(t) {
		if s.test || !ships(s.dir) {
			continue
		}
		for _, group := range s.ast.Comments {
			for _, m := range mention.FindAllStringSubmatch(comment(group), -1) {
				mentions++
				require.True(t, names[m[1]], "%s: there is no %s", fileSet.Position(group.Pos()), m[0])
			}
		}
	}
	require.Greater(t, mentions, 10)
}

// comment returns the text of a comment with its lines joined.
func comment(g *ast.CommentGroup) string { return strings.ReplaceAll(g.Text(), "\n", " ") }

func TestMutantsAreOfThisTree(t *testing.T) {
	mutants, err := plant.Load("mutants")
	require.NoError(t, err)
	scenarios, err := filepath.Glob(filepath.Join(root, "model", "scenarios", "*.txt"))
	require.NoError(t, err)
	for _, m := range mutants {
		for _, c := range m.Claims {
			require.True(t, isClaim(c), "%s: %s is no claim of package model", m.Name, c)
		}
		for _, k := range m.Kills {
			for _, s := range k.Scenarios {
				require.Contains(t, scenarios, filepath.Join(root, "model", "scenarios", s+".txt"), "%s names no scenario", m.Name)
			}
		}
		_, err := m.Overlay(root, t.TempDir())
		require.NoError(t, err)
	}
}
