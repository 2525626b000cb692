//go:build unix

package tlc_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFetchedJarIsWholeOrNotThere: what Maven fetches is looked at before it has the name
// under which another run finds it. A script stands for Maven.
func TestFetchedJarIsWholeOrNotThere(t *testing.T) {
	bin := t.TempDir()
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	maven := func(line string) {
		require.NoError(t, os.WriteFile(filepath.Join(bin, "mvn"), []byte("#!/bin/sh\nfor a; do case $a in -DoutputDirectory=*) d=${a#*=};; esac; done\n"+line+"\n"), 0o755))
	}
	cache := filepath.Join(t.TempDir(), "a cache")
	maven(`printf '` + wrong + `' >"$d/tool-1.2.jar"`)
	_, err := artifact().Find(cache, t.TempDir())
	require.ErrorContains(t, err, "not the pinned")
	require.Empty(t, names(t, cache), "it is not kept")

	maven("echo no network; exit 1")
	_, err = artifact().Find(cache, t.TempDir())
	require.ErrorContains(t, err, "tlc: tool-1.2.jar is neither in "+cache+" nor in Maven's repository, and it cannot be fetched, which needs the network; TLA2TOOLS=FILE uses")
	require.ErrorContains(t, err, "exit status 1\nno network")
	require.Empty(t, names(t, cache))

	maven(`printf '` + right + `' >"$d/tool-1.2.jar"`)
	got, err := artifact().Find(cache, t.TempDir())
	require.NoError(t, err)
	require.Equal(t, filepath.Join(cache, "tool-1.2.jar"), got)
	require.Equal(t, []string{"tool-1.2.jar"}, names(t, cache))
}

func names(t *testing.T, dir string) (all []string) {
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}
