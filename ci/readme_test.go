//go:build !loom && !race

package ci_test

import (
	"context"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// maxREADME is how many lines the README may have: it is to be read.
const maxREADME = 150

// readmeCommands returns the lines of the README's blocks fenced as sh, without
// comments and with continued lines joined.
func readmeCommands(text string) (commands []string) {
	inside := false
	text = strings.ReplaceAll(text, "\\\n", "")
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if strings.HasPrefix(line, "```") {
			inside = line == "```sh"
			continue
		}
		if line, _, _ = strings.Cut(line, " #"); inside && strings.TrimSpace(line) != "" && line[0] != '#' {
			commands = append(commands, strings.TrimSpace(line))
		}
	}
	return commands
}

// dear matches the commands that are too long for a test, or that run this test
// themselves. CI runs them elsewhere, and this test sees to it that it does.
var dear = regexp.MustCompile(`\./\.\.\.|^(bash )?\.?ci/run|^go run \./(linearizability/audit|ci/mutants|ci/tla)\b|-fuzz|^cd ci/bench`)

// usesBash matches the commands that a machine without bash cannot run.
var usesBash = regexp.MustCompile(`^(bash |\.?ci/\S+\.sh\b)`)

// TestREADMECommandsRunAsPrinted runs the cheap commands in a shell in the root
// of the module. The dear ones must stand, as they are printed, in .ci/run or in
// ci/run.sh.
func TestREADMECommandsRunAsPrinted(t *testing.T) {
	sh := shell(t, "sh")
	commands := readmeCommands(read(t, "README.md"))
	ci := strings.NewReplacer(`"$mode"`, "quick").Replace(read(t, ".ci/run") + read(t, "ci/run.sh"))
	for _, want := range []string{"go test ./...", "go run ./linearizability/audit -duration 10s -report audit.html"} {
		require.Contains(t, commands, want, "README.md has to print it in a block fenced as sh")
		require.Contains(t, "\n"+read(t, ".ci/run"), "\n"+want+"\n", ".ci/run has to run it as it is printed")
	}
	for _, c := range commands {
		t.Run(c, func(t *testing.T) {
			if dear.MatchString(c) {
				if c != "bash .ci/run" {
					require.Contains(t, ci, c, "too dear for this test, and neither .ci/run nor ci/run.sh has it")
				}
				return
			}
			if usesBash.MatchString(c) {
				shell(t, "bash")
			}
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
			defer cancel()
			cmd := exec.CommandContext(ctx, sh, "-ec", c)
			cmd.Dir = root
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, "%s", out)
		})
	}
}

func TestREADMEIsShort(t *testing.T) {
	require.LessOrEqual(t, strings.Count(read(t, "README.md"), "\n"), maxREADME)
}

func TestREADMECommandsAreFound(t *testing.T) {
	require.Equal(t, []string{"go test ./...", "go vet ./queue ./idle", "A=1 go run x"}, readmeCommands(
		"```sh\ngo test ./...   # all\n# nothing\n\ngo vet ./queue \\\n./idle\n```\ntext\n```text\n$ no\n```\n```\nno\n```\n```sh\nA=1 go run x\n```\n"))
	for c, want := range map[string]bool{
		"go test ./...": true, "go test -tags loom ./...": true, "ci/run.sh quick": true, "bash .ci/run": true,
		"go run ./linearizability/audit -duration 10s": true, "go test ./queue": false, "go run ./sched/hashtree": false,
	} {
		require.Equal(t, want, dear.MatchString(c), c)
	}
}
