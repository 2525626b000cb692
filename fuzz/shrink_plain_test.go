//go:build !loom

package fuzz_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWhatIsShrunkTooFarIsTakenBack: a smaller program that failed once by luck does not
// replace one that fails again. Under the tag loom what has failed fails again.
func TestWhatIsShrunkTooFarIsTakenBack(t *testing.T) {
	out, err := test(t, t.TempDir(), "shy", "-test.run=^FuzzTheirs$")
	require.Error(t, err, "%s", out)
	t.Logf("%s", out)
	require.NotContains(t, out, "DID NOT COME BACK")
	program := regexp.MustCompile(`(?s)program:\n(.*?)\n\s*(again|replay):`).FindStringSubmatch(out)
	require.NotNil(t, program, "%s", out)
	require.GreaterOrEqual(t, strings.Count(program[1], "put "), 8)
}
