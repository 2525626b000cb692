package crew

import (
	"bytes"
	"runtime"
	"slices"
	"strings"
)

// driving is in the stack of a goroutine of a crew that does what Run was given.
const driving = "internal/crew.(*Crew).do("

// name is how the stack of the calling goroutine begins: "goroutine 7 ".
func name() string {
	b := make([]byte, 64)
	before, _, _ := bytes.Cut(b[:runtime.Stack(b, false)], []byte("["))
	return string(before)
}

// drivers are the packages whose calls are the audit's: what they call is not.
var drivers = []string{"github.com/filch-sched/filch/linearizability/court.", "github.com/filch-sched/filch/linearizability/internal/crew."}

// around are the calls of a stack that say how it came to be taken, or that it was.
var around = []string{"runtime/debug.Stack(", "runtime.Goexit(", "panic("}

// standing is what the stacks of all goroutines come to: first those of c that are in
// the midst of something, and then those that are neither the audit's nor the tests'. The
// stack of the caller is first in what [runtime.Stack] gives.
func (c *Crew) standing() string {
	buf := make([]byte, 1<<20)
	buf = buf[:runtime.Stack(buf, true)]
	var first, then []string
	for i, stack := range strings.Split(strings.TrimSpace(string(buf)), "\n\n") {
		head, _, _ := strings.Cut(stack, "[")
		_, ours := c.names.Load(head)
		switch {
		case i == 0:
		case ours && strings.Contains(stack, driving):
			first = append(first, calls(stack))
		case !bystander(stack):
			then = append(then, stack)
		}
	}
	return strings.Join(slices.Concat(first, then), "\n\n")
}

// bystander reports whether a stack is of a goroutine that is the audit's or the
// tests' and waits, or is of another audit.
func bystander(stack string) bool {
	for _, of := range append(drivers, "testing.") {
		if strings.Contains(stack, "\n"+of) {
			return true
		}
	}
	return false
}

// calls is a stack without the calls of the audit, which come last, and those of
// package runtime around them. It is all of the stack if nothing else is there.
func calls(stack string) string {
	lines := strings.Split(strings.TrimSpace(stack), "\n")
	own := lines[:1:1]
	for i := 1; i+1 < len(lines); i += 2 {
		of := func(prefix string) bool { return strings.HasPrefix(lines[i], prefix) }
		switch {
		case slices.ContainsFunc(around, of):
		case slices.ContainsFunc(drivers, of) && len(own) > 1:
			return strings.Join(own, "\n")
		case slices.ContainsFunc(drivers, of):
		default:
			own = append(own, lines[i], lines[i+1])
		}
	}
	if len(own) == 1 || strings.HasPrefix(own[1], "created by ") {
		return stack
	}
	return strings.Join(own, "\n")
}

// here is the stack of the goroutine that panics or ends.
func here(stack []byte) string { return calls(string(bytes.TrimSpace(stack))) + "\n" }
