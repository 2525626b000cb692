package tla_test

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/filch-sched/filch/model"
	"github.com/filch-sched/filch/tla"
	"github.com/stretchr/testify/require"
)

// checked are, by the module that the models of a protocol have, the claims of
// package model that it defines: as invariants, and as properties. What a package
// claims and is not here, unmodelled has.
var checked = map[string]struct{ invariants, properties []string }{
	"RingQueueMC": {invariants: []string{
		"NoLostTask", "NoDuplicateTask", "FIFO", "StealHalf", "OverflowKeepsOldest", "CapacityFromSteal",
		"SingleThief", "BusyIsHonest", "NoSlotRace", "NoRetention", "WrapSafe",
	}},
	"InjectMC": {invariants: []string{"InjectFIFO", "LenHint", "ClosedReturnsTasks", "NoDuplicateTask", "NoLostTask"}},
	"ParkMC":   {[]string{"TokenKept", "TokenSingle", "UnparkPublishes"}, []string{"ShutdownWakes"}},
	"IdleMC":   {invariants: []string{"CountsMatchSleepers", "SearchersBounded", "OneWakeInFlight"}},
	"SchedMC": {
		[]string{"CountsMatchSleepers", "SearchersBounded", "OneWakeInFlight", "NoLostWakeup", "WorkConserving",
			"LIFOBounded", "InjectBounded", "ShutdownDrains"},
		[]string{"EveryTaskRuns", "NoIdleSpin", "ShutdownWakes"},
	},
}

// unmodelled are the claims that no specification says anything about: of tasks'
// results and contexts, of random numbers, of threads and of processors, and of runs
// without an end, for which the closed graphs are.
var unmodelled = []string{
	"ContextBound", "PanicContained", "JoinResolves", "VictimsCovered", "NoLeak", "QuietWhenIdle", "LockFree",
}

// further are the properties that are no claims by name: what is implemented, that
// calls return, and the liveness of claims that are invariants.
var further = []string{
	"EveryCallReturns", "TokenReleases", "Conserved", "StealQueue!Spec", "Semaphore!Spec",
}

func TestEveryClaimOfThePackagesIsCheckedOrSaidNotToBe(t *testing.T) {
	var all []string
	for _, names := range checked {
		all = append(append(all, names.invariants...), names.properties...)
	}
	section := regexp.MustCompile(`(?s)\n// # Claims\n//\n(.*?)\n//\n`)
	for _, dir := range []string{"queue", "park", "idle", "sched"} {
		doc := section.FindStringSubmatch(read(t, "../"+dir+"/doc.go"))
		require.NotNil(t, doc)
		for _, name := range regexp.MustCompile(`[A-Z]\w+`).FindAllString(doc[1], -1) {
			require.True(t, slices.Contains(all, name) != slices.Contains(unmodelled, name), "%s of package %s", name, dir)
		}
	}
}

func TestEveryClaimIsAnOperatorOfItsModule(t *testing.T) {
	for module, names := range checked {
		defined := scope(t, module)
		for _, name := range append(slices.Clone(names.invariants), names.properties...) {
			require.Contains(t, defined, name, module)
			require.NotEmpty(t, model.Sentence(model.Claim(name)), "%s is no claim of package model", name)
		}
	}
	whole := regexp.MustCompile(`(?s)\nWrapSafe ==\n(.*?)\n\n`).FindStringSubmatch(load(t, "RingQueueClaims").text)
	require.NotNil(t, whole)
	conjuncts := regexp.MustCompile(`[A-Z]\w+`).FindAllString(whole[1], -1)
	require.ElementsMatch(t, append(without(checked["RingQueueMC"].invariants, "WrapSafe"), "TypeOK"), conjuncts,
		"WrapSafe says that all claims hold")
}

func without(names []string, name string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n == name })
}

// folder returns what a model is for.
func folder(m tla.Model) string { return path.Dir(m.Config) }

// TestEveryModelChecksEveryClaim: that is an invariant, but for those that check a
// property alone. TypeOK says what the variables are. WrapSafe says all.
func TestEveryModelChecksEveryClaim(t *testing.T) {
	properties := map[string][]string{}
	for _, m := range manifest(t).Models {
		c := loadConfig(t, m.Config)
		if folder(m) != "models" {
			continue
		}
		properties[m.Module] = append(properties[m.Module], c.properties...)
		if len(c.invariants) == 0 && len(c.properties) > 0 || slices.Contains(c.invariants, "WrapSafe") {
			continue
		}
		require.Contains(t, checked, m.Module)
		require.ElementsMatch(t, append(without(checked[m.Module].invariants, "WrapSafe"), "TypeOK"), c.invariants, m.Config)
	}
	for module, names := range checked {
		require.Subset(t, properties[module], names.properties, module)
	}
}

func TestEveryInvariantThatAModelNamesIsAClaim(t *testing.T) {
	for _, m := range manifest(t).Models {
		if folder(m) == "witnesses" {
			continue
		}
		for _, name := range loadConfig(t, m.Config).invariants {
			require.True(t, name == "TypeOK" || model.Sentence(model.Claim(name)) != "",
				"%s: %s is no claim of package model", m.Config, name)
		}
	}
}

