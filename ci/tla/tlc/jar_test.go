package tlc_test

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"testing"

	"github.com/filch-sched/filch/ci/tla/tlc"
	"github.com/stretchr/testify/require"
)

const right, wrong = "a jar", "another jar"

func artifact() tlc.Artifact {
	sum := sha256.Sum256([]byte(right))
	return tlc.Artifact{Group: "org.example.tools", Name: "tool", Version: "1.2", SHA256: hex.EncodeToString(sum[:])}
}

func write(t *testing.T, text string, path ...string) string {
	name := filepath.Join(path...)
	require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
	require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
	return name
}

// TestJarIsFoundWithoutTheNetwork: there is no Maven in an empty PATH.
func TestJarIsFoundWithoutTheNetwork(t *testing.T) {
	t.Setenv("PATH", "")
	cache, repository := t.TempDir(), t.TempDir()
	local := write(t, right, repository, "org", "example", "tools", "tool", "1.2", "tool-1.2.jar")
	got, err := artifact().Find(cache, repository)
	require.NoError(t, err)
	require.Equal(t, local, got)

	cached := write(t, right, cache, "tool-1.2.jar")
	got, err = artifact().Find(cache, repository)
	require.NoError(t, err)
	require.Equal(t, cached, got, "the cache comes first")
}

func TestJarWithAnotherHashIsRefused(t *testing.T) {
	for _, where := range [][]string{{"cache", "tool-1.2.jar"}, {"m2", "org", "example", "tools", "tool", "1.2", "tool-1.2.jar"}} {
		dir := t.TempDir()
		name := write(t, wrong, append([]string{dir}, where...)...)
		_, err := artifact().Find(filepath.Join(dir, "cache"), filepath.Join(dir, "m2"))
		require.ErrorContains(t, err, name+" has sha256 ")
		require.ErrorContains(t, err, "not the pinned "+artifact().SHA256)
	}
}

func TestMissingMavenNamesTheCommandThatInstallsIt(t *testing.T) {
	t.Setenv("PATH", "")
	_, err := artifact().Find(t.TempDir(), t.TempDir())
	require.EqualError(t, err, "tlc: mvn is missing; install it: apt-get install -y maven")
	_, err = tlc.Tool("java")
	require.EqualError(t, err, "tlc: java is missing; install it: apt-get install -y openjdk-17-jre-headless")
}
