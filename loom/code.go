//go:build loom

package loom

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"sync"
)

// code is a fingerprint of the program that runs, of which the code under check is
// a part: what a search has seen of one program says nothing about another. Go
// builds the same program from the same source by the same command, so two runs
// of one go test have one fingerprint, and processes that share an exploration,
// too. It is worked out when it is first asked for: it takes some milliseconds.
var code = sync.OnceValues(func() (string, error) {
	name, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("loom: the search cannot be saved: %w", err)
	}
	f, err := os.Open(name)
	if err != nil {
		return "", fmt.Errorf("loom: the search cannot be saved: %w", err)
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", fmt.Errorf("loom: the search cannot be saved: %w", err)
	}
	return fmt.Sprintf("%x", h.Sum(nil)), nil
})
