package explore

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom/internal/machine"
)

// TestPlacesAreToldApart: files of one name in different directories are written
// with these, others without.
func TestPlacesAreToldApart(t *testing.T) {
	site := func(file string) machine.Site { return machine.Site{File: file, Line: 7} }
	trace := []machine.Event{{Site: site("/m/a/ring.go")}, {Site: site("/m/b/ring.go")}, {Site: site("/m/b/steal.go")}, {}}
	e := Execution{Trace: trace}
	e.twice = ambiguous(e)
	require.Equal(t, "a/ring.go:7", e.place(trace[0].Site))
	require.Equal(t, "b/ring.go:7", e.place(trace[1].Site))
	require.Equal(t, "steal.go:7", e.place(trace[2].Site))
	require.Equal(t, "-", e.place(trace[3].Site))
	require.Nil(t, ambiguous(Execution{Trace: trace[1:]}))
}
