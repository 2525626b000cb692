//go:build !race && !loom

package main_test

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/linearizability/plant"
)

var (
	campaignPlants = flag.String("filch.plants", "^(ring-tail-before-head|park-signal-unlocked|inject-closed-outside-lock)$", "which planted bugs the campaign looks for, as a regular expression")
	campaignSeeds  = flag.Int("filch.seeds", 1, "with how many seeds the campaign looks for each, of which all but a tenth must find it")
	campaignTime   = flag.Duration("filch.within", 30*time.Second, "how long an audit of the campaign drives")
	campaignPlain  = flag.Bool("filch.plain", false, "the campaign does without delays")
)

// outOfSight are planted bugs in the queues and the parker that no history shows.
// What a slot or a block still holds when its task has left is seen by the garbage
// collector alone. An Unpark that does nothing if a token is there leaves out a
// store that orders what its caller wrote before; to record that write is such a
// store, so that recorded runs are in order. The race detector sees it.
var outOfSight = []string{"ring-no-clear", "inject-retains", "park-unpark-skips"}

// Each planted bug, of ci/mutants and of testdata/mutants, is found by delayed
// audits, in nine of ten seeds at least.
// The nightly run looks for all of those in the queues and the parker:
//
//	go test ./linearizability/audit -run '^TestCampaign$' -filch.plants '^(ring|inject|park)-' -filch.seeds 10 -timeout 6h -v
func TestCampaign(t *testing.T) {
	all, err := plant.Load(filepath.Join(root(t), "ci", "mutants"))
	require.NoError(t, err)
	more, err := plant.Load(filepath.Join("testdata", "mutants"))
	require.NoError(t, err)
	all = append(all, more...)
	pattern, err := regexp.Compile(*campaignPlants)
	require.NoError(t, err)
	tried := 0
	for _, m := range all {
		if !pattern.MatchString(m.Name) || slices.Contains(outOfSight, m.Name) {
			continue
		}
		tried++
		t.Run(m.Name, func(t *testing.T) { campaign(t, m) })
	}
	require.Positive(t, tried, "no planted bug matches %s", *campaignPlants)
}

// campaign looks for one planted bug with every seed.
func campaign(t *testing.T, m plant.Mutant) {
	dir := t.TempDir()
	exe := filepath.Join(dir, "audit.exe")
	overlay, err := m.Overlay(root(t), dir)
	require.NoError(t, err)
	args := []string{"build", "-overlay", overlay, "-o", exe}
	var mode []string
	if !*campaignPlain {
		args, mode = append(args, "-tags", "loom"), []string{"-perturb"}
	}
	build := exec.Command("go", append(args, "./linearizability/audit")...)
	build.Dir = root(t)
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	var times []string
	found := 0
	claims := map[string]int{}
	for seed := 1; seed <= *campaignSeeds; seed++ {
		begin := time.Now()
		r := auditWith(t, exe, dir, os.Environ(), append(mode, "-target", plant.AuditTarget(m.File), "-seed", fmt.Sprint(seed), "-duration", campaignTime.String())...)
		if claim, is := strings.CutPrefix(r.last, "verdict: violation "); is && r.code == 1 {
			found++
			claims[claim]++
		}
		times = append(times, fmt.Sprintf("%.1f", time.Since(begin).Seconds()))
	}
	t.Logf("%s: %d of %d seeds, %v, seconds %s", m.Name, found, *campaignSeeds, claims, strings.Join(times, " "))
	require.GreaterOrEqual(t, 10*found, 9**campaignSeeds)
}
