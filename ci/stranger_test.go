//go:build !loom && !race

package ci_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// strangers is the module that imports loom as a user of it does.
const strangers = "stranger"

// fails runs a program in dir that must end with a status other than 0, and
// returns what it printed.
func fails(t *testing.T, dir string, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit, "%s %s passed:\n%s", name, strings.Join(args, " "), out)
	return string(out)
}

// TestStrangerBuilds: in both builds, and the ordinary one needs nothing of loom
// that it would not need of sync.
func TestStrangerBuilds(t *testing.T) {
	command(t, strangers, nil, "go", "vet", "./...")
	command(t, strangers, nil, "go", "vet", "-tags", "loom", "./...")
	out := command(t, strangers, nil, "go", "test", "-count=1", "-v", "./...")
	require.Contains(t, out, "nothing explored")
	deps := command(t, strangers, nil, "go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", ".")
	require.ElementsMatch(t, strings.Fields(deps),
		[]string{"example.com/stranger", module + "/loom/atomic", module + "/loom/cell"})
}

// TestStrangerFindsItsBug: the ABA bug of the untagged stack is found, and the
// replay command finds the same; the tagged stack is right in every execution.
func TestStrangerFindsItsBug(t *testing.T) {
	out := fails(t, strangers, "go", "test", "-count=1", "-tags", "loom", "-v", "./...")
	require.Contains(t, out, "--- FAIL: TestUntagged")
	require.Contains(t, out, "--- PASS: TestTagged")
	require.Regexp(t, `loom: exhausted: \d+ traces`, out)

	claim := regexp.MustCompile(`loom: (\w+) violated: .*`)
	found := claim.FindString(out)
	require.NotEmpty(t, found)
	require.Regexp(t, `untagged\.go:\d+ .* CompareAndSwap 1 -> 2`, out, "the stale compare-and-swap")

	_, replay, _ := strings.Cut(out, "replay: ")
	replay, _, _ = strings.Cut(replay, "\n")
	require.Contains(t, replay, "LOOM_REPLAY=")
	again := fails(t, strangers, shell(t, "sh"), "-c", replay)
	require.Equal(t, found, claim.FindString(again))
}

// TestStrangerIsASmallModule: it requires filch and nothing else.
func TestStrangerIsASmallModule(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(strangers, "go.mod"))
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(string(text), "require"))
	require.NoFileExists(t, filepath.Join(strangers, "go.sum"))
}
