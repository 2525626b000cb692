//go:build loom

package loom_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
)

// saving runs the test of testdata/saved, with the file of its source replaced if
// change is given, and saves its search in dir.
func saving(t *testing.T, dir string, change func(source string) string, flags ...string) (out string, err error) {
	t.Helper()
	args := append([]string{"test", "-count=1", "-v", "-tags", "loom", "-run", "^TestSum$"}, flags...)
	if change != nil {
		name, err := filepath.Abs(filepath.Join("testdata", "saved", "saved_test.go"))
		require.NoError(t, err)
		source, err := os.ReadFile(name)
		require.NoError(t, err)
		text := change(string(source))
		require.NotEqual(t, string(source), text)
		args = append(args, "-overlay", overlayOf(t, map[string]string{name: text}))
	}
	cmd := exec.Command("go", append(args, "./testdata/saved")...)
	cmd.Env = append(os.Environ(), "LOOM_CHECKPOINT="+dir, "LOOM_CHECKPOINT_EVERY=1ns")
	text, err := cmd.CombinedOutput()
	return string(text), err
}

// losesUpdates makes the program wrong: what its first thread does late.
func losesUpdates(source string) string {
	return strings.Replace(source, "x.Add(1) }", "if i == 0 && x.Load() == 2 { x.Store(3) } else { x.Add(1) } }", 1)
}

// TestSavedSearchOfChangedCodeIsRefused: neither does what was seen of a right
// program pass for a wrong one, nor is what was seen of the wrong one counted for
// the right.
func TestSavedSearchOfChangedCodeIsRefused(t *testing.T) {
	dir := t.TempDir()
	out, err := saving(t, dir, nil)
	require.NoError(t, err, out)
	require.Contains(t, out, "loom: exhausted: ")
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	require.NoError(t, err)
	require.Len(t, files, 1)

	out, err = saving(t, dir, nil)
	require.NoError(t, err, "built anew from the same source: %s", out)
	require.Contains(t, out, "loom: exhausted, from checkpoint "+files[0]+": ")

	changed := files[0] + " is a saved search of another program: the code, or how it was built"
	out, err = saving(t, dir, losesUpdates)
	require.Error(t, err, out)
	require.Contains(t, out, changed)
	require.Contains(t, out, "delete the file to search anew")
	out, err = saving(t, dir, nil, "-race")
	require.Error(t, err, out)
	require.Contains(t, out, changed)

	dir = t.TempDir()
	out, err = saving(t, dir, losesUpdates)
	require.Error(t, err, out)
	require.Contains(t, out, "NoLostUpdate violated")
	require.NotContains(t, out, " 1 execution ")
	out, err = saving(t, dir, losesUpdates)
	require.Error(t, err, out)
	require.Contains(t, out, "NoLostUpdate violated", "the same code goes on")
	out, err = saving(t, dir, nil)
	require.Error(t, err, out)
	require.Contains(t, out, " is a saved search of another program")
}

// TestSavedSearchNamesItsProgram: a file with any other fingerprint is refused,
// whether the search in it has ended or not.
func TestSavedSearchNamesItsProgram(t *testing.T) {
	file := filepath.Join(t.TempDir(), "saved")
	explore := func() (loom.Report, error) { return loom.Explore(func() { readers(3) }, loom.Checkpoint(file)) }
	r, err := explore()
	require.NoError(t, err)
	require.Empty(t, r.Checkpoint)
	r, err = explore()
	require.NoError(t, err)
	require.Equal(t, file, r.Checkpoint)

	text, err := os.ReadFile(file)
	require.NoError(t, err)
	_, rest, ok := strings.Cut(string(text), `"Code":"`)
	require.True(t, ok)
	for _, done := range []string{"true", "false"} {
		other := strings.Replace(string(text), rest[:64], strings.Repeat("0", 64), 1)
		other = strings.Replace(other, `"Done":true`, `"Done":`+done, 1)
		require.NoError(t, os.WriteFile(file, []byte(other), 0o600))
		_, err = explore()
		require.ErrorContains(t, err, "is a saved search of another program")
	}
}
