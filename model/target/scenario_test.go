package target_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/model"
	"github.com/filch-sched/filch/model/target"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "under the tag loom, write the number of traces into the scenarios")

// TestInOrder runs every scenario whose target has an order, one operation
// after another.
func TestInOrder(t *testing.T) {
	for _, s := range corpus(t) {
		if target.Ordered(s.Target) {
			t.Run(s.Name, func(t *testing.T) {
				loom.Check(t, target.InOrder(s), append(target.Options(s), loom.Stress(1))...)
			})
		}
	}
}

// nightly says that the scenarios of the nightly run are explored to their end.
var nightly = os.Getenv("FILCH_NIGHTLY") != ""

// TestScenario runs every scenario of the corpus: under the tag loom in every
// interleaving, without it many times on goroutines. The scenarios of the
// nightly run are explored for a moment unless FILCH_NIGHTLY is set, and then for
// an hour at most unless their number of traces is pinned. With -v a table says
// how far each came; it is also written to the file that FILCH_TABLE names.
func TestScenario(t *testing.T) {
	var table []string
	for _, s := range corpus(t) {
		t.Run(s.Name, func(t *testing.T) {
			var bound []loom.Option
			switch {
			case !loom.Enabled || !s.Nightly:
			case !nightly:
				bound = append(bound, loom.Deadline(moment))
			case s.Traces == 0:
				bound = append(bound, loom.Deadline(time.Hour))
			}
			r := target.Check(t, s, bound...)
			table = append(table, fmt.Sprintf("%-34s %v, %.1f s", s.Name, r, r.Elapsed.Seconds()))
			if !loom.Enabled || t.Failed() || len(bound) > 0 && !r.Exhausted {
				return
			}
			require.True(t, r.Exhausted, "not every interleaving was explored: %v", r)
			require.Zero(t, r.Deadlocks)
			requireLean(t)
			if r.Shards > 0 {
				return // ci/shards adds up the shares
			}
			if *update {
				pin(t, s.Name, r.Traces)
				return
			}
			require.Equal(t, s.Traces, r.Traces, "complete runs; if the change is meant, run this test with -tags loom -update and say why")
		})
	}
	t.Logf("scenarios:\n%s", strings.Join(table, "\n"))
	if file := os.Getenv("FILCH_TABLE"); file != "" {
		require.NoError(t, os.WriteFile(file, []byte(strings.Join(table, "\n")+"\n"), 0o644))
	}
}

// requireLean checks that the process has not got more than 2 GiB of memory
// from the system since it began.
func requireLean(t *testing.T) {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	require.Less(t, m.Sys, uint64(2<<30))
}

// moment is how long a scenario of the nightly run is explored on other days.
const moment = 2 * time.Second

func corpus(t *testing.T) []model.Scenario {
	all, err := model.Corpus()
	require.NoError(t, err)
	return all
}

var tracesLine = regexp.MustCompile(`(?m)^traces: [0-9]+`)

// pin writes the number of traces into the scenario's file.
func pin(t *testing.T, name string, traces int) {
	file := filepath.Join("..", "scenarios", name+".txt")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	line := fmt.Sprintf("traces: %d", traces)
	out := tracesLine.ReplaceAllString(string(text), line)
	if !tracesLine.Match(text) {
		out += line + "\n"
	}
	_, err = model.Parse(name, out)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, []byte(out), 0o644))
}
