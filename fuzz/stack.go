package fuzz

import (
	"bytes"
	"runtime"
	"strings"
)

// goroutine returns how the stack of the calling goroutine begins: "goroutine 7".
func goroutine() string {
	b := make([]byte, 64)
	b = b[:runtime.Stack(b, false)]
	head, _, _ := bytes.Cut(b, []byte(" ["))
	return string(head)
}

// allStacks returns the stacks of all goroutines.
func allStacks() string {
	b := make([]byte, 1<<20)
	return string(b[:runtime.Stack(b, true)])
}

// stackOf returns the stack of one goroutine, "" if it has ended.
func stackOf(header string) string {
	for stack := range strings.SplitSeq(allStacks(), "\n\n") {
		if strings.HasPrefix(stack, header+" [") {
			return stack
		}
	}
	return ""
}

// waitsFor returns what the goroutine of a stack waits for, "" if it does not wait for
// another goroutine: it runs, sleeps, or is in a system call.
func waitsFor(stack string) string {
	_, after, _ := strings.Cut(stack, " [")
	state, _, _ := strings.Cut(after, "]:")
	state, _, _ = strings.Cut(state, ", ")
	for _, prefix := range []string{"chan ", "select", "sync.", "semacquire"} {
		if strings.HasPrefix(state, prefix) {
			return state
		}
	}
	return ""
}

// endsNever reports whether nothing ends this state.
func endsNever(state string) bool {
	return state == "select (no cases)" || strings.HasSuffix(state, "(nil chan)")
}

// performs is in the stack of a goroutine that does an operation of a program on
// somebody else's code, from where on it is this package's.
const performs = "github.com/filch-sched/filch/fuzz.(*recorder).perform("

// harness are the packages whose calls are none of the code under test's.
var harness = []string{"runtime.", "runtime/debug.", "panic(", "testing.", "internal/sync.", "iter.", "sync.runtime_",
	"github.com/filch-sched/filch/fuzz.", "github.com/filch-sched/filch/loom.", "github.com/filch-sched/filch/loom/internal/"}

// mostCalls is how many calls of a stack are shown.
const mostCalls = 12

// calls are those of a stack that are of the code under test: two lines each, the
// innermost first. It is all of the stack if there are none.
func calls(stack string) string {
	lines := strings.Split(strings.TrimSpace(stack), "\n")
	var own []string
	more := 0
	for i := 0; i+1 < len(lines); i++ {
		if !strings.HasPrefix(lines[i+1], "\t") || strings.HasPrefix(lines[i], "\t") {
			continue // the head of a stack
		}
		if foreign(lines[i]) {
			continue
		}
		if len(own) >= 2*mostCalls {
			more++
			continue
		}
		at, _, _ := strings.Cut(lines[i+1], " +0x")
		own = append(own, lines[i], at)
	}
	if len(own) == 0 {
		return strings.TrimSpace(stack)
	}
	if more > 0 {
		own = append(own, "...")
	}
	return strings.Join(own, "\n")
}

// foreign reports whether a line of a stack is of a call that calls leaves out.
func foreign(line string) bool {
	if strings.HasPrefix(line, "created by ") {
		return true
	}
	for _, prefix := range harness {
		if strings.HasPrefix(line, prefix) {
			return true
		}
	}
	return false
}

// performing returns of the stacks of goroutines those that do an operation, each as
// what it waits for and its calls.
func performing(stacks string) string {
	var all []string
	for stack := range strings.SplitSeq(stacks, "\n\n") {
		if !strings.Contains(stack, performs) {
			continue
		}
		state := waitsFor(stack)
		if state == "" {
			state = "running"
		}
		all = append(all, "["+state+"]\n"+calls(stack))
	}
	return strings.Join(all, "\n")
}
