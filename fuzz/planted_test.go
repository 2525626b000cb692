//go:build !loom && !race

package fuzz_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/filch-sched/filch/linearizability/plant"
	"github.com/stretchr/testify/require"
)

// TestPlantedBugIsFound builds this package's tests with a ring that takes one
// task more than it has slots for. FuzzRing must find that by itself,
// without the committed corpus, and say which claim is broken; its replay
// command must break the claim again.
func TestPlantedBugIsFound(t *testing.T) {
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	m, err := plant.Find(filepath.Join(root, "ci", "mutants"), "ring-room-off-by-one")
	require.NoError(t, err)
	require.Contains(t, m.Claims, "CapacityFromSteal")
	tmp := t.TempDir()
	overlay, err := m.Overlay(root, tmp)
	require.NoError(t, err)
	binary := filepath.Join(tmp, "fuzz.test.exe")
	// Without -fuzz the compiler puts in no counters of coverage: the fuzzer goes
	// without guidance, and no package has to be compiled again but the ring's
	// and those above it.
	build := exec.Command("go", "test", "-c", "-vet=off", "-overlay", overlay, "-o", binary, "./fuzz")
	build.Dir = root
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)

	// Run elsewhere: the fuzzer writes what it finds below the directory it is
	// run in.
	fuzzer := exec.Command(binary, "-test.run", "^$", "-test.fuzz", "^FuzzRing$", "-test.fuzztime", "20s",
		"-test.fuzzcachedir", filepath.Join(tmp, "cache"))
	fuzzer.Dir = tmp
	out, err = fuzzer.CombinedOutput()
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit, "the planted bug was not found:\n%s", out)
	requireNames(t, m.Claims, string(out))

	replay := regexp.MustCompile(`FUZZ_REPLAY=([0-9a-f.]+) go test -count=1 -run '(\S+)' \./fuzz`).FindStringSubmatch(string(out))
	require.NotNil(t, replay, "no replay command:\n%s", out)
	again := exec.Command(binary, "-test.count=1", "-test.run", replay[2])
	again.Dir = tmp
	again.Env = append(os.Environ(), "FUZZ_REPLAY="+replay[1])
	out, err = again.CombinedOutput()
	require.ErrorAs(t, err, &exit, "the replay passed:\n%s", out)
	requireNames(t, m.Claims, string(out))
}
