//go:build loom

package loom_test

import (
	"io"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestExamples: with the tag they print what they say that they do. Without it
// they have nothing that they could always print, and godoc shows only examples of
// the ordinary build.
func TestExamples(t *testing.T) {
	for name, c := range map[string]struct {
		run  func()
		want string
	}{
		"Explore": {ExampleExplore, "Exclusion is violated\n"},
		"Check":   {ExampleCheck, ""},
		"Choose":  {ExampleChoose, "6 63 <nil>\n"},
		"Yield":   {ExampleYield, "true <nil>\n"},
	} {
		t.Run(name, func(t *testing.T) {
			r, w, err := os.Pipe()
			require.NoError(t, err)
			stdout := os.Stdout
			os.Stdout = w
			c.run()
			os.Stdout = stdout
			require.NoError(t, w.Close())
			out, err := io.ReadAll(r)
			require.NoError(t, err)
			require.Equal(t, c.want, string(out))
		})
	}
}
