//go:build !loom && !race

package main_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSavedSearchOfAnUntouchedTest: by each backend the same source is the same
// program again, and changed code is not taken for it.
func TestSavedSearchOfAnUntouchedTest(t *testing.T) {
	for _, backend := range []string{"overlay", "copy"} {
		dir := module(t, counter)
		saves := func() result {
			return run(t, dir, []string{"LOOM_CHECKPOINT=saved"}, "go", "tool", "loom", "-backend="+backend, "go", "test", "-v", "-run", "TestGood", ".")
		}
		r := saves()
		require.Zero(t, r.status, "%s", r.all())
		file, err := filepath.Glob(filepath.Join(dir, "saved", "*"))
		require.NoError(t, err)
		require.Len(t, file, 1, "in the root of the user's module")
		r = saves()
		require.Zero(t, r.status, "%s", r.all())
		require.Contains(t, r.out, "loom: exhausted, from checkpoint "+file[0])

		write(t, dir, files{"counter.go": strings.Replace(counter["counter.go"], "c.n.Add(1)", "c.n.Store(c.n.Load() + 1)", 1)})
		r = saves()
		require.NotZero(t, r.status, "%s", r.all())
		require.Contains(t, r.out, file[0]+" is a saved search of another program")
	}
}
