//go:build !loom && !race

package ci_test

import (
	"go/format"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/filch-sched/filch/fuzz"
)

// TestTheFuzzWorkflowFindsTargets runs the command of the workflow that users copy,
// for each of its legs, but for that it only lists.
func TestTheFuzzWorkflowFindsTargets(t *testing.T) {
	bash := shell(t, "bash")
	m := regexp.MustCompile(`(?m)^ +- run: (go run github\.com/filch-sched/filch/fuzz/all) (.*)$`).FindStringSubmatch(read(t, "ci/fuzz-workflow.yml"))
	require.NotNil(t, m, "the workflow runs nothing")
	for _, flags := range []string{"", "-loom", "-tags loom"} {
		require.Contains(t, read(t, "ci/fuzz-workflow.yml"), strings.TrimRight("flags: "+flags, " "))
		cmd := exec.Command(bash, "-c", m[1]+" -list "+m[2])
		cmd.Dir = ".."
		cmd.Env = append(os.Environ(), "FLAGS="+flags, "TOTAL=5m")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		for _, want := range []string{"fuzz FuzzRing", "fuzz FuzzParse", "linearizability FuzzHistory", "pairs FuzzPairs"} {
			require.Contains(t, string(out), "/"+want+"\n")
		}
	}
}

// TestTheContinuousBuildKnowsItsTargets checks what can be checked of the build for
// libFuzzer without clang; the nightly run builds and runs it.
func TestTheContinuousBuildKnowsItsTargets(t *testing.T) {
	script := read(t, "ci/ossfuzz/build.sh")
	_, text, _ := strings.Cut(script, "<<'GO'\n")
	text, _, ok := strings.Cut(text, "\nGO\n")
	require.True(t, ok, "the script has no entry point")
	formatted, err := format.Source([]byte(text))
	require.NoError(t, err)
	require.Equal(t, string(formatted), text+"\n")
	m := regexp.MustCompile(`targets=\((.+)\)\n`).FindAllStringSubmatch(script, -1)
	require.NotEmpty(t, m)
	targets := strings.Fields(m[len(m)-1][1])
	require.Greater(t, len(targets), 5)
	for _, target := range targets {
		if strings.Contains(text, `case "`+target+`":`) {
			continue // of a text format, in the entry point itself
		}
		seeds, err := fuzz.Seeds(target)
		require.NoError(t, err)
		require.NotEmpty(t, seeds, "%s", target)
		for name, data := range seeds {
			require.NoError(t, fuzz.One(target, data, ""), "%s: %s", target, name)
		}
	}
	out, err := exec.Command(shell(t, "bash"), "-n", "ossfuzz/build.sh").CombinedOutput()
	require.NoError(t, err, "%s", out)
}

func TestOneRunsAnyBytes(t *testing.T) {
	for _, data := range []string{"", "\x00", "\xff", "abc\xff", "abc\x02", "\x01\x01\x01\x01\x01\x01\x04"} {
		for _, target := range []string{"scenario", "ring", "inject", "park"} {
			require.NoError(t, fuzz.One(target, []byte(data), ""))
		}
	}
	require.EqualError(t, fuzz.One("queue", nil, ""), `fuzz: "queue" is no target: there are scenario ring inject park idle sched tracker`)
}
