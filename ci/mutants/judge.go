package main

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// verdict says what a layer made of a mutant.
type verdict struct {
	killed bool
	by     string // what killed it: "CLAIM in TestName" or "audit: CLAIM"
	err    string // why this is neither a kill nor a survival, or ""
	why    string // why a run that failed is no kill, or ""
}

// event is one line of go test -json.
type event struct {
	Action      string
	Package     string
	ImportPath  string
	Test        string
	Output      string
	FailedBuild string
}

// judgeTests reads what go test -json printed. A kill is a failed test that
// names a claim of claims, in its name or in a line of its output that is not
// about a number that was pinned. A build that fails is an error of the mutant:
// the compiler is not one of the layers.
func judgeTests(out string, claims []string) verdict {
	var failed []event
	output := map[string][]string{}
	var build strings.Builder
	for line := range strings.Lines(out) {
		var e event
		if json.Unmarshal([]byte(line), &e) != nil {
			build.WriteString(line) // what the go command itself says
			continue
		}
		switch e.Action {
		case "build-output":
			build.WriteString(e.Output)
		case "output":
			key := e.Package + " " + e.Test
			output[key] = append(output[key], e.Output)
		case "fail":
			if e.FailedBuild != "" {
				return verdict{err: "does not build: " + firstLine(build.String())}
			}
			failed = append(failed, e)
		}
	}
	if len(failed) == 0 {
		if len(output) == 0 {
			return verdict{err: "no test ran: " + firstLine(build.String())}
		}
		return verdict{why: "every test passed"}
	}
	for _, e := range failed {
		claim := named(e.Test, output[e.Package+" "+e.Test], claims)
		if claim != "" {
			return verdict{killed: true, by: claim + " in " + e.Test}
		}
	}
	first := failed[0]
	return verdict{why: strings.TrimSpace("failed without naming a claim of the mutant: " + first.Package + " " + first.Test)}
}

// named returns the claim that a failed test names, or "".
func named(test string, output, claims []string) string {
	if test == "" {
		return "" // a package fails because a test does, or because it timed out
	}
	for i, claim := range claims {
		if strings.Contains(test, claim) {
			return claims[i]
		}
	}
	for _, line := range output {
		if pinned.MatchString(line) {
			continue
		}
		for _, word := range wordRE.FindAllString(line, -1) {
			if slices.Contains(claims, word) {
				return word
			}
		}
	}
	if slices.Contains(claims, slotRace) && racesOnSlot(strings.Join(output, "")) {
		return slotRace
	}
	return ""
}

// pinned matches lines that fail on a correct change too, and those that only
// say what a scenario guards.
var pinned = regexp.MustCompile(`(?i)\b(traces?|pinned|golden|disassembl\w*|sha256|hash)\b|^\s*claims?:|--- (PASS|SKIP)|^=== `)

var wordRE = regexp.MustCompile(`\w+`)

// slotRace is the claim that the race detector speaks of when it reports a slot,
// which it cannot name.
const slotRace = "NoSlotRace"

// racesOnSlot reports whether the race detector saw two accesses to a Cell.
func racesOnSlot(out string) bool {
	_, report, ok := strings.Cut(out, "WARNING: DATA RACE")
	return ok && strings.Contains(report, "/loom/cell.(*Cell")
}

var verdictRE = regexp.MustCompile(`(?m)^verdict: violation ((?:\w+[ ,]*)+)$`)

// judgeAudit reads what the audit printed, and its exit status.
func judgeAudit(out string, status int, claims []string) verdict {
	if status == 0 {
		return verdict{why: "the audit is clean"}
	}
	m := verdictRE.FindStringSubmatch(out)
	if m == nil {
		return verdict{why: "the audit failed without a violation: " + lastLine(out)}
	}
	for _, word := range wordRE.FindAllString(m[1], -1) {
		if slices.Contains(claims, word) {
			return verdict{killed: true, by: "audit: " + word}
		}
	}
	return verdict{why: "the audit names " + m[1] + ", no claim of the mutant"}
}

func firstLine(s string) string {
	for line := range strings.Lines(s) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "# ") {
			return line
		}
	}
	return "(no output)"
}

func lastLine(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return lines[len(lines)-1]
}
