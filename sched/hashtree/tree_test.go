package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/sched"
)

func TestParallelDigestEqualsTheSequentialOne(t *testing.T) {
	dir, err := goSources()
	require.NoError(t, err)
	want, err := Sequential(dir)
	require.NoError(t, err)
	require.Greater(t, want.Files, int64(5000))
	for _, workers := range []int{1, 2, 16} {
		t.Run(fmt.Sprint("workers=", workers), func(t *testing.T) {
			s, err := sched.New(sched.Workers(workers))
			require.NoError(t, err)
			got, err := Parallel(s, dir)
			require.NoError(t, err)
			require.NoError(t, s.Close())
			require.Equal(t, want, got)
			require.EqualValues(t, want.Dirs+want.Files, s.Stats().Ran)
		})
	}
}

func TestDigestSeesNamesAndContents(t *testing.T) {
	s, err := sched.New(sched.Workers(2))
	require.NoError(t, err)
	defer s.Close()
	dir := t.TempDir()
	seen := map[Digest]bool{}
	step := func(change error) {
		require.NoError(t, change)
		d, err := Parallel(s, dir)
		require.NoError(t, err)
		same, err := Sequential(dir)
		require.NoError(t, err)
		require.Equal(t, same, d)
		require.False(t, seen[d], "the digest did not change")
		seen[d] = true
	}
	step(nil)
	step(os.Mkdir(filepath.Join(dir, "empty"), 0o755))
	step(os.WriteFile(filepath.Join(dir, "empty", "a"), []byte("x"), 0o644))
	step(os.WriteFile(filepath.Join(dir, "empty", "a"), []byte("y"), 0o644))
	step(os.Rename(filepath.Join(dir, "empty", "a"), filepath.Join(dir, "empty", "b")))

	_, err = Parallel(s, filepath.Join(dir, "missing"))
	require.ErrorIs(t, err, os.ErrNotExist)
}
