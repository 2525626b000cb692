package fuzz_test

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

var update = flag.Bool("update", false, "write the committed corpus anew")

// TestMain keeps rapid from writing into the tree: a failure is replayed by its
// seed or by the token of its program.
func TestMain(m *testing.M) {
	flag.Parse()
	if !given("rapid.nofailfile") {
		if err := flag.Set("rapid.nofailfile", "true"); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	os.Exit(m.Run())
}

// fuzzed makes f a target of a property. What go test finds interesting it makes
// shorter for a minute each, if nothing else is said.
func fuzzed(f *testing.F, property func(*rapid.T)) {
	const name = "test.fuzzminimizetime"
	if !given(name) {
		require.NoError(f, flag.Set(name, "100x"))
	}
	f.Fuzz(rapid.MakeFuzz(property))
}

func given(name string) (set bool) {
	flag.Visit(func(f *flag.Flag) { set = set || f.Name == name })
	return set
}

// effort sets how many programs rapid draws in this test, and how many steps a
// state machine takes on average, unless flags say so; and fixes and logs the
// seed.
func effort(t *testing.T, checks, steps int) {
	set := func(name, value string) {
		f := flag.Lookup(name)
		old := f.Value.String()
		require.NoError(t, f.Value.Set(value))
		t.Cleanup(func() { require.NoError(t, f.Value.Set(old)) })
	}
	if !given("rapid.checks") {
		set("rapid.checks", strconv.Itoa(checks))
	}
	if !given("rapid.steps") {
		set("rapid.steps", strconv.Itoa(steps))
	}
	if seed := flag.Lookup("rapid.seed").Value.String(); seed == "0" {
		set("rapid.seed", strconv.FormatInt(time.Now().UnixNano(), 10))
	}
	t.Logf("again: go test -run '^%s$' ./fuzz -rapid.seed=%s", t.Name(), flag.Lookup("rapid.seed").Value)
}

// requireNames checks that a report says that one of claims is violated.
func requireNames(t *testing.T, claims []string, report string) {
	t.Helper()
	for _, c := range claims {
		if regexp.MustCompile(`\b` + c + `\b[^\n]* violated`).MatchString(report) {
			return
		}
	}
	require.Fail(t, "no claim is named", "want one of %v:\n%s", claims, report)
}

// patient are the actions of a machine, of which one that is skipped does nothing:
// rapid fails a run in which a hundred are skipped in a row, as the bytes of a
// fuzzer can ask for.
func patient(m rapid.StateMachine) map[string]func(*rapid.T) {
	actions := rapid.StateMachineActions(m)
	for name, act := range actions {
		if name == "" {
			continue
		}
		actions[name] = func(t *rapid.T) {
			defer func() {
				if r := recover(); r != nil && fmt.Sprintf("%T", r) != "rapid.invalidData" {
					panic(r)
				}
			}()
			act(t)
		}
	}
	return actions
}
