package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/filch-sched/filch/ci/tla/tlc"
)

// findJar returns the jar with TLC and says which it is.
func findJar(w io.Writer) (string, error) {
	if other := os.Getenv("TLA2TOOLS"); other != "" {
		if err := tlc.HasTLC(other); err != nil {
			return "", fmt.Errorf("TLA2TOOLS=%s: %w", other, err)
		}
		fmt.Fprintf(w, "TLC of TLA2TOOLS=%s, not the pinned %s\n", other, tlc.Tools.Coordinates())
		return filepath.Abs(other)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("where the jar of TLC is kept: %w", err)
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("where Maven keeps its jars: %w", err)
	}
	jar, err := tlc.Tools.Find(filepath.Join(cache, "filch"), filepath.Join(home, ".m2", "repository"))
	if err != nil {
		return "", err
	}
	fmt.Fprintf(w, "TLC of %s, sha256 %s\n", jar, tlc.Tools.SHA256)
	return jar, nil
}
