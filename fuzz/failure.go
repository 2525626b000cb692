package fuzz

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/filch-sched/filch/loom"
	"github.com/filch-sched/filch/model"
	"github.com/filch-sched/filch/model/target"
)

// Failure is a program that broke a claim.
type Failure struct {
	Program Program
	// How says in which run: in order, or concurrently.
	How string
	// Err says which claims, and by what.
	Err error
	// Endless says that the program did not come to its end: what it left
	// behind may still be busy, and disturbs whatever is run next.
	Endless bool
	// History is what happened in a run in order, if it came to its end.
	History model.History
}

// Unwrap returns Err.
func (f *Failure) Unwrap() error { return f.Err }

// Error returns what is violated, the program, and the command that runs it
// again.
func (f *Failure) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "fuzz: run %s: %v\nprogram:\n\t%s", f.How, f.Err, indented(f.Program.String()))
	if n := len(f.History); n > 0 && n <= shown {
		fmt.Fprintf(&b, "\nhistory:\n\t%s", indented(f.History.Format(f.Program.Scenario.Names())))
	}
	if token := f.Program.Token(); token != "" {
		tags := ""
		if loom.Enabled {
			tags = " -tags loom"
		}
		fmt.Fprintf(&b, "\nreplay: FUZZ_REPLAY=%s go test%s -count=1 -run '^TestReplay$' ./fuzz", token, tags)
	}
	return b.String()
}

// shown is how many operations a history may have to be printed whole.
const shown = 60

func indented(text string) string { return strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n\t") }

// InOrder performs the setup and the operations of p one after another, in its
// order, and then takes out what is left. It returns the history, held against
// the law, and an error that is nil or a *[Failure].
//
// A program that makes the code under test wait for ever leaves a goroutine
// behind, and has no history.
func InOrder(p Program) (model.History, error) {
	var h model.History
	s := p.inOrder()
	err := watched(s, func() error {
		run, err := target.Sequential(s)
		h = run
		return err
	})
	if err == nil {
		return h, nil
	}
	f := &Failure{Program: p, How: "in order", Err: err}
	var v *model.Violation
	if f.Endless = errors.As(err, &v) && len(v.Operations) == 0; !f.Endless {
		f.History = h
	}
	return f.History, f
}

// inOrder is the scenario in which all that p does is setup.
func (p Program) inOrder() model.Scenario {
	s := p.Scenario
	s.Setup = p.Steps()
	if s.Target != model.Park {
		// What is left in the inject queue, however much, leaves it at once.
		s.Setup = append(s.Setup, model.Step{Op: model.Op{Kind: model.InjectPopN, Max: 1 + brought(s)}})
	}
	s.Threads = make([]model.Thread, len(p.Scenario.Threads))
	for i, th := range p.Scenario.Threads {
		s.Threads[i].Name = th.Name
	}
	return s
}

// brought is how many tasks the setup of s brings.
func brought(s model.Scenario) (n int) {
	for _, st := range s.Setup {
		n += len(st.Args)
	}
	return n
}

// Concurrently runs the threads of p at the same time and holds every history
// against the law: under the tag loom in every interleaving or, if that takes
// longer than limit, in as many as there is time for; else on goroutines, as
// often as rounds says. The error is nil or a *[Failure].
func Concurrently(p Program, rounds int, limit time.Duration) (loom.Report, error) {
	r, err := target.Explore(p.Scenario, loom.Stress(rounds), loom.Deadline(limit), loom.Deadlock(stranded(p.Scenario)))
	if err != nil {
		return r, &Failure{Program: p, How: "concurrently", Err: err}
	}
	return r, nil
}

// stranded names the claims that a deadlock may break: every program ends.
func stranded(s model.Scenario) string {
	var names []string
	for _, c := range endless(s, "") {
		names = append(names, string(c))
	}
	return strings.Join(names, " or ")
}
