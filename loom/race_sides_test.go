//go:build loom

package loom_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
	"github.com/filch-sched/filch/loom/cell"
	"github.com/filch-sched/filch/loom/cmd/loom/hook"
	plain "github.com/filch-sched/filch/loom/cmd/loom/hook/atomic"
	"github.com/filch-sched/filch/loom/sync"
)

// TestBothSidesOfARaceAreRows: each with its place and in the column of its
// thread, whether the trace keeps accesses of that kind or not; and the page
// draws the two as one pair.
func TestBothSidesOfARaceAreRows(t *testing.T) {
	for name, sides := range map[string]func() (a, b func()){
		"cell": func() (a, b func()) {
			x := new(cell.Cell[int])
			return func() { x.Store(1) }, func() { x.Store(2) }
		},
		"cell, load and store in one line": func() (a, b func()) {
			x := new(cell.Cell[int])
			f := func() { x.Store(x.Load() + 1) }
			return f, f
		},
		"plain": func() (a, b func()) {
			x := new(int)
			return func() { *hook.W(x) = 1 }, func() { _ = *hook.R(x) }
		},
		"plain, twice": func() (a, b func()) {
			x := new([]int)
			f := func() { *hook.W(x) = append(*hook.R(x), 1) }
			return f, f
		},
		"plain and atomic": func() (a, b func()) {
			x := new(int64)
			return func() { *hook.W(x) = 1 }, func() { plain.LoadInt64(x) }
		},
		"atomic and plain": func() (a, b func()) {
			x, later := new(int64), new(atomic.Int64)
			return func() { plain.StoreInt64(x, 1) }, func() { later.Load(); _ = *hook.R(x) }
		},
		"WaitGroup": func() (a, b func()) {
			group := new(sync.WaitGroup)
			return func() { group.Add(1); group.Done() }, group.Wait
		},
	} {
		t.Run(name, func(t *testing.T) {
			page := filepath.Join(t.TempDir(), "page.html")
			_, err := loom.Explore(func() {
				a, b := sides()
				loom.Go(a)
				loom.Go(b)
			}, loom.Page(page))
			var v *loom.Violation
			require.ErrorAs(t, err, &v)
			require.Equal(t, loom.ClaimRace, v.Claim)
			rows := regexp.MustCompile(`(?m)^> +(\d+|-)  race_sides_test\.go:\d+ .*$`).FindAllString(v.Schedule, -1)
			require.Len(t, rows, 2, v.Schedule)
			require.NotContains(t, rows[0]+rows[1], " go thread ")
			require.Len(t, regexp.MustCompile(`thread \d at race_sides_test\.go:\d+`).FindAllString(v.Message, -1), 2, v.Message)
			require.Contains(t, v.Schedule, "thread 1  ")
			require.Contains(t, v.Schedule, "thread 2")
			column := func(row string) int {
				return len(row) - len(strings.TrimLeft(row[len("> 12  race_sides_test.go:100"):], " "))
			}
			require.NotEqual(t, column(rows[0]), column(rows[1]), "in different columns: %s", v.Schedule)

			text, err := os.ReadFile(page)
			require.NoError(t, err)
			require.Equal(t, 2, strings.Count(string(text), `marked" id="e`))
			require.Equal(t, 2, len(regexp.MustCompile(`"Conflict":\[\d+\]`).FindAllString(string(text), -1)))
		})
	}
}
