//go:build !loom && !race

package main_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestGoStatements have the meaning that they have in the language: the function
// and its arguments are evaluated where the statement is, once and in order.
func TestGoStatements(t *testing.T) {
	dir := module(t, testdata(t, "gostatements"))
	plain := run(t, dir, nil, "go", "test", "-count=1", ".")
	require.Zero(t, plain.status, "%s", plain.all())
	r := loom(t, dir, "-for", "2s", "go", "test", ".")
	require.Zero(t, r.status, "%s", r.all())
	require.Contains(t, r.err, "TestGo: ")
	require.NotContains(t, r.err, "NOT EXPLORED")
}

// TestGoStatementsThatCannotBeFollowed are refused with their place.
func TestGoStatementsThatCannotBeFollowed(t *testing.T) {
	for name, c := range map[string][2]string{
		"results of a call for a function value": {"f := func(int, int) {}; go f(two())", "go_test.go:12:29: loom: a go statement whose function is a value"},
		"comparison of a named type":             {"go func(f flag) {}(1 == n)", "go_test.go:12:21: loom: a go statement with a comparison as an argument of type example.com/try.flag"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := module(t, files{"go_test.go": `package try

import "testing"

type flag bool

func two() (int, int) { return 1, 2 }

var n = 1

func TestGo(t *testing.T) {
	` + c[0] + `
}
`})
			r := fails(t, dir, "go", "test", ".")
			require.Contains(t, r.err, c[1])
			require.Contains(t, r.err, "cannot be followed: give")
		})
	}
}

// TestTracking finds races on plain memory of every kind, and none where there is
// none.
func TestTracking(t *testing.T) {
	dir := module(t, testdata(t, "tracking"))
	r := fails(t, dir, "go", "test", "-v", ".")
	for _, racing := range []string{"Field", "Inner", "Whole", "Pointer", "Element", "Range", "Map", "Delete", "Local", "Global", "Array", "Call", "Result", "Header", "Mixed", "MixedOther"} {
		require.Contains(t, r.out, "--- FAIL: TestRace"+racing+" ", "%s", r.err)
	}
	for _, fine := range []string{"Mutex", "Mixed", "OtherPart", "Published", "Late", "Loop"} {
		require.Contains(t, r.out, "--- PASS: TestFine"+fine+" ", "%s", r.all())
		require.Contains(t, r.err, "loom: exhausted TestFine"+fine+":")
	}
	require.Contains(t, r.out, "a store by thread 1 at track_test.go:25 and a store by thread 2 at track_test.go:25")

	r = passes(t, dir, "-track=false", "go", "test", "-run", "RaceField", ".")
	require.Contains(t, r.err, "track_test.go:25:70: field node.a is plain memory that threads may share: not watched for races")
}

// TestLoopsThatWait end: they take no steps while nothing changes, and if nothing
// can they are a livelock.
func TestLoopsThatWait(t *testing.T) {
	dir := module(t, testdata(t, "loops"))
	r := fails(t, dir, "-explore", ".", "go", "test", "-v", ".")
	require.Contains(t, r.out, "--- PASS: TestSpin ")
	require.Contains(t, r.err, "loom: exhausted TestSpin:")
	require.Contains(t, r.err, "loom: exhausted TestGivesUp:")
	require.Contains(t, r.err, "loom: VIOLATED TestForEver: Livelock")
	require.Contains(t, r.out, "spin_test.go:55 for a change")
	require.Contains(t, r.err, "spin_test.go:29:8: time.Sleep: in an exploration no time passes")
}

// TestRoundsThatRepeatWait: a loop that carries values waits when it has come round
// with the same ones, and not before. One that never does is refused with the
// variable that changes.
func TestRoundsThatRepeatWait(t *testing.T) {
	dir := module(t, files{"round_test.go": testdata(t, "loops")["round_test.go"]})
	r := fails(t, dir, "-for", "0", "go", "test", "-v", ".")
	for _, ends := range []string{"Reloads: 3", "Backoff: 10", "GivesUp: 2", "CountsInMemory: 1"} {
		require.Contains(t, r.err, "loom: exhausted TestRound"+ends+" traces", "%s", r.out)
	}
	require.Contains(t, r.err, "loom: VIOLATED TestRoundForEver: Livelock: no thread can go on")
	require.Contains(t, r.err, "loom: NOT EXPLORED, and failed for that: TestRoundCounts: loom: an execution of more than 100000 steps")
	require.Contains(t, r.err, "the loop at round_test.go:131 has another value of spins in each round")
	require.Contains(t, r.err, "LOOM_ALGO=random or urw may run it all the same")

	// The samplers see the same traces.
	r = run(t, dir, []string{"LOOM_ALGO=random"}, "go", "tool", "loom", "-for", "300ms", "go", "test", "-run", "Reloads|Backoff|GivesUp|Counts", ".")
	for _, ends := range []string{"Reloads: 3", "Backoff: 10", "GivesUp: 2", "CountsInMemory: 1"} {
		require.Contains(t, r.err, "loom: NOT EXHAUSTED TestRound"+ends+" traces", "%s", r.out)
	}
}
