package tla_test

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/filch-sched/filch/model"
	"github.com/filch-sched/filch/tla"
	"github.com/stretchr/testify/require"
)

// ringLine is a row of the table of the ring's actions, code a line of Go in it.
var (
	ringLine = regexp.MustCompile(`(?m)^\| (\w+) \| ([\w., ]+) \| (\w\d) \| (.*) \| (\w+\.go): (.*) \|$`)
	code     = regexp.MustCompile("`([^`]+)`")
)

// TestReadmeHasEveryActionOfTheRingWithItsLine: the table is that of the actions, and
// its lines are in the functions that it names.
func TestReadmeHasEveryActionOfTheRingWithItsLine(t *testing.T) {
	text := read(t, "README.md")
	rows := ringLine.FindAllStringSubmatch(text, -1)
	all := actions(t)
	require.Len(t, rows, len(all))
	for i, a := range all {
		row := rows[i]
		require.Equal(t, []string{a.name, strings.Join(a.functions, ", "), a.step, a.text}, row[1:5])
		body := ""
		for _, name := range a.functions {
			body += function(t, name)
		}
		lines := code.FindAllStringSubmatch(row[6], -1)
		require.NotEmpty(t, lines, a.name)
		for _, line := range lines {
			require.Contains(t, body, line[1], a.name)
		}
		require.Contains(t, read(t, "../queue/"+row[5]), lines[0][1], a.name)
		// Of those that are operations another test has found the line by running it.
		if run := regexp.MustCompile(`(?m)^\| ` + a.name + ` \| ([\w.]+) \| queue/(.*) \|$`).FindStringSubmatch(text); run != nil {
			require.Contains(t, a.functions, run[1], a.name)
			require.Equal(t, run[2], row[5]+": "+row[6], a.name)
		}
	}
}

// TestStepsOfTheOtherModulesAreDocumented: the label in the name of an action is a step
// in the documentation of the package whose line takes it.
func TestStepsOfTheOtherModulesAreDocumented(t *testing.T) {
	rows := regexp.MustCompile(`(?m)^\| (Inject|Park|Idle) \| \w*?([A-Z]\d)\w* \| [\w.]+ \| (queue|park|idle|tla/bond)/`).FindAllStringSubmatch(read(t, "README.md"), -1)
	require.Greater(t, len(rows), 40)
	for _, row := range rows {
		doc := read(t, "../"+map[string]string{"Inject": "queue", "Park": "park", "Idle": "idle"}[row[1]]+"/doc.go")
		require.Regexp(t, `(?m)^//\t.*\b`+row[2]+`\b`, doc, "%s: %s", row[1], row[2])
	}
}

// function returns the text of a method of a ring or a stealer.
func function(t *testing.T, name string) string {
	text := read(t, "../queue/ring.go") + read(t, "../queue/steal.go")
	typ, method, _ := strings.Cut(name, ".")
	at := regexp.MustCompile(`(?m)^func \(\w \*?` + typ + `\[T\]\) ` + method + `\(`).FindStringIndex(text)
	require.NotNil(t, at, "%s in package queue", name)
	body, _, found := strings.Cut(text[at[0]:], "\n}\n")
	require.True(t, found)
	return body
}

// TestResultsAreThoseOfTheManifest: the tables in README.md have a row for
// every model, and the one that ends RingQueueMC a line for every model of that
// module.
func TestResultsAreThoseOfTheManifest(t *testing.T) {
	row := regexp.MustCompile(`(?m)^\| (\w+) \| .* \| ([\w!]+) \| ([\d,]+) \| ([\d,]+) \| (\d+) \|$`)
	rows := map[string][]string{}
	for _, r := range row.FindAllStringSubmatch(read(t, "README.md"), -1) {
		rows[r[1]] = r[2:]
	}
	_, end, _ := strings.Cut(load(t, "RingQueueMC").text, "\n====")
	line := regexp.MustCompile(`(?m)^(\w+) +(\d+) +(\d+) +(\d+)$`)
	lines := map[string][]string{}
	for _, l := range line.FindAllStringSubmatch(end, -1) {
		lines[l[1]] = l[2:]
	}
	models := manifest(t).Models
	holding := 0
	for _, m := range models {
		result := "holds"
		switch m.Bond {
		case "": // it checks claims
		case m.Name:
			result = "printed"
		default:
			result = "differs"
		}
		if m.Result == tla.Success && m.Module == "RingQueueMC" {
			holding++
			require.Equal(t, []string{strconv.Itoa(m.Distinct), strconv.Itoa(m.Generated), strconv.Itoa(m.Depth)},
				lines[m.Name], "end of RingQueueMC.tla: %s", m.Name)
		}
		if m.Violates != "" {
			result = m.Violates
		}
		require.Equal(t, []string{result, thousands(m.Distinct), thousands(m.Generated), strconv.Itoa(m.Depth)},
			rows[m.Name], "README.md: %s", m.Name)
	}
	require.Len(t, rows, len(models))
	require.Len(t, lines, holding)
}

// TestReadmeHasTheSentenceOfEveryClaim that a specification checks, and the modules.
func TestReadmeHasTheSentenceOfEveryClaim(t *testing.T) {
	of := map[string][]string{}
	for module, names := range checked {
		for _, name := range append(slices.Clone(names.invariants), names.properties...) {
			of[name] = append(of[name], strings.TrimSuffix(module, "MC"))
		}
	}
	_, text, found := strings.Cut(read(t, "README.md"), "\n## Claims\n")
	require.True(t, found)
	text, _, _ = strings.Cut(text, "\n## ")
	rows := regexp.MustCompile(`(?m)^\| ([A-Z]\w+) \| ([A-Z][\w, ]+) \| (.*) \|$`).FindAllStringSubmatch(text, -1)
	require.Len(t, rows, len(of))
	for _, row := range rows {
		require.ElementsMatch(t, of[row[1]], strings.Split(row[2], ", "), row[1])
		require.Equal(t, model.Sentence(model.Claim(row[1])), row[3], row[1])
	}
	for _, name := range further {
		if !strings.Contains(name, "!") {
			require.Contains(t, text, name)
		}
	}
}

// TestMutantsAndWitnessesCheckOneClaim: the one that the manifest names.
func TestMutantsAndWitnessesCheckOneClaim(t *testing.T) {
	for _, m := range manifest(t).Models {
		if c := loadConfig(t, m.Config); folder(m) == "mutants" || folder(m) == "witnesses" {
			require.Len(t, append(c.invariants, c.properties...), 1, m.Name)
		}
	}
}

// thousands writes n with a comma before every third digit from the right.
func thousands(n int) string {
	if n < 1000 {
		return strconv.Itoa(n)
	}
	return fmt.Sprintf("%s,%03d", thousands(n/1000), n%1000)
}
