//go:build !loom && !race

package ci_test

import (
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
)

// shell returns the path of a shell, sh or bash. On a machine that has none t is
// skipped, and says what that leaves unchecked; in CI that is a failure.
func shell(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("CI must not skip this test, and it needs %s: %v", name, err)
		}
		t.Skipf("NOT CHECKED: this test needs %s, which this machine does not have: %v", name, err)
	}
	return path
}

// TestNoShellIsASkipButNotInCI: the search path is empty, so that there is none.
func TestNoShellIsASkipButNotInCI(t *testing.T) {
	if os.Getenv("FILCH_NO_SHELL") != "" {
		shell(t, "bash")
		t.Fatal("found a shell in an empty search path")
	}
	self, err := os.Executable()
	require.NoError(t, err)
	run := func(ci string) (string, error) {
		c := exec.Command(self, "-test.run=^TestNoShellIsASkipButNotInCI$", "-test.v")
		c.Env = append(os.Environ(), "FILCH_NO_SHELL=1", "PATH=", "CI="+ci)
		out, err := c.CombinedOutput()
		return string(out), err
	}
	out, err := run("")
	require.NoError(t, err, "%s", out)
	require.Contains(t, out, "--- SKIP")
	require.Contains(t, out, "NOT CHECKED: this test needs bash")
	out, err = run("true")
	require.Error(t, err, "%s", out)
	require.Contains(t, out, "CI must not skip this test, and it needs bash")
}
