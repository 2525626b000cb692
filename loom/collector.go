//go:build loom

package loom

import (
	"os"
	"runtime/debug"
)

// An exploration makes garbage all the time and keeps next to nothing. At the
// usual 100 percent its heap stays so small that the collector begins again some
// dozens of times a second, and takes a tenth of the time, or more with one
// processor. GOGC decides if it is set.
func init() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(collectAt)
	}
}

const collectAt = 400
