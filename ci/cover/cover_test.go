package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

const text = "mode: set\n" +
	module + "queue/a.go:5.2,6.3 3 1\n" +
	module + "queue/a.go:7.2,8.3 1 0\n" +
	module + "queue/a.go:7.2,8.3 1 1\n" +
	module + "idle/b.go:3.17,4.3 4 0\n"

func TestShares(t *testing.T) {
	p, err := parse(text)
	require.NoError(t, err)
	require.Equal(t, share{4, 4}, p.share("queue"))
	require.Equal(t, share{0, 4}, p.share("idle"))
	require.Equal(t, "4 of 8 statements, 50.0 %", p.share("").String())
	for _, bad := range []string{"", "mode: set\n", "mode: set\nqueue/a.go 3 1\n"} {
		_, err := parse(bad)
		require.Error(t, err)
	}
}

func TestWhatIsMissingIsNamed(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(root, "idle"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(root, "idle", "b.go"), []byte("package idle\n\nfunc choose() {\n}\n"), 0o644))
	p, err := parse(text)
	require.NoError(t, err)
	missing, err := p.missing(root)
	require.NoError(t, err)
	require.Equal(t, []string{"idle/b.go:3 idle.choose, 4 statements: needs two who wake at the same time"}, missing)
}

func TestTooLittleFails(t *testing.T) {
	file := filepath.Join(t.TempDir(), "profile")
	require.NoError(t, os.WriteFile(file, []byte("mode: set\n"+module+"queue/ring.go:67.84,71.3 1 1\n"), 0o644))
	ok, err := cover(95, file)
	require.NoError(t, err)
	require.True(t, ok)
	t.Chdir("../..") // where the source is
	require.NoError(t, os.WriteFile(file, []byte("mode: set\n"+module+"queue/ring.go:67.84,71.3 1 0\n"), 0o644))
	ok, err = cover(95, file)
	require.NoError(t, err)
	require.False(t, ok)
	_, err = cover(95, filepath.Join(t.TempDir(), "none"))
	require.Error(t, err)
}

// TestTheReasonsAreOfFunctionsThatThereAre: a reason must not outlive its function.
func TestTheReasonsAreOfFunctionsThatThereAre(t *testing.T) {
	there := map[string]bool{}
	for _, pkg := range packages {
		files, err := filepath.Glob(filepath.Join("..", "..", pkg, "*.go"))
		require.NoError(t, err)
		for _, f := range files {
			src, err := os.ReadFile(f)
			require.NoError(t, err)
			for line := range lineCount(src) {
				if name, err := function(f, line+1); err == nil {
					there[pkg+"."+name] = true
				}
			}
		}
	}
	for name := range rarely {
		require.True(t, there[name], "%s", name)
	}
}

func lineCount(b []byte) (n int) {
	for _, c := range b {
		if c == '\n' {
			n++
		}
	}
	return n
}
