//go:build loom

package loom_test

import (
	"errors"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/loom"
)

// outcomes explores body to the end, expects no violation, and returns what
// body gave to its argument in any execution, sorted, each once.
func outcomes(t *testing.T, body func(saw func(string))) []string {
	t.Helper()
	set := map[string]bool{}
	r, err := loom.Explore(func() { body(func(s string) { set[s] = true }) })
	require.NoError(t, err)
	require.True(t, r.Exhausted)
	return slices.Sorted(maps.Keys(set))
}

// violation explores body and returns the violation that it expects to find.
func violation(t *testing.T, body func(), opts ...loom.Option) *loom.Violation {
	t.Helper()
	r, err := loom.Explore(body, opts...)
	var v *loom.Violation
	require.Truef(t, errors.As(err, &v), "no violation but %v, %v", err, r)
	return v
}

// holdsBoth is holds with the search that takes nothing for granted, too: the
// optimal one knows what a lock is, and does not try what a lock rules out.
func holdsBoth(t *testing.T, body func()) {
	t.Helper()
	holds(t, body)
	holds(t, body, loom.Algorithm("sleep"))
}

// holds explores body to the end and expects no violation.
func holds(t *testing.T, body func(), opts ...loom.Option) loom.Report {
	t.Helper()
	r, err := loom.Explore(body, opts...)
	require.NoError(t, err)
	require.True(t, r.Exhausted)
	return r
}
