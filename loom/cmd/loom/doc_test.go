//go:build !loom && !race

package main_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDocumentationIsTrue: the test in the documentation, put into an empty
// module, fails with the replay command that the documentation has.
func TestDocumentationIsTrue(t *testing.T) {
	text, err := os.ReadFile("doc.go")
	require.NoError(t, err)
	_, code, found := strings.Cut(string(text), "//\tfunc TestAdd")
	require.True(t, found)
	code, rest, _ := strings.Cut("//\tfunc TestAdd"+code, "//\n// then fails")
	_, command, found := strings.Cut(rest, "//\treplay: ")
	require.True(t, found)
	command, _, _ = strings.Cut(command, "\n")
	code = strings.ReplaceAll(strings.ReplaceAll(code, "//\t", ""), "//\n", "\n")
	dir := module(t, files{"add_test.go": "package add\n\nimport (\n\t\"sync\"\n\t\"sync/atomic\"\n\t\"testing\"\n)\n\n" + code})
	r := fails(t, dir, "go", "test", ".")
	require.Contains(t, r.out, "added 1 twice, and the sum is 1")
	require.Contains(t, r.out, "replay: "+command+"\n")
	replay(t, dir, r)
}
