package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/linearizability/plant"
)

func graphJudged(t *testing.T, wanted []string, events ...event) (v verdict, clear bool) {
	j := &graphJudge{any: []string{"FIFO"}, wanted: wanted}
	for _, e := range events {
		text, err := json.Marshal(e)
		require.NoError(t, err)
		if v, clear = j.line(string(text) + "\n"); clear {
			return v, true
		}
	}
	return j.end(), false
}

// violation is what a test prints of a violation.
func violation(test, claim, token string) []event {
	return failing("TestGraph/"+test, "    graphs_loom_test.go:37: loom: "+claim+" violated: 2 before 1", "",
		"           1  queue/ring.go:77       * | |  body: uint#0 Store 0",
		"          12  queue/ring.go:78       * | |  body: uint#0 Store 0",
		"        replay: LOOM_REPLAY=x."+token+" go test -tags loom -run '^TestGraph$' ./p")
}

func TestGraphIsAKillIfAllClaimsAreSeen(t *testing.T) {
	one, endless := violation("a", "FIFO", "b1"), violation("b", "NoLostWakeup", "b1~a")
	v, clear := graphJudged(t, []string{"FIFO", "NoLostWakeup~"}, append(one, endless...)...)
	require.True(t, clear)
	require.Equal(t, verdict{killed: true, by: "FIFO in TestGraph/a, 12 rows; NoLostWakeup~ in TestGraph/b, 12 rows"}, v)

	v, _ = graphJudged(t, []string{"FIFO", "NoLostWakeup~"}, one...)
	require.False(t, v.killed, "one is missing")
	v, _ = graphJudged(t, []string{"NoLostWakeup~"}, violation("b", "NoLostWakeup", "b1")...)
	require.False(t, v.killed, "it has an end")
	v, _ = graphJudged(t, []string{"StealHalf"}, one...)
	require.False(t, v.killed, "another claim")
	require.Contains(t, v.why, "FIFO")
	v, _ = graphJudged(t, []string{"FIFO"}, failing("TestGraph/a", "FIFO: pinned states")...)
	require.False(t, v.killed, "no violation")
	v, _ = graphJudged(t, []string{"FIFO"}, failing("TestGraph/a", "loom: FIFO violated: x", "replay: LOOM_REPLAY=x.b1 go test")...)
	require.False(t, v.killed, "no schedule")
	v, _ = graphJudged(t, nil, one...)
	require.True(t, v.killed, "a patch")
	v, _ = graphJudged(t, []string{"FIFO"})
	require.NotEmpty(t, v.err, "nothing ran")
}

// lasso plants a bug and has the closed graphs find that it violates a claim for ever.
func lasso(t *testing.T, name, claim string) {
	root := filepath.Join("..", "..")
	mutants, err := plant.Load(".")
	require.NoError(t, err)
	wd, err := os.Getwd()
	require.NoError(t, err)
	for _, m := range mutants {
		if m.Name != name {
			continue
		}
		overlay, err := m.Overlay(filepath.Join(wd, root), t.TempDir())
		require.NoError(t, err)
		t.Chdir(root)
		v := layers["graph"](context.Background(), job{mutant: name, files: []string{m.File}, claims: m.Claims,
			overlay: overlay, violated: []string{claim + plant.Endless}, tmp: t.TempDir()})
		require.True(t, v.killed, "%v", v)
		t.Log(v.by)
		return
	}
	t.Fatalf("there is no %s", name)
}

func TestDroppedFinalScanYieldsALasso(t *testing.T) { lasso(t, "idle-no-look", "NoLostWakeup") }

func TestDroppedChainedWakeYieldsALasso(t *testing.T) { lasso(t, "idle-no-chain", "WorkConserving") }

func TestTokenClearedOnEntryYieldsALasso(t *testing.T) {
	lasso(t, "park-clear-on-entry", "NoLostWakeup")
}

func TestSilentRefillYieldsALasso(t *testing.T) { lasso(t, "sched-silent-refill", "WorkConserving") }
