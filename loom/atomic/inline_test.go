//go:build !loom

package atomic_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFunctionsAreInlined: without the tag the function forms cost nothing, since
// the compiler puts the intrinsic of sync/atomic in their place.
func TestFunctionsAreInlined(t *testing.T) {
	out, err := exec.Command("go", "build", "-gcflags=-m", ".").CombinedOutput()
	require.NoError(t, err, "%s", out)
	names := functions(t, "*.go", func(f string) bool { return f == "func.go" })
	require.Len(t, names, 39)
	for name := range names {
		require.True(t, strings.Contains(string(out), "can inline "+name+"\n"), "%s is a call", name)
	}
}
