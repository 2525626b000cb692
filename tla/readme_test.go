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

func TestReadmeHasEveryActionWithItsFunctionAndStep(t *testing.T) {
	table := []string{"| action | function of package queue | step | what it is |", "|---|---|---|---|"}
	for _, a := range actions(t) {
		table = append(table, fmt.Sprintf("| %s | %s | %s | %s |", a.name, strings.Join(a.functions, ", "), a.step, a.text))
	}
	require.Contains(t, read(t, "README.md"), strings.Join(table, "\n")+"\n")
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
