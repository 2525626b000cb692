package trace

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTablesAreOfTheSource: no operation is in both tables, and each is of a function
// that production has.
func TestTablesAreOfTheSource(t *testing.T) {
	s, err := Sched.Source("../..", nil)
	require.NoError(t, err)
	functions := map[string]bool{}
	for _, all := range s.functions {
		for _, f := range all {
			functions[f.name] = true
		}
	}
	for what := range mapped {
		require.NotContains(t, unmapped, what)
		require.True(t, functions[strings.Fields(what)[0]], what)
	}
	for what := range parkerMapped {
		require.True(t, functions[strings.Fields(what)[0]], what)
	}
	for what := range ringMapped {
		require.True(t, functions[strings.Fields(what)[0]], what)
	}
	for what, reason := range unmapped {
		require.True(t, functions[strings.Fields(what)[0]], what)
		require.NotEmpty(t, reason)
	}
}
