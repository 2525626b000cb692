package hook

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"sync"
	"time"
)

// Variable is the environment variable in which the command tells the tests of
// its [Settings].
const Variable = "LOOM_UNTOUCHED"

// Settings are what the user asked the command for.
type Settings struct {
	For     time.Duration // bound of one exploration; 0: none
	Strict  bool          // what cannot be explored fails
	Command string        // what runs go test through the command loom
	Results string        // file to which each test appends its Result
}

// Environment returns the settings as an entry of an environment.
func (s Settings) Environment() string {
	text, err := json.Marshal(s)
	if err != nil {
		panic(fmt.Sprintf("loom: settings %+v: %v", s, err)) // they are plain data
	}
	return Variable + "=" + string(text)
}

// settings returns the settings that the command has left.
var settings = sync.OnceValue(func() Settings {
	s := Settings{For: 10 * time.Second}
	if text := os.Getenv(Variable); text != "" {
		if err := json.Unmarshal([]byte(text), &s); err != nil {
			panic(fmt.Sprintf("loom: %s=%s: %v", Variable, text, err))
		}
	}
	return s
})

// Command is what runs go test through the command loom, "" if the tests do not run under
// it: for those who print a replay that is none of an exploration's.
func Command() string { return settings().Command }

// Fuzzed tells the command loom that a fuzz target has come to its end whose inputs are
// explored: inputs of them, 0 if a fuzzer made them and their number is not known.
func Fuzzed(target string, inputs int) {
	settings().write(Result{Test: target, Package: testedPackage(), Status: Inputs, Executions: inputs})
}

// command returns the shell command that runs the execution of token again, in
// the test called name; plain if the tests do not run under the command loom.
func (s Settings) command(name, token, plain string) string {
	if s.Command == "" {
		return plain
	}
	parts := strings.Split(name, "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	run := strings.ReplaceAll(strings.Join(parts, "/"), "'", `'\''`)
	return fmt.Sprintf("LOOM_REPLAY=%s %s -run '%s' %s", token, s.Command, run, testedPackage())
}

// Status says how the exploration of a test ended.
type Status string

// The ways in which an exploration ends.
const (
	Exhausted Status = "exhausted" // every trace has been seen
	Bounded   Status = "bounded"   // there was no time for all
	Violated  Status = "violated"  // a violation was found
	Refused   Status = "refused"   // it cannot be explored
	Unchecked Status = "unchecked" // it was explored, which says nothing: what matters are no steps
	Skipped   Status = "skipped"   // the test skipped itself
	Inputs    Status = "fuzzed"    // the inputs of a fuzz target were explored, each in some orders
	NotRun    Status = "not run"   // a replay of another test was asked for
)

// Result is what became of one test.
type Result struct {
	Package, Test      string
	Status             Status
	Traces, Executions int
	Threads, Depth     int
	Skipped            int // executions in which the test skipped itself
	Elapsed            time.Duration
	Message            string
	Shard, Shards      int    // which share of how many was searched, 0 of 0: all
	Limited            bool   // sampled, or with bounded preemptions: more time would not exhaust it
	Extent             string // how exhaustive it was, in words
	Failed             bool   // a refusal failed the test: it has not been run as usual
	Replay             bool   // one execution was asked for
}

var writing sync.Mutex

// write appends r to the file of results. Processes append whole lines.
func (s Settings) write(r Result) {
	if s.Results == "" {
		return
	}
	line, err := json.Marshal(r)
	if err != nil {
		panic(fmt.Sprintf("loom: result %+v: %v", r, err)) // plain data
	}
	writing.Lock()
	defer writing.Unlock()
	f, err := os.OpenFile(s.Results, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err == nil {
		_, err = f.Write(append(line, '\n'))
		if e := f.Close(); err == nil {
			err = e
		}
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "loom: cannot tell the command of %s: %v\n", r.Test, err)
	}
}
