//go:build loom

package loom

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/filch-sched/filch/loom/internal/graph"
)

// How often a search of states says how far it is: on a terminal, where each line
// takes the place of the one before, and in a file.
const (
	statesOnTerminal = time.Second
	statesInFile     = 10 * time.Second
)

// tellStates returns what writes how far a search of states is, to where
// LOOM_PROGRESS says.
func (c *config) tellStates() func(graph.Count) {
	out, terminal := progressOutput(os.Getenv("LOOM_PROGRESS"))
	if out == nil {
		return nil
	}
	every := statesInFile
	name, _, _ := strings.Cut(c.title(), "#")
	if terminal {
		every = statesOnTerminal
	}
	if c.callers != nil {
		name = name[strings.LastIndexByte(name, '/')+1:]
	}
	var last graph.Count
	return func(n graph.Count) {
		passed := n.Elapsed - last.Elapsed
		if passed < every {
			return
		}
		line := statesLine(name, n, float64(n.Edges-last.Edges)/passed.Seconds())
		last = n
		if terminal {
			fmt.Fprintf(out, "\r\x1b[K%s", line)
		} else {
			fmt.Fprintln(out, line)
		}
	}
}

// statesLine is one line: the frontier is the states some of whose edges are not
// known.
func statesLine(name string, n graph.Count, rate float64) string {
	return fmt.Sprintf("loom: %s: %v: %d states, %d edges, depth %d, frontier %d, %.0f edges/s",
		name, n.Elapsed.Round(time.Second), n.States, n.Edges, n.Depth, n.Waiting, rate)
}
