package tlc_test

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/filch-sched/filch/tla"
	"github.com/stretchr/testify/require"
)

// TestArchiveIsUsedIfThereIsOne: a Java that makes none is run as before.
func TestArchiveIsUsedIfThereIsOne(t *testing.T) {
	s, _ := session(t, "success")
	before := slices.Clone(s.TLC.Java)
	dir := t.TempDir()
	small := model("success", tla.Success, "", 4, 4, 4)
	require.NoError(t, s.TLC.Archive(context.Background(), small, dir))
	require.Equal(t, before, s.TLC.Java)

	t.Setenv("FILCH_FAKE_ARCHIVE", "1")
	require.NoError(t, s.TLC.Archive(context.Background(), small, dir))
	require.Len(t, s.TLC.Java, len(before)+1)
	file, is := strings.CutPrefix(s.TLC.Java[len(before)], "-XX:SharedArchiveFile="+dir)
	require.True(t, is)
	require.FileExists(t, dir+file)
	require.NoError(t, os.Remove(dir+file))

	small.Name, small.Config = "none", "none.cfg"
	require.ErrorContains(t, s.TLC.Archive(context.Background(), small, dir), "tlc: an archive of classes: ")
}
