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

// judge reads what go test -json prints, line by line. A kill is a failed test
// that names a claim of claims, in its name or in a line of its output that is
// not about a number that was pinned; a test that never ends fails when its time
// is up. A build that fails is an error of the mutant: the compiler is not one
// of the layers.
type judge struct {
	claims []string
	output map[string][]string // by package and test
	build  strings.Builder     // what the go command itself and the compiler say
	failed string              // the first failed test that names no claim
}

// line takes one line of output and reports whether the verdict is clear.
func (j *judge) line(line string) (v verdict, clear bool) {
	var e event
	if json.Unmarshal([]byte(line), &e) != nil {
		j.build.WriteString(line)
		return v, false
	}
	key := e.Package + " " + e.Test
	switch e.Action {
	case "build-output":
		j.build.WriteString(e.Output)
	case "output":
		if j.output == nil {
			j.output = map[string][]string{}
		}
		j.output[key] = append(j.output[key], e.Output)
		if m := hungRE.FindStringSubmatch(e.Output); m != nil && j.timedOut(key) {
			if claim := nameIn(m[1], j.claims); claim != "" {
				return verdict{killed: true, by: claim + " in " + m[1] + ", which never ends"}, true
			}
		}
	case "fail":
		if e.FailedBuild != "" {
			return verdict{err: "does not build: " + firstLine(j.build.String())}, true
		}
		if claim := named(e.Test, j.output[key], j.claims); claim != "" {
			return verdict{killed: true, by: claim + " in " + e.Test}, true
		}
		if j.failed == "" {
			j.failed = strings.TrimSpace(key) + ": " + firstLine(strings.Join(j.output[key], ""))
		}
	}
	return v, false
}

// end returns the verdict on output that ended without a clear one.
func (j *judge) end() verdict {
	switch {
	case j.failed != "":
		return verdict{why: "failed without naming a claim of the mutant: " + j.failed}
	case len(j.output) == 0:
		return verdict{err: "no test ran: " + firstLine(j.build.String())}
	}
	return verdict{why: "every test passed"}
}

// hungRE matches a line of the list of running tests that a test binary prints
// when its time is up.
var hungRE = regexp.MustCompile(`^\t\t(Test\S+) \(\d`)

func (j *judge) timedOut(key string) bool {
	return slices.ContainsFunc(j.output[key], func(line string) bool {
		return strings.HasPrefix(line, "panic: test timed out after ")
	})
}

// named returns the claim that a failed test names, or "".
func named(test string, output, claims []string) string {
	if test == "" {
		return "" // a package fails because a test does, or because it timed out
	}
	if claim := nameIn(test, claims); claim != "" {
		return claim
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
	if slices.Contains(claims, lockFree) && spinsRE.MatchString(strings.Join(output, "")) {
		return lockFree
	}
	return ""
}

// nameIn returns the claim that is in the name of a test, or "".
func nameIn(test string, claims []string) string {
	for _, claim := range claims {
		if strings.Contains(test, claim) {
			return claim
		}
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

// lockFree is the claim that a thread breaks which goes round in a loop while nothing
// changes. loom, which does not know what it may do so for, says only that.
const lockFree = "LockFree"

var spinsRE = regexp.MustCompile(`thread \d+ loops, and nothing has changed for \d+ steps`)

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

// firstLine returns the first line of s that says something.
func firstLine(s string) string {
	for line := range strings.Lines(s) {
		if line = strings.TrimSpace(line); line != "" && !noise.MatchString(line) {
			return line
		}
	}
	return "(no output)"
}

// noise matches the lines that go test and the compiler begin with.
var noise = regexp.MustCompile(`^# |^=== |^--- |^(warning|fuzz): `)

func lastLine(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return lines[len(lines)-1]
}
