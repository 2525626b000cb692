//go:build loom

package loom_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
)

func racy() {
	var x atomic.Int32
	loom.Go(func() { x.Store(1) })
	if x.Load() == 1 {
		loom.Failf("Planted", "on purpose")
	}
}

// TestPageOption: a violation is drawn where the option says, a search without
// one draws nothing, and nothing is written over.
func TestPageOption(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "below", "bug.html")
	_, err := loom.Explore(func() {}, loom.Page(file))
	require.NoError(t, err)
	require.NoFileExists(t, file)

	var v *loom.Violation
	draw := func(to string, more ...loom.Option) string {
		t.Helper()
		_, err := loom.Explore(racy, append(more, loom.Page(to))...)
		require.True(t, errors.As(err, &v))
		require.Contains(t, v.Error(), "\npage: "+v.Page+"\n")
		text, err := os.ReadFile(v.Page)
		require.NoError(t, err)
		require.Contains(t, string(text), "<h1>Planted violated</h1>")
		return v.Page
	}
	require.Equal(t, file, draw(file))
	require.Equal(t, filepath.Join(dir, "below", "bug-2.html"), draw(file))
	require.Equal(t, filepath.Join(dir, "below", "loom_test.TestPageOption.html"), draw(filepath.Join(dir, "below")))
	require.Equal(t, filepath.Join(dir, "new", "loom_test.TestPageOption.html"), draw(filepath.Join(dir, "new")+"/"))
	replayed := draw(filepath.Join(dir, "replayed.html"), loom.Replay(v.Token))
	require.FileExists(t, replayed)

	_, err = loom.Explore(racy, loom.Page(filepath.Join(file, "not", "a", "directory.html")))
	require.True(t, errors.As(err, &v))
	require.Empty(t, v.Page)
	require.Contains(t, v.Error(), "page: not written: ")
}

// TestFilesFromOutside: all files that the environment names are relative to the
// root of the module, wherever the package under test is.
func TestFilesFromOutside(t *testing.T) {
	dir, err := os.MkdirTemp("testdata", "outside")
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	in := "loom/" + filepath.ToSlash(dir) + "/"
	shell(t, "LOOM_PAGE="+in+"pages/ LOOM_CHECKPOINT="+in+"saved LOOM_REPORT="+in+"report LOOM_MODE=record LOOM_RECORD="+in+"record"+
		" LOOM_CHECKPOINT_EVERY=1ns go test -count=1 -tags loom -run '^(TestFiveThreads|TestRace)$' "+planted)
	for _, name := range []string{"pages/TestRace.html", "pages/TestFiveThreads.html", "report", "record", "saved"} {
		_, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name)))
		require.NoError(t, err)
	}
}

// TestPageFromOutside: the environment asks for the page of a replay, in the
// directory in which the command is given.
func TestPageFromOutside(t *testing.T) {
	out := shell(t, "LOOM_PAGE=loom/testdata/page.html go test -count=1 -tags loom -run '^TestRace$' "+planted)
	file, err := filepath.Abs(filepath.Join("testdata", "page.html"))
	require.NoError(t, err)
	t.Cleanup(func() { os.Remove(file) })
	require.Contains(t, out, "page: "+file)
	first, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, os.Remove(file))
	again := shell(t, "LOOM_PAGE="+file+" "+replayOf(t, reports(out)["TestRace"]))
	require.Contains(t, again, "page: "+file)
	second, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(first), string(second), "the page of a replay is that of the failure")
	require.Equal(t, 1, strings.Count(string(first), "LOOM_REPLAY="))
}
