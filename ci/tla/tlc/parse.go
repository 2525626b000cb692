// Package tlc runs TLC, the model checker of TLA+, on the models of a manifest
// and judges what it says.
//
// TLC is pinned by the hash of its jar, and run so that equal models give equal
// counts: one worker, a fixed polynomial for the fingerprints of states, a
// fixed seed. (With several workers TLC 2.18 can report another depth each
// time, and can miss a violated liveness property.) What runs in parallel is
// models.
package tlc

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/filch-sched/filch/tla"
)

// Output is what one run of TLC said.
type Output struct {
	// Result is the end that TLC reported: one of package tla, or one of the
	// kinds below, all of which are failures that no manifest asks for.
	Result tla.Result
	// Violated is the invariant or property that does not hold; or, if TLC
	// gives only a place, "MODULE:LINE"; or "", as for liveness properties,
	// which TLC does not name.
	Violated string
	// Message is what TLC said of the failure, without the path.
	Message string
	// Path are the steps to the violation, as TLC prints them, each with the
	// state that it leads to; the first is the initial state.
	Path []string

	// Printed is the lines that the specification has printed of its edges, of
	// models with a bond.
	Printed string

	Generated, Distinct, Depth int
	// Taken tells how often each action was taken, by "MODULE!ACTION", if the
	// model asks for coverage.
	Taken map[string]int
}

// The ends of a run that are never asked for.
const (
	Assumption tla.Result = "assumption" // an ASSUME is false
	Deadlock   tla.Result = "deadlock"
	Assert     tla.Result = "assert"     // an Assert of the specification failed
	Evaluation tla.Result = "evaluation" // an expression has no value
	Parse      tla.Result = "parse"      // the modules are no TLA+
	Config     tla.Result = "config"     // the .cfg does not fit the modules
	Other      tla.Result = "other"
)

// message is one message of TLC's option -tool, which brackets each with its
// code.
var message = regexp.MustCompile(`(?ms)^@!@!@STARTMSG (\d+):(\d+) @!@!@\n(.*?)^@!@!@ENDMSG (\d+) @!@!@$`)

// The codes of messages, as in TLC's tlc2/output/EC.java.
const (
	codeAssumption       = 2104
	codeInvariantInitial = 2107
	codeInvariant        = 2110
	codeAction           = 2112
	codeDeadlock         = 2114
	codeTemporal         = 2116
	codeAssert           = 2132
	codeSuccess          = 2193
	codeDepth            = 2194
	codeStates           = 2199
	codeState            = 2217
	codeTaken            = 2772
)

// severity 1 is an error's.
const severityError = "1"

var (
	violated = regexp.MustCompile(`^(?:Invariant|Action property) (\w+) is violated`)
	place    = regexp.MustCompile(`^Action property line (\d+), col \d+ to line \d+, col \d+ of module (\w+) is violated`)
	states   = regexp.MustCompile(`^(\d+) states generated, (\d+) distinct states found, (\d+) states left on queue`)
	depth    = regexp.MustCompile(`^The depth of the complete state graph search is (\d+)\.`)
	taken    = regexp.MustCompile(`^<(\w+) line .* of module (\w+)>: \d+:(\d+)`)
)

// ParseOutput reads what TLC printed under the option -tool, and the status that
// it exited with. An output and a status that contradict each other, or an
// output without an end, are an error.
func ParseOutput(text string, status int) (Output, error) {
	out := Output{Taken: map[string]int{}}
	left := -1
	for _, m := range message.FindAllStringSubmatch(text, -1) {
		code, err := strconv.Atoi(m[1])
		if err != nil || m[1] != m[4] {
			return out, fmt.Errorf("tlc: message %s ends as %s", m[1], m[4])
		}
		body := strings.TrimSpace(m[3])
		if m[2] == severityError || code == codeSuccess {
			out.end(code, body)
		}
		switch code {
		case codeState:
			out.Path = append(out.Path, body)
		case codeDepth:
			numbers(depth, body, &out.Depth)
		case codeStates:
			numbers(states, body, &out.Generated, &out.Distinct, &left)
		case codeTaken:
			if a := taken.FindStringSubmatch(body); a != nil {
				n, _ := strconv.Atoi(a[3]) // digits, by the expression
				action := a[2] + "!" + a[1]
				out.Taken[action] = max(out.Taken[action], n)
			}
		}
	}
	return out, out.check(text, status, left)
}

// end notes how the run ended. The first message that says so counts: those
// after it explain.
func (o *Output) end(code int, body string) {
	if o.Result != "" {
		return
	}
	o.Message = body
	switch code {
	case codeSuccess:
		o.Result, o.Message = tla.Success, ""
	case codeInvariant, codeInvariantInitial:
		o.Result = tla.Invariant
	case codeAction, codeTemporal:
		o.Result = tla.Property
	case codeAssumption:
		o.Result = Assumption
	case codeDeadlock:
		o.Result = Deadlock
	case codeAssert:
		o.Result = Assert
	default:
		o.Result = Other // until check knows the status
	}
	if m := violated.FindStringSubmatch(body); m != nil {
		o.Violated = m[1]
	}
	if m := place.FindStringSubmatch(body); m != nil {
		o.Violated = m[2] + ":" + m[1]
	}
}

// statuses are the exit statuses of TLC (tlc2/output/EC.java, ExitStatus). An
// expression without a value can end with 255 as well.
var statuses = map[int]tla.Result{
	0: tla.Success, 10: Assumption, 11: Deadlock, 12: tla.Invariant, 13: tla.Property, 14: Assert,
	75: Evaluation, 76: Evaluation, 77: Evaluation, 255: Evaluation, 150: Parse, 151: Config,
}

// check compares the end that the messages tell with the exit status, and sees
// that a run that found no mistake has looked everywhere.
func (o *Output) check(text string, status, left int) error {
	byStatus, known := statuses[status]
	if o.Result == Other && known && byStatus != tla.Success {
		o.Result = byStatus
	}
	switch {
	case o.Result == "":
		return fmt.Errorf("tlc: exit status %d and no end in its output:\n%s", status, tail(text, 20))
	case o.Result == Other:
		return fmt.Errorf("tlc: exit status %d: %s", status, o.Message)
	case o.Result != byStatus:
		return fmt.Errorf("tlc: exit status %d, but its output says %s", status, o.Result)
	case o.Result == tla.Success && left != 0:
		return fmt.Errorf("tlc: no mistake found, but %d states were left to look at", left)
	}
	return nil
}

// numbers reads the numbers that the expression finds in body.
func numbers(expression *regexp.Regexp, body string, to ...*int) {
	m := expression.FindStringSubmatch(body)
	if m == nil {
		return
	}
	for i, n := range to {
		*n, _ = strconv.Atoi(m[i+1]) // digits, by the expression
	}
}

// tail returns the last n lines of text.
func tail(text string, n int) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}
