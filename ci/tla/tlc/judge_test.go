package tlc_test

import (
	"testing"

	"github.com/filch-sched/filch/ci/tla/tlc"
	"github.com/filch-sched/filch/tla"
	"github.com/stretchr/testify/require"
)

func TestEndIsJudgedByKindAndByName(t *testing.T) {
	for _, c := range []struct {
		name, violates string
		result         tla.Result
		want           string
	}{
		{"success", "", tla.Success, ""},
		{"success", "Small", tla.Invariant, "want invariant Small violated, got no violation"},
		{"invariant", "Small", tla.Invariant, ""},
		{"invariant", "Large", tla.Invariant, "want invariant Large violated, got invariant Small violated"},
		{"invariant", "Small", tla.Property, "want property Small violated, got invariant Small violated"},
		{"invariant", "", tla.Success, "want no violation, got invariant Small violated"},
		{"refinement", "Up!Spec", tla.Property, ""},
		{"refinement", "Counts", tla.Property, "want property Counts violated, got property Up!Spec violated"},
		{"temporal", "Returns", tla.Property, ""},
		{"temporal", "Reaches", tla.Property, "want property Reaches violated, got property Returns violated"},
		{"action", "Stopped", tla.Property, ""},
		{"parse", "", tla.Success, "want no violation, got parse"},
		{"deadlock", "Small", tla.Invariant, "want invariant Small violated, got deadlock"},
		{"assert", "", tla.Success, "want no violation, got assert"},
	} {
		out, err := tlc.ParseOutput(recorded(t, c.name))
		require.NoError(t, err)
		m := tla.Model{Name: c.name, Config: c.name + ".cfg", Result: c.result, Violates: c.violates}
		complaints := tlc.JudgeEnd(m, out, "testdata")
		if c.want == "" {
			require.Empty(t, complaints)
		} else {
			require.Equal(t, []string{c.want}, complaints)
		}
	}
}

func TestEveryCountIsJudged(t *testing.T) {
	out, err := tlc.ParseOutput(recorded(t, "success"))
	require.NoError(t, err)
	m := tla.Model{Generated: 4, Distinct: 4, Depth: 4}
	require.Empty(t, tlc.JudgeCounts(m, out))
	require.Equal(t, []string{
		"want states generated 5, got 4", "want distinct states 3, got 4", "want depth 0, got 4",
	}, tlc.JudgeCounts(tla.Model{Generated: 5, Distinct: 3}, out))
}
