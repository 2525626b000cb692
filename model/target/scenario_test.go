package target_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/model"
	"github.com/filch-sched/filch/model/target"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "under the tag loom, write the number of traces into the scenarios")

// TestScenario runs every scenario of the corpus: in order, where its target has
// one, and then, under the tag loom, in every interleaving, without it many
// times on goroutines.
func TestScenario(t *testing.T) {
	corpus, err := model.Corpus()
	require.NoError(t, err)
	for _, s := range corpus {
		t.Run(s.Name, func(t *testing.T) {
			if target.Ordered(s.Target) {
				_, err := target.Sequential(s)
				require.NoError(t, err)
			}
			r := target.Check(t, s)
			if !loom.Enabled || t.Failed() {
				return
			}
			require.True(t, r.Exhausted, "not every interleaving was explored: %v", r)
			require.Zero(t, r.Deadlocks)
			if *update {
				pin(t, s.Name, r.Traces)
				return
			}
			require.Equal(t, s.Traces, r.Traces, "complete runs; if the change is meant, run this test with -tags loom -update and say why")
		})
	}
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
