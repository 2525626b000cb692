//go:build loom

package loom_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/loom/atomic"
)

func loadOf(x *atomic.Int32) int32 { return x.Load() }

func bump(x *atomic.Int32) {
	x.Store(loadOf(x) + 1)
	loadOf(x)
}

// TestCallsOfHelpersAreShown: of a function in which one line is all that happens,
// and which has several callers, the place of the call is what tells them apart.
// Where the line says enough it stands alone; and the page has the same places.
func TestCallsOfHelpersAreShown(t *testing.T) {
	page := filepath.Join(t.TempDir(), "page.html")
	_, err := loom.Explore(func() {
		var x atomic.Int32
		bump(&x)
		if loadOf(&x) == 1 {
			loom.Failf("Planted", "on purpose")
		}
	}, loom.Page(page))
	var v *loom.Violation
	require.ErrorAs(t, err, &v)
	require.Regexp(t, `helper_sites_test\.go:16 < :19  +int#0 Load = 0`, v.Schedule)
	require.Regexp(t, `helper_sites_test\.go:19  +int#0 Store 1`, v.Schedule, "it has two lines")
	require.Regexp(t, `helper_sites_test\.go:16 < :20  +int#0 Load = 1`, v.Schedule)
	require.Regexp(t, `helper_sites_test\.go:16 < :31  +int#0 Load = 1`, v.Schedule)
	require.Contains(t, v.Schedule, "; < the call of what is a helper")
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	require.Contains(t, string(text), "helper_sites_test.go:16 &lt; :31")
}
