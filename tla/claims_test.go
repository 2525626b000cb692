package tla_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/filch-sched/filch/model"
	"github.com/filch-sched/filch/tla"
	"github.com/stretchr/testify/require"
)

// unmodelled are the claims of package queue that the specification says
// nothing about.
var unmodelled = []string{
	"InjectFIFO", "ClosedReturnsTasks", // of Inject: the ring sees an overflow in one step
	"LenHint", // of methods that only look
}

// ringClaims are the claims that package queue makes of its ring, by its
// documentation.
func ringClaims(t *testing.T) []string {
	doc := regexp.MustCompile(`(?s)\n// # Claims\n//\n(.*?)\n//\n`).FindStringSubmatch(read(t, "../queue/doc.go"))
	require.NotNil(t, doc)
	var claims []string
	for _, name := range regexp.MustCompile(`\w+`).FindAllString(doc[1], -1) {
		require.NotEmpty(t, model.Sentence(model.Claim(name)), "%s is no claim of package model", name)
		if !slices.Contains(unmodelled, name) {
			claims = append(claims, name)
		}
	}
	return claims
}

func TestEveryClaimOfTheRingIsAnInvariant(t *testing.T) {
	spec := load(t, "RingQueueClaims")
	whole := regexp.MustCompile(`(?s)\nWrapSafe ==\n(.*?)\n\n`).FindStringSubmatch(spec.text)
	require.NotNil(t, whole)
	conjuncts := regexp.MustCompile(`[A-Z]\w+`).FindAllString(whole[1], -1)
	for _, claim := range ringClaims(t) {
		require.Contains(t, spec.arity, claim)
		if claim != "WrapSafe" {
			require.Contains(t, conjuncts, claim, "WrapSafe says that all claims hold")
		}
	}
}

// TestEveryModelChecksEveryClaim: but for those that check a property. TypeOK
// says what the variables are.
func TestEveryModelChecksEveryClaim(t *testing.T) {
	all := append(ringClaims(t), "TypeOK")
	for _, m := range manifest(t).Models {
		c := loadConfig(t, m.Config)
		if m.Result != tla.Success || len(c.properties) > 0 {
			continue
		}
		if !slices.Contains(c.invariants, "WrapSafe") {
			require.ElementsMatch(t, all, append(c.invariants, "WrapSafe"), m.Config)
		}
	}
}

func TestEveryInvariantThatAModelNamesIsAClaim(t *testing.T) {
	for _, m := range manifest(t).Models {
		if strings.HasPrefix(m.Config, "witnesses/") {
			continue
		}
		for _, name := range loadConfig(t, m.Config).invariants {
			require.True(t, name == "TypeOK" || model.Sentence(model.Claim(name)) != "",
				"%s: %s is no claim of package model", m.Config, name)
		}
	}
}

// TestEveryClaimHasAMutant: that TLC finds a violation in a wrong ring shows
// that the invariant says something.
func TestEveryClaimHasAMutant(t *testing.T) {
	killed := map[string]bool{}
	for _, m := range manifest(t).Models {
		if strings.HasPrefix(m.Config, "mutants/") {
			killed[m.Violates] = true
		}
	}
	for _, claim := range append(ringClaims(t), "EveryCallReturns", "StealQueue!Spec") {
		require.True(t, killed[claim], "no mutant violates %s", claim)
	}
}

// TestEveryMutantChecksOnlyWhatItMustViolate, so that it cannot fail for
// another reason.
func TestEveryMutantChecksOnlyWhatItMustViolate(t *testing.T) {
	for _, m := range manifest(t).Models {
		if m.Result == tla.Success {
			continue
		}
		c := loadConfig(t, m.Config)
		switch {
		case strings.HasPrefix(m.Config, "witnesses/"):
			require.Equal(t, []string{m.Name}, c.invariants)
			require.Equal(t, m.Name, m.Violates)
		case m.Result == tla.Invariant:
			require.Equal(t, []string{m.Violates}, c.invariants)
			require.Empty(t, c.properties)
		case m.Violates == "StealQueue!Spec":
			require.Equal(t, []string{"Refines"}, c.properties)
		default:
			require.Equal(t, []string{m.Violates}, c.properties)
		}
	}
}

// TestConfigsFitTheirModules: every name is defined, and a definition is
// replaced by one with as many parameters.
func TestConfigsFitTheirModules(t *testing.T) {
	used := map[string]bool{}
	for _, m := range manifest(t).Models {
		c, names := loadConfig(t, m.Config), scope(t, m.Module)
		for _, name := range slices.Concat([]string{c.spec}, c.invariants, c.properties) {
			require.Contains(t, names, name, m.Config)
		}
		for name := range c.values {
			require.Contains(t, names, name, m.Config)
		}
		for old, wrong := range c.overrides {
			require.Contains(t, names, old, m.Config)
			require.Contains(t, names, wrong, m.Config)
			require.Equal(t, names[old], names[wrong], "%s: parameters of %s <- %s", m.Config, old, wrong)
			used[wrong] = true
		}
		isMutant := m.Module == "RingQueueBugs" && m.Name != "ModulusTooSmall"
		require.Equal(t, isMutant, len(c.overrides) > 1, "%s replaces more than Setup", m.Config)
	}
	for name := range load(t, "RingQueueBugs").arity {
		require.True(t, used[name], "no mutant uses %s of RingQueueBugs", name)
	}
}
