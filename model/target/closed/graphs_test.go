package closed_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/model/target/closed"
)

// TestTableHasTheGraphs: GRAPHS.md has a row for each graph, with the counts that are
// pinned, in their order, and no other.
func TestTableHasTheGraphs(t *testing.T) {
	text, err := os.ReadFile("GRAPHS.md")
	require.NoError(t, err)
	_, table, ok := strings.Cut(string(text), closed.Head)
	require.True(t, ok, "GRAPHS.md has no table that begins as closed.Head does")
	table, _, _ = strings.Cut(table, "\n\n")
	rows := strings.Split(strings.TrimSuffix(table, "\n"), "\n")
	all := closed.Graphs()
	require.Len(t, rows, len(all))
	names := map[string]bool{}
	for i, c := range all {
		cells := strings.Split(rows[i], "|")
		require.Len(t, cells, 9, rows[i])
		require.Equal(t, c.Row(strings.TrimSpace(cells[7])), rows[i])
		require.False(t, names[c.Name()], "two graphs are called %s", c.Name())
		names[c.Name()] = true
	}
}

func TestWhenIsSpelled(t *testing.T) {
	for _, w := range []closed.When{closed.Always, closed.Quick, closed.Nightly} {
		got, err := closed.ParseWhen(w.String())
		require.NoError(t, err)
		require.Equal(t, w, got)
	}
	_, err := closed.ParseWhen("weekly")
	require.EqualError(t, err, `closed: "weekly" is none of always, quick and nightly`)
}
