package tla_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/filch-sched/filch/tla"
	"github.com/stretchr/testify/require"
)

// ringLine is a row of the table of the ring's actions.
var ringLine = regexp.MustCompile(`(?m)^\| (\w+) \| ([\w., ]+) \| (\w\d) \| (.*) \| (\w+\.go): ` + "`(.*)`" + ` \|$`)

// TestReadmeHasEveryActionOfTheRingWithItsLine: the table is that of the actions, and
// the line is in the function that it names.
func TestReadmeHasEveryActionOfTheRingWithItsLine(t *testing.T) {
	text := read(t, "README.md")
	rows := ringLine.FindAllStringSubmatch(text, -1)
	all := actions(t)
	require.Len(t, rows, len(all))
	for i, a := range all {
		row := rows[i]
		require.Equal(t, []string{a.name, strings.Join(a.functions, ", "), a.step, a.text}, row[1:5])
		require.Contains(t, function(t, "../queue/"+row[5], a.functions[0]), row[6], a.name)
		// Of those that are operations another test has found the line by running it.
		if run := regexp.MustCompile(`(?m)^\| ` + a.name + ` \| queue/(.*) \|$`).FindStringSubmatch(text); run != nil {
			require.Equal(t, run[1], row[5]+": `"+row[6]+"`", a.name)
		}
	}
}

// function returns the text of a method of a generic type.
func function(t *testing.T, file, name string) string {
	text := read(t, file)
	typ, method, _ := strings.Cut(name, ".")
	at := regexp.MustCompile(`(?m)^func \(\w \*?` + typ + `\[T\]\) ` + method + `\(`).FindStringIndex(text)
	require.NotNil(t, at, "%s in %s", name, file)
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
		if m.Bond != "" && m.Bond != m.Name {
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

// thousands writes n with a comma before every third digit from the right.
func thousands(n int) string {
	if n < 1000 {
		return strconv.Itoa(n)
	}
	return fmt.Sprintf("%s,%03d", thousands(n/1000), n%1000)
}
