//go:build !loom && !race

package rewrite_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func writeFile(name string, text []byte) error { return os.WriteFile(name, text, 0o600) }

// overlayFile writes an overlay as the go command takes it.
func overlayFile(t *testing.T, replace map[string]string) string {
	text, err := json.Marshal(map[string]any{"Replace": replace})
	require.NoError(t, err)
	name := filepath.Join(t.TempDir(), "overlay.json")
	require.NoError(t, writeFile(name, text))
	return name
}