// TestEveryClaimHasAMutant, in each module that checks it: that TLC finds a violation
// in a wrong ring shows that the invariant says something.
func TestEveryClaimHasAMutant(t *testing.T) {
	killed, mutants := map[string]bool{}, 0
	for _, m := range manifest(t).Models {
		if folder(m) == "mutants" {
			killed[m.Violates] = true
			mutants++
		}
	}
	require.GreaterOrEqual(t, mutants, 50)
	for _, names := range checked {
		for _, claim := range append(slices.Clone(names.invariants), names.properties...) {
			require.True(t, killed[claim], "no mutant violates %s", claim)
		}
	}
	for _, property := range further {
		require.True(t, killed[property], "no mutant violates %s", property)
	}
}

// TestEveryBondIsBrokenOnTheSideOfTheSpecification, but for the larger ones of a driver
// whose smaller one is; TLC prints each of these graphs in every run.
func TestEveryBondIsBrokenOnTheSideOfTheSpecification(t *testing.T) {
	broken, changes := map[string]bool{"RingTwo": true, "Batches": true}, 0
	for _, m := range manifest(t).Models {
		if folder(m) == "broken" {
			broken[m.Bond] = true
			changes++
			require.Equal(t, tla.Quick, m.Set)
		}
	}
	require.GreaterOrEqual(t, changes, 20)
	for _, m := range manifest(t).Models {
		if folder(m) == "bonds" {
			require.True(t, broken[m.Name], "no change of the specification breaks %s", m.Name)
		}
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
		case folder(m) == "witnesses":
			require.Equal(t, []string{m.Name}, c.invariants)
			require.Equal(t, m.Name, m.Violates)
		case m.Result == tla.Invariant:
			require.Equal(t, []string{m.Violates}, c.invariants)
			require.Empty(t, c.properties)
		case strings.HasSuffix(m.Violates, "!Spec"):
			require.Equal(t, []string{"Refines"}, c.properties)
		default:
			require.Equal(t, []string{m.Violates}, c.properties)
		}
	}
}

// chosen are what a model gives values that a .cfg cannot write: no wrong versions.
var chosen = []string{"Setup", "Order", "May", "Choices"}

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
		wrong := 0
		for old, by := range c.overrides {
			require.Contains(t, names, old, m.Config)
			require.Contains(t, names, by, m.Config)
			require.Equal(t, names[old], names[by], "%s: parameters of %s <- %s", m.Config, old, by)
			used[by] = true
			if !slices.Contains(chosen, old) {
				wrong++
			}
		}
		is := folder(m) == "mutants" && m.Name != "ModulusTooSmall" || folder(m) == "broken"
		require.Equal(t, is, wrong > 0, "%s replaces definitions", m.Config)
		require.Equal(t, m.Bond != "", c.view != "", "%s has a view", m.Config)
	}
	for _, bugs := range []string{"RingQueueBugs", "ParkBugs", "InjectBugs", "IdleBugs", "SchedBugs"} {
		text := load(t, bugs).text
		for name := range load(t, bugs).arity {
			helps := strings.Count(text, name) > 1 // in another definition
			require.True(t, used[name] || helps, "no mutant uses %s of %s", name, bugs)
		}
	}
}

// TestRecordedRunsAreHeldToEveryClaim that is an invariant of what was recorded. That no
// task of a ring is lost or returned twice is asked at the end, and WrapSafe says all.
func TestRecordedRunsAreHeldToEveryClaim(t *testing.T) {
	for module, claims := range map[string][]string{
		"SchedTrace": checked["SchedMC"].invariants,
		"ParkTrace":  checked["ParkMC"].invariants,
		"RingTrace": append([]string{"NoneLostAtTheEnd", "NoneTwiceAtTheEnd"}, slices.DeleteFunc(slices.Clone(checked["RingQueueMC"].invariants),
			func(n string) bool { return n == "NoLostTask" || n == "NoDuplicateTask" || n == "WrapSafe" })...),
	} {
		right, wrong := loadConfig(t, "traces/"+module+".cfg"), loadConfig(t, "traces/"+module+"Broken.cfg")
		require.ElementsMatch(t, append(slices.Clone(claims), "AtTheEnd", "Stuck"), right.invariants)
		require.ElementsMatch(t, []string{"AtTheEnd", "Stuck"}, wrong.invariants)
		right.invariants, wrong.invariants = nil, nil
		require.Equal(t, right, wrong)
		for _, name := range claims {
			require.Contains(t, scope(t, module), name)
		}
	}
}

// TestSymmetryIsForInvariantsOnly: with liveness TLC's reduction is not sound, and a
// module with a choice among workers is not symmetric.
func TestSymmetryIsForInvariantsOnly(t *testing.T) {
	reduced := 0
	for _, m := range manifest(t).Models {
		c := loadConfig(t, m.Config)
		if c.symmetry == "" {
			continue
		}
		reduced++
		require.Equal(t, "Alike", c.symmetry, m.Config)
		require.Equal(t, "Spec", c.spec, m.Config)
		require.Empty(t, c.properties, m.Config)
		require.NotEmpty(t, c.invariants, m.Config)
	}
	require.Positive(t, reduced)
	for _, name := range []string{"Idle", "Sched", "SchedWork", "SchedMC", "SchedBugs"} {
		require.NotRegexp(t, `CHOOSE \w+ \\in (Workers|Submitters|Threads|Outside)`, load(t, name).text)
	}
}
